//! Introspection answers as signed JWTs (RFC 9701), which an API can keep as evidence.

use serde::Serialize;
use serde_json::json;
use svc_core::{OrInternal as _, Result};
use svc_domain::apps::App;
use svc_http::{HeaderMap, HostCx, IntoResponse as _, Response, header};
use svc_keys::{Signer as _, Typ};

/// What asks for a signed answer, and what it is (RFC 9701 §4, §5).
pub(super) const MEDIA_TYPE: &str = "application/token-introspection+jwt";

/// Whether the request names the media type in `Accept`, and would not rather have JSON (RFC 9110 §12.4.2).
pub(super) fn is_asked_for(headers: &HeaderMap) -> bool {
    let weight = weight_of(headers, MEDIA_TYPE);
    weight > 0.0 && weight >= weight_of(headers, "application/json")
}

/// How much a media type is wanted that is named; not at all where it is not.
fn weight_of(headers: &HeaderMap, media_type: &str) -> f32 {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let weights = accepted.flat_map(|value| value.split(',')).filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(media_type));
        is_named.then(|| parts.find_map(weight).unwrap_or(1.0))
    });
    weights.fold(0.0, f32::max)
}

/// The weight that a parameter of a media range gives it.
fn weight(parameter: &str) -> Option<f32> {
    let (_, weight) =
        parameter.split_once('=').filter(|(name, _)| name.trim_end().eq_ignore_ascii_case("q"))?;
    weight.trim().parse().ok()
}

/// The state of a token, signed for the application that asked.
pub(super) async fn signed(host: &HostCx, app: &App, state: impl Serialize + Send) -> Result<Response> {
    let claims = json!({
        "iss": host.tenant.issuer,
        "aud": app.client_id(),
        "iat": host.cx.now.as_secs(),
        "token_introspection": state,
    });
    let payload = serde_json::to_vec(&claims).or_internal()?;
    let algorithm = app.configuration.introspection_algorithm();
    let keys = &host.app.services.keys;
    keys.publish(host.tenant.id.reference(), algorithm);
    let token = keys.ring(host.tenant.id).sign(algorithm, Typ::Introspection, &payload).await?;
    let headers = [(header::CONTENT_TYPE, MEDIA_TYPE), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, token).into_response())
}
