//! `resource` (RFC 8707 §2): the one API that the tokens are for.

use svc_core::{Error, Result};
use svc_domain::apps::{App, control_plane};
use svc_domain::tenancy::tenants::Tenant;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// The audience of a request: what it names, else its application's, else the tenant's issuer.
pub fn audience(named: Option<String>, app: &App, tenant: &Tenant) -> String {
    let usual = || app.configuration.audience.as_deref().map(|stored| tenant.audience_of(stored));
    named.or_else(usual).unwrap_or_else(|| tenant.issuer.clone())
}

/// Holds the audience against the tenant's APIs.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    if input.api.is_none() && input.audience != input.tenant.issuer {
        return Err(Error::invalid_target("resource: use the identifier of an API that this tenant offers"));
    }
    control_plane::check_target(input.tenant, input.app, input.audience)?;
    input.audience.clone_into(&mut request.audience);
    Ok(())
}
