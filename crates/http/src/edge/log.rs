//! One log line for each request, with what a person needs to find its cause; never a query, which may hold a code or a token.

use std::error::Error as _;
use std::time::Duration;

use axum::http::Response;
use svc_core::Error;

use crate::arrival::Arrival;

/// The target of these lines, for filters.
pub const REQUESTS: &str = "svc::request";

/// Why a request was refused, for its log line; it travels in the response's extensions.
#[derive(Clone, Debug)]
pub struct Refusal(String);

impl Refusal {
    /// Class, public detail and private causes of an error.
    pub fn of(error: &Error) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(deeper) = cause {
            text.push_str(": ");
            text.push_str(&deeper.to_string());
            cause = deeper.source();
        }
        Self(text)
    }

    /// An error that an application receives by redirect.
    pub fn redirected(code: &str, description: &str) -> Self {
        Self(format!("{code}: {description}"))
    }
}

/// What the edge knows of a finished request.
pub(super) struct Finished<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub arrival: &'a Arrival,
    pub took: Duration,
    /// The trace that it belongs to.
    pub trace: Option<&'a str>,
}

/// Writes the line: refusals at `info`, and at `debug` what is answered, what ordinary protocol runs consist of, and what
/// strangers can provoke without end.
pub(super) fn line<B>(finished: &Finished<'_>, response: &mut Response<B>) {
    let status = response.status().as_u16();
    let refusal = response.extensions_mut().remove::<Refusal>();
    let error = refusal.as_ref().map_or("", |Refusal(text)| text.as_str());
    let Finished { method, path, arrival, took, trace } = finished;
    let trace_id = *trace;
    // Made only for a line that is written.
    let client = || arrival.ip.map(|ip| ip.to_string()).unwrap_or_default();
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                target: REQUESTS, method, path, status, client = client(), error, request_id = arrival.request_id, trace_id, millis, "request"
            )
        };
    }
    if is_remarkable(status, error) { line!(info) } else { line!(debug) }
}

fn is_remarkable(status: u16, error: &str) -> bool {
    let is_ordinary =
        ["authorization_pending", "slow_down", "use_dpop_nonce"].iter().any(|code| error.starts_with(code));
    // Failures on our side have a line of their own at `error`.
    !error.is_empty() && !is_ordinary && !matches!(status, 404 | 405 | 429 | 500..)
}
