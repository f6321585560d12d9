//! What one request, or one call to another server, was: the attributes of OpenTelemetry's conventions for HTTP, and no others.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use svc_core::Timestamp;

use super::context::TraceContext;
use super::message::{CLIENT, FAILED, KeyValue, SERVER, Span, Status};
use crate::arrival::Arrival;

tokio::task_local! {
    static CURRENT: Option<TraceContext>;
}

/// Work that has begun.
#[derive(Debug)]
pub struct Entered {
    pub(super) context: TraceContext,
    pub(super) parent: Option<TraceContext>,
    pub(super) started: Timestamp,
}

/// A request that was answered.
pub(crate) struct Served {
    pub method: &'static str,
    /// The pattern of its path, if a route took it.
    pub route: Option<&'static str>,
    pub is_secure: bool,
    pub status: u16,
    pub took: Duration,
}

/// A request to another server.
pub(crate) struct Called {
    pub method: Method,
    pub host: String,
    /// Nothing where no answer came.
    pub status: Option<u16>,
    pub took: Duration,
}

/// What is known of work of either kind when it has ended.
struct Ended {
    kind: i32,
    name: String,
    attributes: Vec<KeyValue>,
    failure: Option<String>,
    took: Duration,
}

/// Does work within a span, so that calls which it makes belong there.
pub(crate) fn within<F: Future>(context: Option<TraceContext>, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(context, work)
}

/// The span that the present work belongs to.
pub(super) fn current() -> Option<TraceContext> {
    CURRENT.try_with(|current| *current).ok().flatten()
}

impl Served {
    /// What the edge knows in the end.
    pub fn of(arrival: &Arrival, status: StatusCode, took: Duration) -> Self {
        let method = arrival.matched.get().map_or("_OTHER", |matched| matched.method());
        Self { method, route: arrival.route(), is_secure: arrival.is_secure, status: status.as_u16(), took }
    }

    /// Probes come every few seconds, and tell nothing.
    pub(super) fn is_probe(&self) -> bool {
        self.route.is_some_and(|route| route.starts_with("/health/") || route == "/metrics")
    }

    pub(super) fn span(&self, entered: &Entered) -> Span {
        let scheme = if self.is_secure { "https" } else { "http" };
        let mut attributes = vec![
            KeyValue::text("http.request.method", self.method),
            KeyValue::number("http.response.status_code", self.status),
            KeyValue::text("url.scheme", scheme),
        ];
        attributes.extend(self.route.map(|route| KeyValue::text("http.route", route)));
        let name =
            self.route.map_or_else(|| self.method.to_owned(), |route| format!("{} {route}", self.method));
        // What a client did wrong is no failure of ours.
        let failure = (self.status >= 500).then(|| self.status.to_string());
        entered.span(Ended { kind: SERVER, name, attributes, failure, took: self.took })
    }
}

impl Called {
    pub(super) fn span(&self, entered: &Entered) -> Span {
        let mut attributes = vec![
            KeyValue::text("http.request.method", self.method.as_str()),
            KeyValue::text("server.address", self.host.as_str()),
        ];
        attributes.extend(self.status.map(|status| KeyValue::number("http.response.status_code", status)));
        let failure = match self.status {
            None => Some("no_answer".to_owned()),
            Some(status) => (status >= 400).then(|| status.to_string()),
        };
        let name = self.method.to_string();
        entered.span(Ended { kind: CLIENT, name, attributes, failure, took: self.took })
    }
}

impl Entered {
    fn span(&self, ended: Ended) -> Span {
        let Ended { kind, name, mut attributes, failure, took } = ended;
        let start = nanos(self.started);
        let status = failure.is_some().then_some(Status { code: FAILED });
        attributes.extend(failure.map(|failure| KeyValue::text("error.type", failure)));
        Span {
            trace_id: self.context.trace_id.to_vec(),
            span_id: self.context.span_id.to_vec(),
            parent_span_id: self.parent.map(|parent| parent.span_id.to_vec()).unwrap_or_default(),
            name,
            kind,
            start_time_unix_nano: start,
            end_time_unix_nano: start.saturating_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)),
            attributes,
            status,
        }
    }
}

/// Nanoseconds since 1970.
pub(super) fn nanos(time: Timestamp) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or_default().saturating_mul(1000)
}
