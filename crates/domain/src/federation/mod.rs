//! Other parties whose statements about people are believed.

pub mod connectors;
pub mod sso;
pub mod trusted_issuers;
pub mod trusted_subjects;

use svc_core::{Id, Kind};

/// Where the provider of a record sends people back to, behind the tenant's issuer.
fn return_path<K: Kind>(id: Id<K>) -> String {
    format!("/auth/return/{id}")
}

/// The scopes that an OpenID provider is asked for unless others are chosen.
fn usual_scopes() -> Vec<String> {
    ["openid", "profile", "email"].map(str::to_owned).to_vec()
}
