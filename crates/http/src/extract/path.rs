//! Path parameters; what cannot be an id is answered like an unknown id.

use axum::extract::{FromRequestParts, Path as AxumPath};
use axum::http::request::Parts;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::de::DeserializeOwned;
use svc_core::{Error, Result};

use crate::render::Problem;

/// The parameters of the path, parsed.
#[derive(Clone, Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = AxumPath::<T>::from_request_parts(parts, state).await;
        let AxumPath(value) = read.map_err(|error| Error::unknown_id().caused_by(error))?;
        Ok(Self(value))
    }
}

/// What an escape keeps apart from the characters that separate segments and begin escapes.
const KEPT: AsciiSet = CONTROLS.add(b'/').add(b'%');

/// A path as routing sees it: a segment is the same however its characters are written (RFC 3986 §6.2.2.2), and a slash in one is none
/// between two.
pub(crate) fn normal(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        let decoded: Vec<u8> = percent_decode_str(segment).collect();
        percent_encode(&decoded, &KEPT).to_string()
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_segments_are_written_in_one_way() {
        for (sent, seen) in [
            ("/api/v1/things/a", "/api/v1/things/a"),
            ("/api/v1/things/%61", "/api/v1/things/a"),
            ("/api/v1/things/%C3%A4%c3%A4", "/api/v1/things/%C3%A4%C3%A4"),
            ("/things/a%2Fb", "/things/a%2Fb"),
            ("/things/a%2fb", "/things/a%2Fb"),
            ("/things/%2561", "/things/%2561"),
            ("/things/100%", "/things/100%25"),
            ("/", "/"),
        ] {
            assert_eq!(normal(sent), seen);
        }
    }
}
