//! A file that is made while it is sent: piece by piece, each when the reader has room for it.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::try_unfold;
use svc_core::{Error, Result};

use crate::route::{Answers, Docs};

/// One JSON document a line.
const JSON_LINES: &str = "application/jsonl";

/// A file to keep, as JSON Lines or CSV. A fault while it is made breaks the connection off, so that no reader takes a part for the whole.
pub struct Download {
    kind: &'static str,
    name: &'static str,
    body: Body,
}

impl Download {
    /// A file of the media type `kind` in pieces: `next` makes each from where the last one ended, and says where it ends.
    pub fn of<S, F, N>(kind: &'static str, name: &'static str, start: S, mut next: N) -> Self
    where
        S: Send + 'static,
        F: Future<Output = Result<Option<(Vec<u8>, S)>>> + Send + 'static,
        N: FnMut(S) -> F + Send + 'static,
    {
        let pieces = try_unfold(start, move |state| {
            let piece = next(state);
            async move { Ok::<_, Error>(piece.await?.map(|(bytes, state)| (Bytes::from(bytes), state))) }
        });
        Self { kind, name, body: Body::from_stream(pieces) }
    }
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        let mut response = Response::new(self.body);
        let disposition = HeaderValue::try_from(format!("attachment; filename=\"{}\"", self.name));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Ok(disposition) = disposition {
            headers.insert(CONTENT_DISPOSITION, disposition);
        }
        response
    }
}

impl Answers for Download {
    fn document(docs: &mut Docs) {
        docs.answers_plainly(200, Some(JSON_LINES), &[]);
        docs.answers_plainly(200, Some("text/csv"), &[]);
    }
}
