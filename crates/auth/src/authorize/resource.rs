//! The API that a request names (RFC 8707 §2): `resource`, or `audience` where it is the name of an API.

use svc_core::Result;
use svc_http::{HostCx, Params};

/// What `resource` names. Without it `audience`, which other authorization servers call it, counts as far as it is the
/// name of an API of the tenant; any other `audience` is a parameter that is not known here.
pub async fn named(host: &HostCx, params: &Params) -> Result<Option<String>> {
    if let Some(resource) = params.one("resource") {
        return Ok(Some(resource.to_owned()));
    }
    let Some(audience) = params.one("audience") else { return Ok(None) };
    let is_known = audience == host.tenant.issuer
        || host.app.services.apis.find(&host.tenant, audience).await?.is_some();
    Ok(is_known.then(|| audience.to_owned()))
}
