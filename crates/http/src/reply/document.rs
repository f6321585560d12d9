//! Documents that are the same for all callers until something changes: rendered once, answered from memory.

use axum::Extension;
use axum::body::HttpBody;
use axum::http::HeaderValue;
use axum::http::Response as HttpResponse;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use tower_http::compression::Predicate;

/// A rendered document; cloning shares the bytes.
#[derive(Clone, Debug)]
pub struct StaticDocument {
    /// The document.
    pub bytes: Bytes,
    /// Its media type.
    pub content_type: HeaderValue,
    /// How long it may be kept.
    pub cache_control: HeaderValue,
}

/// Marks what is the same for every caller, which alone is compressed: in a page, sealed state stands next to text that an
/// attacker chooses, and the compressed length would betray the one by the other (BREACH).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Public;

/// Least bytes that are worth compressing.
const LEAST: u64 = 1024;

impl Predicate for Public {
    fn should_compress<B: HttpBody>(&self, response: &HttpResponse<B>) -> bool {
        response.extensions().get::<Self>().is_some() && response.body().size_hint().lower() >= LEAST
    }
}

impl StaticDocument {
    /// A JSON document that every cache may keep for five minutes.
    pub fn json(bytes: impl Into<Bytes>) -> Self {
        Self {
            bytes: bytes.into(),
            content_type: HeaderValue::from_static("application/json"),
            cache_control: HeaderValue::from_static("public, max-age=300"),
        }
    }

    /// An asset whose address changes with its content.
    pub fn asset(bytes: impl Into<Bytes>, content_type: &'static str) -> Self {
        Self {
            bytes: bytes.into(),
            content_type: HeaderValue::from_static(content_type),
            cache_control: HeaderValue::from_static("public, max-age=31536000, immutable"),
        }
    }
}

impl IntoResponse for StaticDocument {
    fn into_response(self) -> Response {
        let headers = [(CONTENT_TYPE, self.content_type), (CACHE_CONTROL, self.cache_control)];
        (headers, Extension(Public), self.bytes).into_response()
    }
}
