//! Metadata of the transmitter of shared signals (OpenID SSF 1.0 §7).

use serde_json::json;
use svc_core::Error;
use svc_domain::delivery::signals::{POLL, PUSH, STATUS_PATH, STREAMS_PATH, VERIFICATION_PATH};
use svc_http::{HostCx, IntoResponse, Path, Problem, Response, Route, Routes, StaticDocument};

use super::resource;
use crate::register::origins;

/// The routes of the published document.
pub fn routes() -> Routes {
    let why = "published metadata";
    Routes::new([
        Route::get("/.well-known/ssf-configuration")
            .public(why, metadata)
            .cors(origins::public())
            .summary("Metadata of the transmitter of shared signals"),
        Route::get("/.well-known/ssf-configuration/{*path}")
            .public(why, inserted)
            .cors(origins::public())
            .summary("Metadata of the transmitter of shared signals, for an issuer with a path"),
    ])
}

async fn metadata(host: HostCx) -> Response {
    let issuer = &host.tenant.issuer;
    let at = |path: &str| format!("{issuer}{path}");
    let document = json!({
        "spec_version": "1_0",
        "issuer": issuer,
        "jwks_uri": at("/.well-known/jwks.json"),
        "delivery_methods_supported": [PUSH, POLL],
        "configuration_endpoint": at(STREAMS_PATH),
        "status_endpoint": at(STATUS_PATH),
        "verification_endpoint": at(VERIFICATION_PATH),
        "authorization_schemes": [{ "spec_urn": "urn:ietf:rfc:6749" }],
        "default_subjects": "ALL",
    });
    StaticDocument::json(document.to_string(), 300).into_response()
}

/// SSF §7.2.1.
async fn inserted(host: HostCx, Path(path): Path<String>) -> Result<Response, Problem> {
    if resource::is_issuers(&host, &path) {
        return Ok(metadata(host).await);
    }
    Err(Error::not_found("nothing is at this address").into())
}
