//! The API that a request names (RFC 8707 §2): `resource`, or `audience` where it is the name of an API.

use svc_core::{Result, STANDARD_SCOPES};
use svc_domain::apis::Api;
use svc_domain::apps::App;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::{HostCx, Params};
use url::Url;

/// What `resource` names. Without it `audience`, which other authorization servers call it, counts as far as it is the
/// name of an API of the tenant; any other `audience` is a parameter that is not known here.
pub async fn named(host: &HostCx, params: &Params) -> Result<Option<String>> {
    if let Some(resource) = params.one("resource") {
        return as_registered(host, resource).await.map(Some);
    }
    let Some(audience) = params.one("audience") else { return Ok(None) };
    let audience = as_registered(host, audience).await?;
    Ok(is_known(host, &audience).await?.then_some(audience))
}

/// The other way to write an address without a path, which means the same (RFC 3986 §6.2.3): clients that keep addresses as
/// URLs write a slash, others write none.
pub fn other_form(resource: &str) -> Option<String> {
    match resource.strip_suffix('/') {
        Some(origin) => is_origin(origin).then(|| origin.to_owned()),
        None => is_origin(resource).then(|| format!("{resource}/")),
    }
}

/// Whether an application may have a scope in tokens for an API. One that registered itself may have all of the tenant's APIs, as it could have
/// registered with them: clients of MCP learn of scopes and of servers later. Where an administrator has made it one for which no one is
/// asked, it has those that it is registered with. It has none of the service's own APIs, also where an API of the tenant has a scope of the
/// same name.
pub fn may_have(app: &App, tenant: &Tenant, api: &Api, scope: &str) -> bool {
    let is_registered = app.configuration.scope.has(scope);
    if app.is_self_registered() && !STANDARD_SCOPES.contains(&scope) {
        let is_asked_about = !app.configuration.first_party;
        return (is_registered || is_asked_about) && !tenant.keeps_api(&api.identifier);
    }
    is_registered
}

/// The name of the API that is meant, where it is written in the other way.
async fn as_registered(host: &HostCx, resource: &str) -> Result<String> {
    if let Some(other) = other_form(resource)
        && !is_known(host, resource).await?
        && is_known(host, &other).await?
    {
        return Ok(other);
    }
    Ok(resource.to_owned())
}

fn is_origin(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.origin().ascii_serialization() == address)
}

async fn is_known(host: &HostCx, name: &str) -> Result<bool> {
    Ok(name == host.tenant.issuer || host.app.services.apis.find(&host.tenant, name).await?.is_some())
}
