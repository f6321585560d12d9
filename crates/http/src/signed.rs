//! The headers of a request that is signed by the suite `svc-webhook-v1`: deliveries of webhooks, and calls of hooks.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use svc_core::{OrInternal as _, Result, Secret};
use svc_keys::webhook::{SUITE, Signed};

/// The headers of a JSON body that is signed with each of the secrets.
pub fn signed_headers(signed: &Signed<'_>, secrets: &[Secret]) -> Result<HeaderMap> {
    let mut headers =
        HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    for (name, value) in [
        ("x-svc-signature-suite", SUITE.to_owned()),
        ("x-svc-signature-256", signed.signatures(secrets.iter().map(Secret::expose))),
        ("x-svc-signature-max-age", signed.max_age.to_string()),
        ("x-svc-timestamp", signed.timestamp.to_string()),
        ("x-svc-event", signed.event.to_owned()),
        ("x-svc-delivery", signed.delivery.to_owned()),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::try_from(value).or_internal()?);
    }
    Ok(headers)
}
