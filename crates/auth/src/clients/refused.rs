//! The one answer to whatever is wrong with a client's authentication (RFC 6749 §5.2).

use svc_core::Error;

/// Tells nothing of what was wrong.
#[track_caller]
pub(super) fn refused() -> Error {
    Error::invalid_client("the client is unknown, or did not authenticate with its registered method")
}

/// One fault, for log and audit.
#[track_caller]
pub(super) fn wrong(cause: impl Into<String>) -> Error {
    Error::invalid_client(cause.into())
}
