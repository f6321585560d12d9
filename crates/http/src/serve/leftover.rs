//! What a client has still to send when its answer is there (RFC 9112 §9.3): little is read and left alone, so that the next request
//! finds its beginning; where it is much, or does not come, the answer says that the connection ends.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::header::EXPECT;
use tokio::time::timeout;

/// Most bytes that are read for nothing.
const MOST: usize = 64 * 1024;
/// How long they may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// Where the body of a request is put that was not read to its end.
pub(super) struct Leftover {
    place: Arc<Mutex<Option<Incoming>>>,
    /// The client sends its body only if it is asked to (RFC 9110 §10.1.1), and reading is asking.
    is_held_back: bool,
}

/// A body on loan: what is dropped before its end comes back.
struct Lent {
    body: Option<Incoming>,
    place: Arc<Mutex<Option<Incoming>>>,
}

impl Leftover {
    /// The request as the service reads it, and what it may leave of it.
    pub(super) fn of(request: Request<Incoming>) -> (Request<Body>, Self) {
        let place = Arc::default();
        let is_held_back = request.headers().contains_key(EXPECT);
        let lent = request.map(|body| Body::new(Lent { body: Some(body), place: Arc::clone(&place) }));
        (lent, Self { place, is_held_back })
    }

    /// Reads what was left; false where the connection cannot go on.
    pub(super) async fn read(self) -> bool {
        let left = self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(body) = left else { return true };
        if self.is_held_back || hyper::body::Body::size_hint(&body).lower() > MOST as u64 {
            return false;
        }
        let mut rest = Limited::new(body, MOST);
        let reading = async move {
            while let Some(frame) = rest.frame().await {
                if frame.is_err() {
                    return false;
                }
            }
            true
        };
        timeout(PATIENCE, reading).await.unwrap_or(false)
    }
}

impl hyper::body::Body for Lent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = self.body.as_mut() else { return Poll::Ready(None) };
        let next = Pin::new(body).poll_frame(cx);
        // Of a body in chunks nothing but its end says that all of it was read.
        if let Poll::Ready(None) = next {
            self.body = None;
        }
        next
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(hyper::body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(hyper::body::Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let left = self.body.take().filter(|body| !hyper::body::Body::is_end_stream(body));
        if left.is_some() {
            *self.place.lock().unwrap_or_else(PoisonError::into_inner) = left;
        }
    }
}
