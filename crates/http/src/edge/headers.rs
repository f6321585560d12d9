//! Headers that every response carries unless its handler chose better ones (OWASP ASVS V3, RFC 6797).

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// What a response must not contradict, wherever it was made.
const ALWAYS: [(HeaderName, HeaderValue); 3] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// What a handler may replace: pages bring their own policy, static documents their own lifetime.
const BY_DEFAULT: [(HeaderName, HeaderValue); 2] = [
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    ),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

const TWO_YEARS: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// Adds the headers to a response that is about to leave.
pub(super) fn secure(headers: &mut HeaderMap, is_secure: bool) {
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    for (name, value) in BY_DEFAULT {
        headers.entry(name).or_insert(value);
    }
    if is_secure {
        headers.insert(STRICT_TRANSPORT_SECURITY, TWO_YEARS);
    }
}
