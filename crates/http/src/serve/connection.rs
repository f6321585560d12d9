//! One connection: HTTP/1.1, or HTTP/2 over TLS, bounded in headers, streams and idle time.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::tls::{Spoken, Tls};
use super::without_delay;
use crate::edge::{Edge, Peer};

type Answer = Result<Response, Infallible>;

const HEADERS_TIMEOUT: Duration = Duration::from_secs(30);
/// Above the edge's own bound, which refuses readably.
const MOST_HEADER_BYTES: u32 = 64 * 1024;
const MOST_STREAMS: u32 = 100;
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// An HTTP/2 connection without requests is closed after one to two of these.
const IDLE: Duration = Duration::from_mins(2);

/// How connections are served.
pub(super) struct Connections {
    service: Edge,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
}

/// What a connection is doing.
#[derive(Default)]
struct Activity {
    begun: AtomicU64,
    in_flight: AtomicUsize,
}

/// A request in flight, counted until dropped.
struct InFlight(Arc<Activity>);

impl Connections {
    pub(super) fn new(service: Edge) -> Self {
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            // Also ends a kept-alive connection on which no request follows.
            .header_read_timeout(HEADERS_TIMEOUT)
            .max_buf_size(MOST_HEADER_BYTES as usize);
        let mut http2 = http2::Builder::new(TokioExecutor::new());
        http2
            .timer(TokioTimer::new())
            .max_concurrent_streams(MOST_STREAMS)
            .max_header_list_size(MOST_HEADER_BYTES)
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_TIMEOUT);
        Self { service, http1, http2 }
    }

    pub(super) async fn run(
        self: Arc<Self>,
        stream: TcpStream,
        address: SocketAddr,
        tls: Option<Tls>,
        watcher: Watcher,
    ) {
        without_delay(&stream);
        let outcome = match tls {
            None => self.run_http1(stream, Peer { address, is_tls: false }, watcher).await,
            // Boxed: every connection would hold the room that a handshake takes.
            Some(tls) => Box::pin(self.run_tls(stream, address, tls, watcher)).await,
        };
        if let Err(error) = outcome {
            tracing::debug!(%address, error = %error, "a connection ended early");
        }
    }

    async fn run_tls(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        tls: Tls,
        watcher: Watcher,
    ) -> hyper::Result<()> {
        match Box::pin(tls.accept(stream)).await {
            Ok(Spoken::Http1(stream)) => {
                Box::pin(self.run_http1(stream, Peer { address, is_tls: true }, watcher)).await
            }
            Ok(Spoken::Http2(stream)) => Box::pin(self.run_http2(stream, address, watcher)).await,
            Err(reason) => {
                tracing::debug!(%address, reason, "a connection was refused");
                Ok(())
            }
        }
    }

    async fn run_http1(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
        watcher: Watcher,
    ) -> hyper::Result<()> {
        let service = service_fn(move |request| boxed(answer(self.service.clone(), request, peer)));
        watcher.watch(self.http1.serve_connection(TokioIo::new(stream), service)).await
    }

    async fn run_http2(
        &self,
        stream: tokio_rustls::server::TlsStream<TcpStream>,
        address: SocketAddr,
        watcher: Watcher,
    ) -> hyper::Result<()> {
        let peer = Peer { address, is_tls: true };
        let activity = Arc::new(Activity::default());
        let seen = Arc::clone(&activity);
        let edge = self.service.clone();
        let service = service_fn(move |request| {
            let in_flight = InFlight::begin(&seen);
            let answer = answer(edge.clone(), request, peer);
            boxed(async move {
                let answer = answer.await;
                drop(in_flight);
                answer
            })
        });
        let connection = watcher.watch(self.http2.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            outcome = connection => outcome,
            () = activity.idled() => Ok(()),
        }
    }
}

impl InFlight {
    fn begin(activity: &Arc<Activity>) -> Self {
        activity.begun.fetch_add(1, Ordering::AcqRel);
        activity.in_flight.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(activity))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Activity {
    /// Ends when a whole interval has passed without a request.
    async fn idled(&self) {
        loop {
            let before = self.begun.load(Ordering::Acquire);
            tokio::time::sleep(IDLE).await;
            if self.in_flight.load(Ordering::Acquire) == 0 && self.begun.load(Ordering::Acquire) == before {
                return;
            }
        }
    }
}

/// Keeps a request's state only as long as the request: a connection holds room for its service's future for ever.
fn boxed(
    answer: impl Future<Output = Answer> + Send + 'static,
) -> Pin<Box<dyn Future<Output = Answer> + Send>> {
    Box::pin(answer)
}

async fn answer(service: Edge, request: hyper::Request<Incoming>, peer: Peer) -> Answer {
    let mut request: Request = request.map(Body::new);
    request.extensions_mut().insert(peer);
    Ok(service.serve(request).await)
}

#[cfg(test)]
mod tests {
    use hyper_util::server::graceful::GracefulShutdown;
    use tokio::net::TcpListener;

    use super::*;
    use crate::Routes;
    use crate::tests::World;

    /// Every idle connection holds this, besides the two buffers of 8 KiB that hyper reads and writes with.
    #[tokio::test]
    async fn a_connection_holds_little_room_for_itself() {
        let world = World::new(Routes::new([])).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        let connections = Arc::new(Connections::new(world.edge.clone()));
        let run = connections.run(stream, address, None, GracefulShutdown::new().watcher());
        let size = size_of_val(&run);
        assert!(size <= 1536, "{size} bytes");
    }
}
