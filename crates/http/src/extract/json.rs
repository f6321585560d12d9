//! JSON documents, strictly: in requests unknown members are refused by name, in responses the type is set.

use axum::extract::{FromRequest, OptionalFromRequest, Request};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::{Error, Result, json};
use utoipa::ToSchema;

use super::expect_type;
use super::judge::judge;
use crate::body;
use crate::render::Problem;

/// A JSON document.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + ToSchema + 'static> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        expect_type(request.headers(), "application/json")?;
        let bytes = body::read(request.into_body()).await?;
        Ok(Self(fitting(document(&bytes)?)?))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + ToSchema + 'static> OptionalFromRequest<S> for Json<T> {
    type Rejection = Problem;

    /// None where the request has neither a body nor says what it would be.
    async fn from_request(request: Request, _: &S) -> Result<Option<Self>, Problem> {
        let (parts, body) = request.into_parts();
        let bytes = body::read(body).await?;
        if bytes.is_empty() && !parts.headers.contains_key(CONTENT_TYPE) {
            return Ok(None);
        }
        expect_type(&parts.headers, "application/json")?;
        Ok(Some(Self(fitting(document(&bytes)?)?)))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => {
                ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
            }
            Err(error) => Problem::from(Error::internal(error)).into_response(),
        }
    }
}

/// The document of a body.
pub(super) fn document(bytes: &[u8]) -> Result<Value> {
    json::parse(bytes, json::DEEPEST)
        .map_err(|error| Error::bad_request(format!("the request body is not acceptable JSON: {error}")))
}

/// Reads a document that fits the published schema of `T`.
pub(super) fn fitting<T: DeserializeOwned + ToSchema + 'static>(value: Value) -> Result<T> {
    judge::<T>(&value)?;
    let mut unknown = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(path.to_string());
    let read = serde_path_to_error::deserialize(serde_ignored::Deserializer::new(value, &mut note));
    let read = read.map_err(|error| Error::bad_request(misfit(&error)))?;
    match unknown.first() {
        Some(field) => Err(Error::bad_request(format!("unknown field `{}`", field.replace(".?", "")))),
        None => Ok(read),
    }
}

/// Where a document does not fit and what was expected there; never the value, which may be a secret.
fn misfit(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let path = error.path().to_string().replace(".?", "");
    let reason = error.inner().to_string();
    let reason = match reason.rsplit_once(", expected ") {
        Some((_, expected)) => format!("expected {expected}"),
        None => reason,
    };
    if path.starts_with(['.', '?']) {
        format!("the request body: {reason}")
    } else {
        format!("{path}: {reason}")
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, ToSchema)]
    struct Inner {
        #[expect(dead_code, reason = "only its reading is tested")]
        name: String,
    }

    #[derive(Debug, Deserialize, ToSchema)]
    struct Outer {
        inner: Option<Inner>,
    }

    fn parse(bytes: &[u8]) -> Result<Outer> {
        fitting(document(bytes)?)
    }

    fn detail(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().detail().to_owned()
    }

    #[test]
    fn an_unknown_field_is_named_wherever_it_stands() {
        assert!(parse(br#"{"inner":{"name":"x"}}"#).unwrap().inner.is_some());
        assert_eq!(detail(r#"{"tenant_id":"x"}"#), "unknown field `tenant_id`");
        assert_eq!(detail(r#"{"inner":{"name":"x","role":1}}"#), "unknown field `inner.role`");
    }

    #[test]
    fn a_missing_or_mistyped_field_is_named_without_its_value() {
        assert_eq!(detail(r#"{"inner":{}}"#), "inner: missing field `name`");
        assert_eq!(detail(r#"{"inner":{"name":{"password":"hunter2"}}}"#), "inner.name: expected a string");
        assert_eq!(detail(r#"{"inner":"hunter2"}"#), "inner: expected an object");
        assert_eq!(detail(r#""hunter2""#), "the request body: expected an object");
    }
}
