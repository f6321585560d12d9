//! Reading a request body within its route's bound.

use axum::body::Body;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError};
use svc_core::{Error, Result};

/// Marks a request whose body is larger than its route takes, and was left unread: its endpoint refuses it by a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlong;

/// The whole body; the bound was put around it when the route was matched.
pub(crate) async fn read(body: Body) -> Result<Bytes> {
    match body.collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if is_too_large(&error) => Err(too_large()),
        Err(error) => Err(Error::bad_request("the request body could not be read").caused_by(error)),
    }
}

/// The refusal of a body above its bound.
pub(crate) fn too_large() -> Error {
    Error::payload_too_large("the request body is larger than this endpoint takes")
}

fn is_too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_too_large)
}
