//! The headers of a request that is signed by the suite `svc-webhook-v1`: deliveries of webhooks, and calls of hooks.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use svc_core::{OrInternal as _, Result, Secret};
use svc_keys::webhook::Signed;

/// The headers of a JSON body that is signed with each of the secrets.
pub fn signed_headers(signed: &Signed<'_>, secrets: &[Secret]) -> Result<HeaderMap> {
    let signatures = signed.signatures(secrets.iter().map(Secret::expose));
    let header = |(name, value): (&'static str, String)| {
        Ok((HeaderName::from_static(name), HeaderValue::try_from(value).or_internal()?))
    };
    signed.headers(signatures).into_iter().map(header).collect()
}
