//! JSON that no cache may keep: tokens, and everything about one person (RFC 6749 §5.1).

use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::extract::Json;

/// A JSON document with `Cache-Control: no-store`.
#[derive(Clone, Debug)]
pub struct NoStore<T>(pub T);

impl<T: Serialize> IntoResponse for NoStore<T> {
    fn into_response(self) -> Response {
        ([(CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(self.0)).into_response()
    }
}
