//! `resource` (RFC 8707 §2): the one API that the tokens shall be for.

use svc_core::{Error, Result};
use svc_domain::apps::App;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::Params;

use crate::authorize::asked::Asked;
use crate::authorize::request::AuthorizationRequest;

/// The audience that a request names: its own, else its application's, else the tenant's issuer.
pub fn named<'a>(params: &'a Params, app: &'a App, tenant: &'a Tenant) -> &'a str {
    let configured = || app.configuration.audience.as_deref();
    params.one("resource").or_else(configured).unwrap_or(&tenant.issuer)
}

/// Holds the audience against the tenant's APIs.
pub fn check(asked: &Asked<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let audience = named(asked.params, asked.app, asked.tenant);
    if asked.api.is_none() && audience != asked.tenant.issuer {
        return Err(Error::invalid_target("resource is not an API that this tenant offers"));
    }
    audience.clone_into(&mut request.audience);
    Ok(())
}
