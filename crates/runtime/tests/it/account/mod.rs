//! What people do to their own accounts, on the pages of the account centre and through the API.

mod address;
mod administered;
mod api;
mod delegations;
pub mod deletion;
pub mod factors;
mod held_calls;
mod language;
mod last_way_in;
mod notices;
mod passkeys_of_apps;
mod phone;
mod preview;
mod social_recovery;
pub mod undo_address;

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Answer, Person, Site};

/// A token of a person for their own account, of a sign-in `ago` seconds before.
fn token_of(site: &Site<'_>, person: &Person, ago: i64) -> String {
    let now = site.harness.operator().now.as_secs();
    site.mint(|claims| {
        claims["sub"] = json!(person.subject);
        claims["subject_type"] = json!("human");
        claims["scope"] = json!("identity:read identity:write");
        (claims["auth_time"], claims["acr"]) = (json!(now - ago), json!("urn:svc:aal1"));
    })
}

/// A call of a person about their own account, after a sign-in just now.
pub async fn own(site: &Site<'_>, person: &Person, call: (Method, &str), body: Option<Value>) -> Answer {
    let (method, path) = call;
    site.call(method, &format!("/api/v1/identity{path}"), Some(&token_of(site, person, 0)), body).await
}
