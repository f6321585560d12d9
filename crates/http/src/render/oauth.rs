//! Errors of the OAuth endpoints (RFC 6749 §5.2): the same document, with their own challenge and cache rules.

use axum::response::{IntoResponse, Response};
use serde::Serialize;
use svc_core::Error;

use super::{Surface, pending, printable};

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

/// An error of the backchannel authentication endpoint (OpenID CIBA §13): its members and no others.
#[derive(Debug)]
pub struct BackchannelError(pub Error);

impl From<Error> for BackchannelError {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for BackchannelError {
    fn into_response(self) -> Response {
        pending(self.0, Surface::Backchannel)
    }
}

#[derive(Serialize)]
struct Document<'a> {
    error: &'a str,
    error_description: String,
    error_uri: String,
}

/// The standard's members alone.
pub(super) fn document(error: &Error, types: &str) -> Vec<u8> {
    let code = error.class().code();
    let document = Document {
        error: code,
        error_description: printable(error.detail()),
        error_uri: format!("{types}/{}", code.replace('_', "-")),
    };
    serde_json::to_vec(&document).unwrap_or_default()
}
