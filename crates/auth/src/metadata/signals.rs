//! Metadata of the transmitter of shared signals (OpenID SSF 1.0 §7).

use serde::Serialize;
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::delivery::signals::{POLL, PUSH, STATUS_PATH, STREAMS_PATH, VERIFICATION_PATH};
use svc_http::{HostCx, Path, Problem, Route, Routes, StaticDocument};
use utoipa::ToSchema;

use super::resource;
use crate::register::origins;

/// The routes of the published document.
pub fn routes() -> Routes {
    let why = "published metadata";
    Routes::new([
        Route::get("/.well-known/ssf-configuration")
            .public(why, metadata)
            .cors(origins::public())
            .summary("Metadata of the transmitter of shared signals")
            .returns::<Transmitter>(200),
        Route::get("/.well-known/ssf-configuration/{*path}")
            .public(why, inserted)
            .cors(origins::public())
            .summary("Metadata of the transmitter of shared signals, for an issuer with a path"),
    ])
}

async fn metadata(host: HostCx) -> Result<StaticDocument, Problem> {
    Ok(host.document("transmitter", &[], || document(&host.tenant.issuer))?)
}

fn document(issuer: &str) -> Result<String> {
    let at = |path: &str| format!("{issuer}{path}");
    let document = Transmitter {
        spec_version: "1_0",
        issuer,
        jwks_uri: at("/.well-known/jwks.json"),
        delivery_methods_supported: [PUSH, POLL],
        configuration_endpoint: at(STREAMS_PATH),
        status_endpoint: at(STATUS_PATH),
        verification_endpoint: at(VERIFICATION_PATH),
        authorization_schemes: [AuthorizationScheme { spec_urn: "urn:ietf:rfc:6749" }],
        default_subjects: "ALL",
    };
    serde_json::to_string(&document).or_internal()
}

/// The metadata of the transmitter of shared signals (OpenID SSF 1.0 §7.1).
#[derive(Serialize, ToSchema)]
#[schema(as = TransmitterMetadata)]
struct Transmitter<'a> {
    /// The version of the specification.
    spec_version: &'static str,
    /// The tenant's issuer.
    issuer: &'a str,
    /// The keys that verify signals.
    jwks_uri: String,
    /// Push and poll (RFC 8935, RFC 8936).
    delivery_methods_supported: [&'static str; 2],
    /// Where streams are made, changed and deleted.
    configuration_endpoint: String,
    /// Where streams are paused.
    status_endpoint: String,
    /// Where a verification event is asked for.
    verification_endpoint: String,
    /// The ways to authorize calls of the endpoints.
    authorization_schemes: [AuthorizationScheme; 1],
    /// The subjects of a new stream.
    default_subjects: &'static str,
}

/// A way to authorize calls.
#[derive(Serialize, ToSchema)]
struct AuthorizationScheme {
    /// The specification.
    spec_urn: &'static str,
}

/// SSF §7.2.1.
async fn inserted(host: HostCx, Path(path): Path<String>) -> Result<StaticDocument, Problem> {
    if resource::is_issuers(&host, &path) {
        return metadata(host).await;
    }
    Err(Error::not_found("nothing is at this address").into())
}
