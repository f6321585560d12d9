//! The grants of the token endpoint; discovery, registration and metrics read this table.

mod authorization_code;
pub mod ciba;
mod client_credentials;
pub mod device_code;
mod jwt_bearer;
mod polled;
mod refresh_token;
mod token_exchange;

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

/// The grants that this deployment offers.
pub fn offered(app: &svc_http::App) -> impl Iterator<Item = &'static Grant> {
    let has_devices = app.config.device_authorization.enabled;
    GRANTS.iter().filter(move |grant| has_devices || grant.name != device_code::NAME)
}

/// The grant that a `grant_type` names.
pub fn find(name: &str) -> Option<&'static Grant> {
    GRANTS.iter().find(|grant| grant.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_can_be_allowed_exactly_the_grants_that_exist() {
        let names: Vec<_> = GRANTS.iter().map(|grant| grant.name).collect();
        assert_eq!(names, svc_domain::apps::GRANT_TYPES);
    }
}
