//! Discovery (OpenID Connect Discovery §4, RFC 8414) and the key set: what this deployment really offers.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_core::Result;
use svc_domain::apps::AuthMethod;
use svc_domain::profile::CLAIMS_OF_SCOPES;
use svc_domain::tenants::Tenant;
use svc_http::{App, HostCx, IntoResponse, Problem, Response, Route, Routes, StaticDocument};
use svc_keys::jose::KeyRing;

use crate::origins;
use crate::pages::Pages;
use crate::token::grants::GRANTS;
use crate::token::STANDARD_SCOPES;

/// The routes of the published documents.
pub fn routes() -> Routes {
    let why = "published metadata";
    Routes::new([
        Route::get("/.well-known/openid-configuration").public(why, metadata).cors(origins::registered()).summary("OpenID provider metadata"),
        Route::get("/.well-known/oauth-authorization-server").public(why, metadata).cors(origins::registered()).summary("Authorization server metadata"),
        Route::get("/.well-known/oauth-protected-resource").public(why, protected_resource).cors(origins::registered()).summary("Metadata of our own APIs"),
        Route::get("/.well-known/jwks.json").public(why, jwks).cors(origins::registered()).summary("Keys that verify our tokens"),
    ])
}

async fn metadata(host: HostCx) -> Result<Response, Problem> {
    let ring = host.app.services.keys.ring();
    let document = document(&host.app, &host.tenant, &ring)?;
    Ok(StaticDocument::json(document.to_string(), 300).into_response())
}

async fn protected_resource(host: HostCx) -> Response {
    let issuer = &host.tenant.issuer;
    let document = json!({
        "resource": host.tenant.api_audience(),
        "authorization_servers": [issuer],
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "bearer_methods_supported": ["header"],
        "resource_signing_alg_values_supported": [],
    });
    StaticDocument::json(document.to_string(), 300).into_response()
}

async fn jwks(host: HostCx) -> Response {
    let ring: Arc<KeyRing> = host.app.services.keys.ring();
    StaticDocument::json(ring.jwks().to_owned(), 300).into_response()
}

fn document(app: &App, tenant: &Tenant, ring: &KeyRing) -> Result<Value> {
    let issuer = &tenant.issuer;
    let at = |path: &str| format!("{issuer}{path}");
    let methods = [AuthMethod::None, AuthMethod::ClientSecretBasic, AuthMethod::ClientSecretPost].map(AuthMethod::name);
    let confidential = [AuthMethod::ClientSecretBasic, AuthMethod::ClientSecretPost].map(AuthMethod::name);
    let algorithms: Vec<_> = ring.algorithms().map(svc_keys::Algorithm::name).collect();
    let mut claims = vec!["iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "at_hash", "sid", "nonce"];
    claims.extend(CLAIMS_OF_SCOPES.iter().flat_map(|(_, names)| names.iter().copied()));
    Ok(json!({
        "issuer": issuer,
        "authorization_endpoint": at("/oauth/authorize"),
        "token_endpoint": at("/oauth/token"),
        "jwks_uri": at("/.well-known/jwks.json"),
        "userinfo_endpoint": at("/userinfo"),
        "revocation_endpoint": at("/oauth/revoke"),
        "introspection_endpoint": at("/oauth/introspect"),
        "end_session_endpoint": at("/oauth/end-session"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "form_post"],
        "grant_types_supported": GRANTS.iter().map(|grant| grant.name).collect::<Vec<_>>(),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": algorithms,
        "userinfo_signing_alg_values_supported": algorithms,
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "introspection_endpoint_auth_methods_supported": confidential,
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": STANDARD_SCOPES,
        "claims_supported": claims,
        "claim_types_supported": ["normal"],
        "prompt_values_supported": ["none", "login", "consent", "select_account", "create"],
        "acr_values_supported": ["urn:svc:aal1"],
        "ui_locales_supported": app.part::<Pages>()?.locales(),
        "authorization_response_iss_parameter_supported": true,
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
    }))
}
