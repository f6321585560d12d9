//! `/api/v1/identity`: what people do to their own accounts, through an application; what the account centre does on pages.
//!
//! A resource is one file and one line of [`RESOURCES`].

mod backup_codes;
mod caller;
mod consents;
mod credentials;
mod data;
mod delegations;
mod deletion;
mod details;
mod email;
mod guardians;
mod guarding;
mod impersonations;
mod invitations;
mod login_history;
mod organizations;
mod passkeys;
mod password;
mod phone;
mod profile;
mod sessions;
mod terms;
mod totp;

use svc_domain::tokens::access_token::SubjectType;
use svc_http::{Route, Routes};

/// An application acts for a person here, and never for itself.
const PEOPLE: &[SubjectType] = &[SubjectType::Human];

/// Every resource, in the order of the documentation.
const RESOURCES: &[fn() -> Vec<Route>] = &[
    profile::routes,
    details::routes,
    email::routes,
    phone::routes,
    password::routes,
    credentials::routes,
    totp::routes,
    backup_codes::routes,
    passkeys::routes,
    guardians::routes,
    guarding::routes,
    sessions::routes,
    login_history::routes,
    impersonations::routes,
    consents::routes,
    delegations::routes,
    organizations::routes,
    invitations::routes,
    terms::routes,
    data::routes,
    deletion::routes,
];

/// The routes of all resources.
pub fn routes() -> Routes {
    let all = RESOURCES.iter().flat_map(|routes| routes());
    Routes::new(all.map(|route| route.subject_types(PEOPLE).tag("Own account")))
}
