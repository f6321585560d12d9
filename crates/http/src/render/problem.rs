//! Problem documents (RFC 9457) with the error pair of RFC 6749 §5.2 inside, so that both kinds of client are served.

use axum::http::HeaderValue;
use axum::http::header::WWW_AUTHENTICATE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use svc_core::{Error, Place};

use super::{Scene, Surface, pending, printable};

/// An error of an API, as `application/problem+json`.
#[derive(Debug)]
pub struct Problem {
    error: Error,
    challenge: Option<Box<HeaderValue>>,
}

impl Problem {
    /// Adds what a client is to authenticate with (RFC 9110 §11.6.1).
    #[must_use]
    pub fn challenge(mut self, challenge: &str) -> Self {
        self.challenge = HeaderValue::try_from(challenge).ok().map(Box::new);
        self
    }

    /// The error itself.
    pub fn error(&self) -> &Error {
        &self.error
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self { error, challenge: None }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = pending(self.error, Surface::Api);
        if let Some(challenge) = self.challenge {
            response.headers_mut().insert(WWW_AUTHENTICATE, *challenge);
        }
        response
    }
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    error: &'a str,
    error_description: String,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Fault<'a>>,
}

#[derive(Serialize)]
struct Fault<'a> {
    pointer: &'a str,
    detail: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<At>,
}

/// Where in a text.
#[derive(Serialize)]
struct At {
    line: u32,
    column: u32,
    offset: u32,
}

impl From<Place> for At {
    fn from(Place { line, column, offset }: Place) -> Self {
        Self { line, column, offset }
    }
}

/// The document of an error.
pub(super) fn document(error: &Error, scene: &Scene<'_>) -> Vec<u8> {
    let class = error.class();
    let document = Document {
        r#type: format!("{}/{}", scene.types, class.code().replace('_', "-")),
        title: class.title(),
        status: class.status(),
        detail: error.detail(),
        error: class.code(),
        error_description: printable(error.detail()),
        request_id: scene.request_id,
        errors: error
            .flaws()
            .iter()
            .map(|flaw| Fault {
                pointer: &flaw.pointer,
                detail: &flaw.detail,
                place: flaw.place.map(At::from),
            })
            .collect(),
    };
    serde_json::to_vec(&document).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: Scene<'static> =
        Scene { types: "https://id.example/errors", realm: "id.example", request_id: "req_1" };

    #[test]
    fn the_document_has_the_members_of_the_specification_and_names_the_request() {
        let error = Error::insufficient_scope("the token lacks \"webhooks:write\"");
        let text = String::from_utf8(document(&error, &SCENE)).unwrap();
        assert_eq!(
            text,
            r#"{"type":"https://id.example/errors/insufficient-scope","title":"The token lacks a scope","status":403,"detail":"the token lacks \"webhooks:write\"","error":"insufficient_scope","error_description":"the token lacks 'webhooks:write'","request_id":"req_1"}"#
        );
    }

    #[test]
    fn the_cause_of_a_fault_is_not_told() {
        let text = String::from_utf8(document(&Error::internal("password=hunter2"), &SCENE)).unwrap();
        assert!(!text.contains("hunter2"));
    }
}
