//! What an answer of an application means, whatever was asked (RFC 7644 §3.12).

use svc_core::{Error, Result};
use svc_domain::delivery::scim_targets::PushOutcome;
use svc_http::{App, Fetched, ScimApplication, StatusCode};

/// An answer that leaves something to decide; any other is the outcome of the look.
pub(super) enum Said {
    /// It was done.
    Done(Fetched),
    /// There is nothing of this id.
    Absent(String),
    /// Another resource has what must be unique.
    Conflict(String),
}

pub(super) fn read(
    app: &App,
    application: &ScimApplication,
    answer: Result<Fetched>,
) -> std::result::Result<Said, PushOutcome> {
    let answer = answer.map_err(|error| unanswered(&error))?;
    let why = application.fault(&answer);
    let later = |is_down| {
        let retry_after = answer.retry_after(app.clock.now());
        Err(PushOutcome::Later { why: why.clone(), retry_after, is_down })
    };
    match answer.status {
        status if status.is_success() => Ok(Said::Done(answer)),
        StatusCode::UNAUTHORIZED => Err(PushOutcome::Stopped("unauthorized")),
        StatusCode::FORBIDDEN => Err(PushOutcome::Stopped("forbidden")),
        StatusCode::NOT_FOUND | StatusCode::GONE => Ok(Said::Absent(why)),
        StatusCode::CONFLICT => Ok(Said::Conflict(why)),
        StatusCode::REQUEST_TIMEOUT
        | StatusCode::TOO_EARLY
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE => later(true),
        status if status.is_client_error() => Err(PushOutcome::Refused(why)),
        // Redirects are not followed, and lead elsewhere than an administrator has chosen.
        _ => later(false),
    }
}

/// There was no answer in time, or none may be asked for.
fn unanswered(error: &Error) -> PushOutcome {
    tracing::warn!(error = ?error, "no answer of an application");
    silent(error.detail())
}

pub(super) fn silent(why: &str) -> PushOutcome {
    PushOutcome::Later { why: why.to_owned(), retry_after: None, is_down: true }
}

/// What stands in the way is no fault of what is pushed, such as an endpoint that is not there: it is tried again.
pub(super) fn in_the_way(why: String) -> PushOutcome {
    PushOutcome::Later { why, retry_after: None, is_down: false }
}
