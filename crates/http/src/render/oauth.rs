//! Errors of the OAuth endpoints (RFC 6749 §5.2): the same document, with their own challenge and cache rules.

use axum::response::{IntoResponse, Response};
use svc_core::Error;

use super::{Surface, pending};

/// An error of an OAuth endpoint; `invalid_client` carries the challenge for HTTP Basic.
#[derive(Debug)]
pub struct OauthError(pub Error);

impl From<Error> for OauthError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        pending(self.0, Surface::Oauth)
    }
}
