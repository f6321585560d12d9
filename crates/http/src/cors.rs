//! Cross-origin calls (Fetch standard §3.2): none, unless a route says whose; never where a cookie is read.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue};

use crate::context::HostCx;

/// Whose browser applications may call a route: a question asked for each origin.
#[derive(Clone)]
pub struct Cors(Arc<Question>);

/// Whether scripts of an origin may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// They may not.
    Refused,
    /// They may, as those of an origin that is listed.
    Listed,
    /// They may, as those of any origin, without credentials of the browser.
    Anyone,
}

/// The answer as headers have it.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    origin: HeaderValue,
    with_credentials: bool,
}

type Question = dyn Fn(HostCx, String) -> Pin<Box<dyn Future<Output = Admission> + Send>> + Send + Sync;

impl Cors {
    /// Asks about the tenant and the serialized origin, for example `https://app.example.com`.
    pub fn asking<F, A>(question: F) -> Self
    where
        F: Fn(HostCx, String) -> A + Send + Sync + 'static,
        A: Future<Output = Admission> + Send + 'static,
    {
        Self(Arc::new(move |host, origin| Box::pin(question(host, origin))))
    }

    /// For documents that are public anyway.
    pub fn anyone() -> Self {
        Self::asking(|_, _| async { Admission::Anyone })
    }

    /// For the service's own applications, whose origins the configuration names.
    pub(crate) fn own_applications() -> Self {
        Self::asking(|host, origin| async move {
            let server = &host.app.config.server;
            let own = [&server.identity_app_origin, &server.dashboard_app_origin];
            let is_own = own.into_iter().flatten().any(|own| own.as_str() == origin);
            if is_own { Admission::Listed } else { Admission::Refused }
        })
    }

    /// What is said of the request's origin, if it may call.
    pub(crate) async fn admits(&self, host: &HostCx, headers: &HeaderMap) -> Option<Admitted> {
        let value = headers.get(ORIGIN)?;
        let admission = (self.0)(host.clone(), value.to_str().ok()?.to_owned()).await;
        match admission {
            Admission::Anyone => {
                Some(Admitted { origin: HeaderValue::from_static("*"), with_credentials: false })
            }
            // Sandboxed documents of any site share the origin `null`.
            Admission::Listed if value != "null" => {
                Some(Admitted { origin: value.clone(), with_credentials: true })
            }
            Admission::Listed | Admission::Refused => None,
        }
    }
}

/// Marks a response as readable by whom `admitted` says; any answer depends on the origin.
pub(crate) fn allow(headers: &mut HeaderMap, admitted: Option<Admitted>) {
    headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(Admitted { origin, with_credentials }) = admitted {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if with_credentials {
            headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        }
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(
                "www-authenticate, dpop-nonce, retry-after, ratelimit, ratelimit-policy, x-request-id, etag, location, \
                 idempotency-replayed",
            ),
        );
    }
}

/// Answers a browser's question before the call.
pub(crate) fn preflight(headers: &mut HeaderMap, admitted: Option<Admitted>, methods: &HeaderValue) {
    if admitted.is_some() {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods.clone());
        headers.insert(
            ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(
                "authorization, content-type, dpop, idempotency-key, if-match, mcp-protocol-version",
            ),
        );
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    allow(headers, admitted);
    headers.remove(ACCESS_CONTROL_EXPOSE_HEADERS);
}
