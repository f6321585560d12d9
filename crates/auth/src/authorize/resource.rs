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

/// The other ways to write the same address. Clients that keep addresses as URLs write a slash where there is no path, and everything
/// before the path in small letters; others send what people have copied.
pub fn other_forms(resource: &str) -> impl Iterator<Item = String> + use<> {
    let plain = in_small_letters(resource);
    let plain_by_slash = plain.as_deref().and_then(by_slash);
    [plain, by_slash(resource), plain_by_slash].into_iter().flatten()
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

/// The name of the API that is meant, where it is written in another way.
async fn as_registered(host: &HostCx, resource: &str) -> Result<String> {
    let mut others = other_forms(resource).peekable();
    // Most names have one form, and are looked up where they are needed.
    if others.peek().is_none() || is_known(host, resource).await? {
        return Ok(resource.to_owned());
    }
    for other in others {
        if is_known(host, &other).await? {
            return Ok(other);
        }
    }
    Ok(resource.to_owned())
}

/// The address without a path with a slash, or without (RFC 3986 §6.2.3).
fn by_slash(resource: &str) -> Option<String> {
    match resource.strip_suffix('/') {
        Some(origin) => is_origin(origin).then(|| origin.to_owned()),
        None => is_origin(resource).then(|| format!("{resource}/")),
    }
}

/// The address with scheme and host in small letters and without the usual port (RFC 3986 §6.2.2.1, §6.2.3), where it is written otherwise.
fn in_small_letters(resource: &str) -> Option<String> {
    let url = Url::parse(resource).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let (_, rest) = resource.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let plain = format!("{}{path}", url.origin().ascii_serialization());
    let is_uri = resource.bytes().all(|byte| byte.is_ascii_graphic()) && !authority.contains(['@', '\\']);
    (plain != resource && is_uri).then_some(plain)
}

fn is_origin(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.origin().ascii_serialization() == address)
}

async fn is_known(host: &HostCx, name: &str) -> Result<bool> {
    Ok(name == host.tenant.issuer || host.app.services.apis.find(&host.tenant, name).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_and_host_are_the_same_in_capitals_and_nothing_else_is() {
        for (written, plain) in [
            ("HTTPS://MCP.Example/Tools?A", Some("https://mcp.example/Tools?A")),
            ("https://mcp.example:443/tools", Some("https://mcp.example/tools")),
            ("http://LOCALHOST:9000", Some("http://localhost:9000")),
            ("https://mcp.example/Tools/../x", None),
            ("https://User@MCP.example/tools", None),
            ("https://MCP.example\\tools", None),
            (" https://MCP.example/tools", None),
            ("https://MCP\t.example/tools", None),
            ("URN:example:Notes", None),
            ("notes", None),
        ] {
            assert_eq!(in_small_letters(written).as_deref(), plain, "{written}");
        }
    }
}
