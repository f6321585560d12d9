//! From an `Error` to the response that its surface promises. Handlers only name the surface; the text is made here,
//! once, when the request's circumstances are known.

mod oauth;
mod people;
mod problem;
mod scim;

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use svc_core::{Class, Error};

use crate::edge::Refusal;

pub use self::oauth::{BackchannelError, OauthError};
pub use self::people::{ErrorPages, Refused};
pub(crate) use self::people::{asking, shown};
pub use self::problem::Problem;
pub use self::scim::scim_error;

/// Whose vocabulary an error is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    /// Problem documents (RFC 9457).
    Api,
    /// The same members in the type that OAuth clients read (RFC 6749 §5.2).
    Oauth,
    /// The members of OpenID CIBA §13 alone.
    Backchannel,
    /// Error messages of SCIM (RFC 7644 §3.12).
    Scim,
}

/// An error on its way out; it travels in the response's extensions until `finish` writes it down.
#[derive(Clone)]
struct Failure {
    error: Arc<Error>,
    surface: Surface,
}

/// What the text of an error depends on besides the error.
pub(crate) struct Scene<'a> {
    /// What the `type` member starts with.
    pub types: &'a str,
    /// The `realm` of challenges.
    pub realm: &'a str,
    /// For logs.
    pub request_id: &'a str,
}

/// Whose vocabulary errors at this path are written in.
pub(crate) fn surface_of(path: &str) -> Surface {
    match path {
        "/bc-authorize" => Surface::Backchannel,
        path if path.starts_with("/oauth/") => Surface::Oauth,
        path if path.starts_with("/scim/") => Surface::Scim,
        _ => Surface::Api,
    }
}

/// Makes a pending failure, wherever it was noticed, one of this surface.
pub(crate) fn speak(response: &mut Response, surface: Surface) {
    if let Some(failure) = response.extensions_mut().get_mut::<Failure>() {
        failure.surface = surface;
    }
}

/// The pending failure of a caller who lacks a scope.
pub(crate) fn lack_of_scope(response: &Response) -> Option<Arc<Error>> {
    let Failure { error, .. } = response.extensions().get::<Failure>()?;
    (error.class() == Class::InsufficientScope).then(|| Arc::clone(error))
}

/// Writes a pending failure into its response; any other response passes unchanged.
pub(crate) fn finish(mut response: Response, scene: &Scene<'_>) -> Response {
    let Some(Failure { error, surface }) = response.extensions_mut().remove() else { return response };
    log(&error, scene);
    let (mut parts, _) = response.into_parts();
    parts.extensions.insert(Refusal::of(&error));
    // The router has announced the empty body that stands in for the document.
    parts.headers.remove(CONTENT_LENGTH);
    fill_headers(&mut parts.headers, &error, surface, scene);
    let document = match surface {
        Surface::Backchannel => oauth::document(&error, scene.types),
        Surface::Scim => scim::document(&error),
        Surface::Api | Surface::Oauth => problem::document(&error, scene),
    };
    Response::from_parts(parts, Body::from(document))
}

fn pending(error: Error, surface: Surface) -> Response {
    let mut response = status_of(&error).into_response();
    response.extensions_mut().insert(Failure { error: Arc::new(error), surface });
    response
}

fn status_of(error: &Error) -> StatusCode {
    StatusCode::from_u16(error.class().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn fill_headers(headers: &mut HeaderMap, error: &Error, surface: Surface, scene: &Scene<'_>) {
    // Strict OAuth libraries read an error only from the type that RFC 6749 §5.2 names.
    let content_type = match surface {
        Surface::Api => "application/problem+json",
        Surface::Scim => "application/scim+json",
        Surface::Oauth | Surface::Backchannel => "application/json",
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = error.wait() {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    challenge(headers, error, surface, scene.realm);
}

/// Adds how to authenticate to a refusal that asks for it and does not say so yet (RFC 9110 §15.5.2).
fn challenge(headers: &mut HeaderMap, error: &Error, surface: Surface, realm: &str) {
    if error.class().status() != 401 || headers.contains_key(WWW_AUTHENTICATE) {
        return;
    }
    // RFC 6749 §5.2, and OpenID CIBA §13 with it: a client is challenged for what clients authenticate with.
    let is_of_clients = matches!(surface, Surface::Oauth | Surface::Backchannel);
    let scheme = if is_of_clients && error.class() == Class::InvalidClient { "Basic" } else { "Bearer" };
    if let Ok(challenge) = HeaderValue::try_from(format!("{scheme} realm=\"{}\"", printable(realm))) {
        headers.insert(WWW_AUTHENTICATE, challenge);
    }
}

fn log(error: &Error, scene: &Scene<'_>) {
    let has_cause = std::error::Error::source(error).is_some();
    match error.class().status() {
        503 if !has_cause => {
            tracing::warn!(request_id = scene.request_id, error = ?error, "request turned away");
        }
        // What is not offered is not broken.
        501 => {}
        500.. => tracing::error!(request_id = scene.request_id, error = ?error, "request failed"),
        // Told by the line of the request.
        _ => {}
    }
}

/// Text as RFC 6749 §5.2 allows it in `error_description`: printable ASCII without quote and backslash.
pub(crate) fn printable(text: &str) -> String {
    let allowed = |char: char| match char {
        '"' => '\'',
        ' '..='~' if char != '\\' => char,
        _ => '?',
    };
    text.chars().map(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_printable_ascii_without_quote_and_backslash() {
        assert_eq!(printable("say \"no\"\\\r\n\tü~"), "say 'no'?????~");
    }
}
