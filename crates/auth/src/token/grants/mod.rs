//! The grants of the token endpoint; discovery, registration and metrics read this table.

mod authorization_code;
pub mod ciba;
mod client_credentials;
pub mod device_code;
mod jwt_bearer;
mod polled;
mod refresh_token;
mod token_exchange;

use svc_domain::apps::GrantType;
use svc_http::HostCx;

use super::grant::Grant;

/// Every grant.
pub const GRANTS: &[Grant] = &[
    authorization_code::GRANT,
    refresh_token::GRANT,
    client_credentials::GRANT,
    device_code::GRANT,
    ciba::GRANT,
    token_exchange::GRANT,
    jwt_bearer::GRANT,
];

/// What the grants say of themselves; applications are held to it.
pub fn types() -> impl Iterator<Item = GrantType> {
    GRANTS.iter().map(|grant| grant.facts)
}

/// The grants that the tenant offers.
pub fn offered(host: &HostCx) -> impl Iterator<Item = &'static Grant> {
    let is_offered =
        move |grant: &&Grant| grant.facts.capability.is_none_or(|capability| host.offers(capability));
    GRANTS.iter().filter(is_offered)
}
