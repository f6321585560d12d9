//! Protected resource metadata (RFC 9728): of our own APIs, and hosted for a tenant's; and the path forms of RFC 8414 §3.1.
//!
//! An API whose identifier is `https://mcp.example/tools` is described at
//! `/.well-known/oauth-protected-resource/mcp.example/tools`, and at `…/tools` as long as no other API has that path.

use std::sync::Arc;

use serde::Serialize;
use svc_core::capability::Capability;
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::apis::{Api, path_of};
use svc_http::{HostCx, Path, Problem, Route, Routes, Source, StaticDocument};
use utoipa::ToSchema;

use super::discovery;
use crate::register::origins;

/// The routes of the published documents.
pub fn routes() -> Routes {
    let why = "published metadata";
    Routes::new([
        Route::get("/.well-known/oauth-protected-resource")
            .public(why, ours)
            .cors(origins::public())
            .summary("Metadata of our own APIs")
            .returns::<Described>(200),
        Route::get("/.well-known/oauth-protected-resource/{*path}")
            .public(why, hosted)
            .cors(origins::public())
            .summary("Metadata of an API of the tenant"),
        Route::get("/.well-known/oauth-authorization-server/{*path}")
            .public(why, server)
            .cors(origins::public())
            .summary("Authorization server metadata, for an issuer or API with a path"),
    ])
}

async fn ours(host: HostCx) -> Result<StaticDocument, Problem> {
    let audience = host.tenant.api_audience();
    let api = host.app.services.apis.find(&host.tenant, &audience).await?;
    Ok(published(&host, &audience, api.as_ref())?)
}

async fn hosted(host: HostCx, Path(path): Path<String>) -> Result<StaticDocument, Problem> {
    let api = at(&host, &path).await?.ok_or_else(|| Error::not_found("no API of this tenant is there"))?;
    Ok(published(&host, &api.identifier, Some(&api))?)
}

/// Only for an issuer or an API that is really there: elsewhere the document would claim to be another party's.
async fn server(host: HostCx, Path(path): Path<String>) -> Result<StaticDocument, Problem> {
    if is_issuers(&host, &path) || at(&host, &path).await?.is_some() {
        return discovery::metadata(host).await;
    }
    Err(Error::not_found("nothing is at this address").into())
}

/// Whether a path that was inserted into an address is that of the tenant's issuer.
pub fn is_issuers(host: &HostCx, path: &str) -> bool {
    path_of(&host.tenant.issuer).is_some_and(|own| own == trimmed(path))
}

fn published(host: &HostCx, identifier: &str, api: Option<&Arc<Api>>) -> Result<StaticDocument> {
    let source = api.map(|api| Arc::clone(api) as Source);
    let name = format!("resource {identifier}");
    host.document(&name, source.as_slice(), || document(host, identifier, api.map(Arc::as_ref)))
}

fn document(host: &HostCx, identifier: &str, api: Option<&Api>) -> Result<String> {
    let issuer = &host.tenant.issuer;
    let scopes: Vec<&str> =
        api.iter().flat_map(|api| &api.configuration.scopes).map(|scope| scope.name.as_str()).collect();
    let types = api
        .filter(|_| host.offers(&Capability::AUTHORIZATION_DETAILS))
        .into_iter()
        .flat_map(Api::details_types);
    let document = Described {
        resource: identifier,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ["header"],
        dpop_signing_alg_values_supported: if host.offers(&Capability::DPOP) {
            svc_http::dpop::ALGORITHM_NAMES.to_vec()
        } else {
            Vec::new()
        },
        dpop_bound_access_tokens_required: false,
        // Of another's API it is not known.
        tls_client_certificate_bound_access_tokens: host.tenant.keeps_api(identifier)
            && host.offers(&Capability::MTLS),
        resource_name: api.map(|api| api.configuration.name.as_str()),
        authorization_details_types_supported: types.collect(),
    };
    serde_json::to_string(&document).or_internal()
}

/// The metadata of an API for clients (RFC 9728 §2).
#[derive(Serialize, ToSchema)]
#[schema(as = ProtectedResourceMetadata)]
struct Described<'a> {
    /// Its identifier.
    #[schema(example = "https://id.example.com/api")]
    resource: &'a str,
    /// Who issues tokens for it.
    authorization_servers: [&'a str; 1],
    /// What tokens for it may permit.
    scopes_supported: Vec<&'a str>,
    /// How tokens are sent to it.
    bearer_methods_supported: [&'static str; 1],
    /// The algorithms of DPoP proofs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    dpop_signing_alg_values_supported: Vec<&'static str>,
    /// Whether tokens have to be bound to a key.
    dpop_bound_access_tokens_required: bool,
    /// Whether it takes tokens that are bound to a client certificate (RFC 8705); absent where it does not, or where it is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    tls_client_certificate_bound_access_tokens: bool,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    resource_name: Option<&'a str>,
    /// The types of authorization details that it knows (RFC 9396).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    authorization_details_types_supported: Vec<&'a str>,
}

/// The enabled API that a hosted address describes.
async fn at(host: &HostCx, path: &str) -> Result<Option<Arc<Api>>> {
    let path = trimmed(path);
    let find = &host.app.services.apis;
    let by_host = [format!("https://{path}"), format!("https://{path}/"), format!("http://{path}")];
    let on_our_host = format!("{}/{path}", host.tenant.issuer);
    for identifier in by_host.iter().chain([&on_our_host]) {
        if let Some(api) = find.find(&host.tenant, identifier).await? {
            return Ok(Some(api));
        }
    }
    find.at_path(&host.tenant, path).await
}

fn trimmed(path: &str) -> &str {
    path.trim_matches('/')
}
