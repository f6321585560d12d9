//! Cross-origin calls (Fetch standard §3.2): none, unless a route says whose; never with cookies, never on pages.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue};

use crate::context::HostCx;

/// Whose browser applications may call a route: a question asked for each origin.
#[derive(Clone)]
pub struct Cors(Arc<Question>);

type Question = dyn Fn(HostCx, String) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync;

impl Cors {
    /// Asks `is_registered` about the tenant and the serialized origin, for example `https://app.example.com`.
    pub fn registered<F, A>(is_registered: F) -> Self
    where
        F: Fn(HostCx, String) -> A + Send + Sync + 'static,
        A: Future<Output = bool> + Send + 'static,
    {
        Self(Arc::new(move |host, origin| Box::pin(is_registered(host, origin))))
    }

    /// The request's origin, if it may call.
    pub(crate) async fn admits(&self, host: &HostCx, headers: &HeaderMap) -> Option<HeaderValue> {
        let value = headers.get(ORIGIN)?;
        let origin = value.to_str().ok()?;
        // Sandboxed documents of anybody share this one.
        if origin == "null" {
            return None;
        }
        (self.0)(host.clone(), origin.to_owned()).await.then(|| value.clone())
    }
}

/// Marks a response as readable by `origin`; any answer depends on the origin.
pub(crate) fn allow(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("www-authenticate, dpop-nonce, retry-after, x-request-id"),
        );
    }
}

/// Answers a browser's question before the call.
pub(crate) fn preflight(headers: &mut HeaderMap, origin: Option<HeaderValue>, methods: &HeaderValue) {
    if origin.is_some() {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods.clone());
        headers.insert(
            ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("authorization, content-type, dpop"),
        );
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    allow(headers, origin);
    headers.remove(ACCESS_CONTROL_EXPOSE_HEADERS);
}
