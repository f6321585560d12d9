//! The grants of the token endpoint; discovery, registration and metrics read this table.

mod authorization_code;
mod client_credentials;
mod refresh_token;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_http::{HostCx, Params};

use super::approval::{Approval, Denied};

/// A request that has passed client authentication, and whose grant the application may use.
pub struct Request<'a> {
    /// The call and its tenant.
    pub host: &'a HostCx,
    /// The authenticated application.
    pub app: &'a Arc<App>,
    /// The form.
    pub params: &'a Params,
    /// The key that a DPoP proof has shown possession of, by its thumbprint.
    pub dpop_jkt: Option<String>,
}

impl Request<'_> {
    /// The key that tokens of this request are bound to.
    pub fn proven_key(&self) -> Option<String> {
        self.dpop_jkt.clone()
    }
}

/// One way of getting tokens.
pub struct Grant {
    /// The `grant_type`.
    pub name: &'static str,
    /// How it decides.
    pub approve: Approve,
}

/// How a grant decides.
pub enum Approve {
    /// From the request alone.
    Stateless(fn(&Request<'_>) -> Result<Approval, Denied>),
    /// With records, in the transaction that issuing continues.
    Stored(for<'a> fn(&'a Request<'a>, &'a mut Tx<Tenant>) -> Deciding<'a>),
}

/// A pending decision.
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Approval, Denied>> + Send + 'a>>;

/// Every grant.
pub const GRANTS: &[Grant] = &[authorization_code::GRANT, refresh_token::GRANT, client_credentials::GRANT];

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
