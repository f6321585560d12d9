//! Discovery (OpenID Connect Discovery §4, RFC 8414) and the key set: what this deployment really offers.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{Result, STANDARD_SCOPES};
use svc_domain::apps::AuthMethod;
use svc_domain::claims::assurance::Level;
use svc_domain::claims::profile::CLAIMS_OF_SCOPES;
use svc_http::{HostCx, Problem, Route, Routes, Source, StaticDocument};
use svc_keys::jose::KeyRing;

use super::members::{JsonWebKeySet, ServerMetadata};
use super::mtls;
use crate::authorize::{Prompt, PromptValue, ResponseMode, details, par};
use crate::elsewhere::{ciba, device};
use crate::pages::Pages;
use crate::register;
use crate::register::origins;
use crate::signin::{methods, offers};
use crate::token::{grants, id_jag};

/// The routes of the published documents.
pub fn routes() -> Routes {
    let why = "published metadata";
    Routes::new([
        Route::get("/.well-known/openid-configuration")
            .public(why, metadata)
            .cors(origins::public())
            .summary("OpenID provider metadata")
            .returns::<ServerMetadata>(200),
        Route::get("/.well-known/oauth-authorization-server")
            .public(why, metadata)
            .cors(origins::public())
            .summary("Authorization server metadata")
            .returns::<ServerMetadata>(200),
        Route::get("/.well-known/jwks.json")
            .public(why, jwks)
            .cors(origins::public())
            .summary("Keys that verify our tokens")
            .returns::<JsonWebKeySet>(200),
    ])
}

/// The provider's metadata.
pub async fn metadata(host: HostCx) -> Result<StaticDocument, Problem> {
    let ring = host.app.services.keys.ring(host.tenant.id);
    let types = host.app.services.apis.details_types(&host.tenant).await?;
    let sources = [Arc::clone(&ring) as Source, Arc::clone(&types) as Source];
    Ok(host.document("authorization server", &sources, || {
        let mut document = document(&host, &ring)?;
        register::publish(&host, &mut document);
        device::publish(&host, &mut document);
        ciba::publish(&host, &mut document);
        details::publish(&types, &mut document);
        if host.app.config.oidc.publish_draft_metadata {
            id_jag::publish(&mut document);
        }
        narrow(&host, &mut document);
        mtls::publish(&host, &mut document);
        Ok(document.to_string())
    })?)
}

/// Leaves out what the tenant does not have; a flag that is false when absent need not say so.
fn narrow(host: &HostCx, document: &mut Value) {
    let Some(members) = document.as_object_mut() else { return };
    for capability in Capability::ALL.iter().filter(|capability| !host.offers(capability)) {
        for name in capability.metadata {
            match members.get_mut(*name) {
                Some(flag @ Value::Bool(_)) => *flag = json!(false),
                _ => drop(members.remove(*name)),
            }
        }
    }
}

async fn jwks(host: HostCx) -> StaticDocument {
    StaticDocument::json(host.app.services.keys.jwks(host.tenant.id.reference()))
}

/// How confidential applications may authenticate here.
fn confidential_methods(host: &HostCx) -> impl Iterator<Item = AuthMethod> {
    let of_certificates = [AuthMethod::TlsClientAuth, AuthMethod::SelfSignedTlsClientAuth];
    let of_certificates = of_certificates.into_iter().filter(|_| host.offers(&Capability::MTLS));
    [AuthMethod::ClientSecretBasic, AuthMethod::ClientSecretPost, AuthMethod::PrivateKeyJwt]
        .into_iter()
        .chain(of_certificates)
}

fn document(host: &HostCx, ring: &KeyRing) -> Result<Value> {
    let (app, issuer) = (&host.app, &host.tenant.issuer);
    let at = |path: &str| format!("{issuer}{path}");
    let confidential: Vec<_> = confidential_methods(host).map(AuthMethod::name).collect();
    let methods: Vec<_> = [AuthMethod::None.name()].into_iter().chain(confidential.iter().copied()).collect();
    // What applications may sign with; a stricter profile takes fewer.
    let incoming = svc_keys::Algorithm::NAMES_TAKEN;
    let algorithms: Vec<_> = ring.algorithms().map(svc_keys::Algorithm::name).collect();
    let best = methods::strongest(host);
    let acr_values: Vec<_> =
        Level::ALL.iter().filter(|level| Some(**level) <= best).map(|level| level.acr()).collect();
    let has_form = offers::sign_up(host);
    let prompts = Prompt::names().filter(|(_, value)| has_form || *value != PromptValue::Create);
    let prompts: Vec<_> = prompts.map(|(name, _)| name).collect();
    let mut claims =
        vec!["iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "at_hash", "sid", "nonce"];
    claims.extend(host.offers(&Capability::ORGANIZATIONS).then_some("org"));
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
        "backchannel_logout_supported": true,
        "backchannel_logout_session_supported": true,
        "response_types_supported": ["code"],
        "response_modes_supported": ResponseMode::offered(host),
        "grant_types_supported": grants::offered(host).map(|grant| grant.facts.name).collect::<Vec<_>>(),
        "subject_types_supported": ["public", "pairwise"],
        "id_token_signing_alg_values_supported": algorithms,
        "userinfo_signing_alg_values_supported": algorithms,
        "authorization_signing_alg_values_supported": algorithms,
        "introspection_signing_alg_values_supported": algorithms,
        "pushed_authorization_request_endpoint": at(par::PATH),
        "require_pushed_authorization_requests": false,
        "request_object_signing_alg_values_supported": incoming,
        "require_signed_request_object": false,
        "token_endpoint_auth_methods_supported": methods,
        "token_endpoint_auth_signing_alg_values_supported": incoming,
        "revocation_endpoint_auth_signing_alg_values_supported": incoming,
        "introspection_endpoint_auth_signing_alg_values_supported": incoming,
        "revocation_endpoint_auth_methods_supported": methods,
        "introspection_endpoint_auth_methods_supported": confidential,
        "code_challenge_methods_supported": ["S256"],
        "dpop_signing_alg_values_supported": svc_http::dpop::ALGORITHM_NAMES,
        "tls_client_certificate_bound_access_tokens": true,
        "scopes_supported": STANDARD_SCOPES,
        "claims_supported": claims,
        "claim_types_supported": ["normal"],
        "prompt_values_supported": prompts,
        "acr_values_supported": acr_values,
        "ui_locales_supported": app.part::<Pages>()?.locales(),
        "authorization_response_iss_parameter_supported": true,
        "claims_parameter_supported": true,
        "request_parameter_supported": true,
        "request_uri_parameter_supported": false,
    }))
}
