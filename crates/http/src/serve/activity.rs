//! What a connection is doing: requests that began, answers on their way, and which of those wait for room in the window of their stream
//! (RFC 9113 §5.2).

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as _, Frame, SizeHint};
use tokio::time::{Instant, sleep};

use super::unread::PATIENCE;

/// How long the first request, and the headers of each, may take to come.
pub(super) const HEADERS_TIMEOUT: Duration = Duration::from_secs(30);
/// An HTTP/2 connection without requests, and without answers on their way, is closed after one to two of these.
const IDLE: Duration = Duration::from_mins(2);
/// How often answers are looked at that may have waited too long.
const LOOK: Duration = Duration::from_secs(30);
/// What an answer has in the buffers of its connection at most, beyond what the window of its stream has room for.
const PIECE: usize = 16 * 1024;

/// What a connection is doing.
#[derive(Default)]
pub(super) struct Activity {
    begun: AtomicU64,
    in_flight: AtomicUsize,
    /// Since when which answers wait for their client to take a piece. A wait for what an answer is made of is not here.
    waiting: Mutex<HashMap<u64, Instant>>,
}

/// An answer on its way, counted until dropped.
pub(super) struct InFlight {
    activity: Arc<Activity>,
    number: u64,
}

impl Activity {
    /// A request has come.
    pub(super) fn begins(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::AcqRel)
    }

    /// The same, and its answer is counted until it has been sent.
    pub(super) fn answers(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
        InFlight { activity: Arc::clone(self), number: self.begins() }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire) > 0
    }

    /// Ends when the first request has not come in time, or when a whole interval has passed without a request.
    pub(super) async fn idled(&self) {
        sleep(HEADERS_TIMEOUT).await;
        if !self.has_begun() {
            return;
        }
        loop {
            let before = self.begun.load(Ordering::Acquire);
            sleep(IDLE).await;
            if self.in_flight.load(Ordering::Acquire) == 0 && self.begun.load(Ordering::Acquire) == before {
                return;
            }
        }
    }

    /// Ends when a client has taken nothing of an answer for too long. Resetting the stream alone would look like the end of a
    /// download to some clients.
    pub(super) async fn held_up(&self) {
        loop {
            sleep(LOOK).await;
            if self.waiting().values().any(|since| since.elapsed() >= PATIENCE) {
                return;
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<u64, Instant>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InFlight {
    /// The client has a piece to take since then, or none.
    fn waits(&self, since: Option<Instant>) {
        let mut waiting = self.activity.waiting();
        match since {
            Some(since) => waiting.insert(self.number, since),
            None => waiting.remove(&self.number),
        };
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.waits(None);
        self.activity.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The body of an answer on HTTP/2, in pieces of which each that is taken is progress.
pub(super) struct Pieces {
    body: Body,
    /// The part of the last frame that did not fit into a piece.
    rest: Bytes,
    in_flight: InFlight,
}

type Piece = Result<Frame<Bytes>, axum::Error>;

impl Pieces {
    pub(super) fn new(body: Body, in_flight: InFlight) -> Self {
        Self { body, rest: Bytes::new(), in_flight }
    }

    fn next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Piece>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                end => return Poll::Ready(end),
            }
        }
        let piece = self.rest.split_to(self.rest.len().min(PIECE));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }
}

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Piece>> {
        let this = self.get_mut();
        let next = this.next(cx);
        // hyper asks for the next piece when the window has had room for this one.
        this.in_flight.waits(next.is_ready().then(Instant::now));
        next
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.rest.is_empty() { self.body.size_hint() } else { SizeHint::default() }
    }
}
