//! Cross-origin calls (Fetch standard §3.2): none, unless a route says whose; never where a cookie is read.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, VARY,
};
use axum::http::{HeaderMap, HeaderValue};

use crate::app::App;
use crate::context::HostCx;

/// Whose browser applications may call a route.
#[derive(Clone)]
pub struct Cors(Whose);

#[derive(Clone)]
enum Whose {
    /// Those of any origin.
    Anyone,
    /// The service's own, whose origins the configuration names.
    Own,
    /// Those that a question about the tenant admits, asked for each origin.
    Asked(Arc<Question>),
}

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
        Self(Whose::Asked(Arc::new(move |host, origin| Box::pin(question(host, origin)))))
    }

    /// For documents that are public anyway.
    pub fn anyone() -> Self {
        Self(Whose::Anyone)
    }

    /// For the service's own applications, whose origins the configuration names.
    pub(crate) fn own_applications() -> Self {
        Self(Whose::Own)
    }

    /// The answer to an origin that is the same at every host; none where the tenant has a say.
    pub(crate) fn at_any_host(&self, app: &App, origin: &HeaderValue) -> Option<Admission> {
        match self.0 {
            Whose::Anyone => Some(Admission::Anyone),
            Whose::Own => {
                let server = &app.config.server;
                let own = [&server.identity_app_origin, &server.dashboard_app_origin];
                let is_own = own.into_iter().flatten().any(|own| own.as_str() == origin);
                Some(if is_own { Admission::Listed } else { Admission::Refused })
            }
            Whose::Asked(_) => None,
        }
    }

    /// The answer at the host of a tenant.
    pub(crate) async fn at(&self, host: HostCx, origin: &HeaderValue) -> Admission {
        match (&self.0, origin.to_str()) {
            (Whose::Asked(question), Ok(text)) => question(host, text.to_owned()).await,
            (Whose::Asked(_), Err(_)) => Admission::Refused,
            _ => self.at_any_host(&host.app, origin).unwrap_or(Admission::Refused),
        }
    }
}

impl Admission {
    /// What is said of the origin, if it may call.
    pub(crate) fn of(self, origin: &HeaderValue) -> Option<Admitted> {
        match self {
            Self::Anyone => Some(Admitted { origin: HeaderValue::from_static("*"), with_credentials: false }),
            // Sandboxed documents of any site share the origin `null`.
            Self::Listed if origin != "null" => {
                Some(Admitted { origin: origin.clone(), with_credentials: true })
            }
            Self::Listed | Self::Refused => None,
        }
    }
}

/// Whether it was said of an answer who may read it.
pub(crate) fn is_said(headers: &HeaderMap) -> bool {
    headers.get_all(VARY).iter().any(|varies| varies == "origin")
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
                 idempotency-replayed, x-fapi-interaction-id",
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
                "authorization, content-type, dpop, idempotency-key, if-match, mcp-protocol-version, traceparent, \
                 tracestate, x-fapi-interaction-id, x-request-id",
            ),
        );
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    allow(headers, admitted);
    headers.remove(ACCESS_CONTROL_EXPOSE_HEADERS);
}
