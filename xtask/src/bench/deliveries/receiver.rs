//! The receivers of the events: one that takes everything at once, and one that never answers.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::Result;

/// Where events are taken at once.
pub const TAKES: &str = "/takes";
/// Where they are never answered.
pub const HANGS: &str = "/hangs";

/// A listener on a free port, and when each event was taken.
pub struct Receiver {
    port: u16,
    taken: Arc<Mutex<Vec<Taken>>>,
}

/// A delivery that was taken.
#[derive(Clone)]
pub struct Taken {
    /// When.
    pub at: Instant,
    /// Its body, which names what happened.
    pub body: Bytes,
}

impl Receiver {
    /// Listens as long as the runtime runs.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let taken = Arc::new(Mutex::new(Vec::new()));
        let noted = taken.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let noted = noted.clone();
                let service = service_fn(move |request| answer(noted.clone(), request));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Ok(Self { port, taken })
    }

    /// The address of one of its paths.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// How many deliveries it has taken.
    pub fn count(&self) -> usize {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What it has taken since the last call.
    pub fn take(&self) -> Vec<Taken> {
        std::mem::take(&mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn answer(
    taken: Arc<Mutex<Vec<Taken>>>,
    request: Request<Incoming>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    if request.uri().path().starts_with(HANGS) {
        return std::future::pending().await;
    }
    // A delivery that breaks off comes again.
    if let Ok(body) = request.into_body().collect().await {
        let noted = Taken { at: Instant::now(), body: body.to_bytes() };
        taken.lock().unwrap_or_else(PoisonError::into_inner).push(noted);
    }
    let mut taken = Response::new(Empty::new());
    *taken.status_mut() = StatusCode::NO_CONTENT;
    Ok(taken)
}
