//! One connection: HTTP/1.1, or HTTP/2 over TLS, bounded in headers, streams, idle time and unread answers.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::server::TlsStream;

use super::activity::{Activity, HEADERS_TIMEOUT, Pieces};
use super::leftover::Leftover;
use super::tls::{Spoken, Tls, certificate_of};
use super::unread::{Bounded, Socket};
use super::without_delay;
use crate::edge::{Edge, Peer};

type Answer = Result<Response, Infallible>;

/// Above the edge's own bound, which refuses readably.
const MOST_HEADER_BYTES: u32 = 64 * 1024;
const MOST_STREAMS: u32 = 100;
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// How long the other answers of a connection may take when one is not taken.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// How long a connection without a request may wait for its first when the process ends: its client may be about to send it.
const FIRST_REQUEST: Duration = Duration::from_millis(500);

/// How connections are served.
pub(super) struct Connections {
    service: Edge,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
    ends: watch::Receiver<bool>,
}

impl Connections {
    /// They finish what is in flight, and end, once `ends` is true.
    pub(super) fn new(service: Edge, ends: watch::Receiver<bool>) -> Self {
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
        Self { service, http1, http2, ends }
    }

    pub(super) async fn run(self: Arc<Self>, stream: TcpStream, address: SocketAddr, tls: Option<Tls>) {
        without_delay(&stream);
        let stream = Bounded::new(stream);
        let outcome = match tls {
            None => self.run_http1(stream, Peer { address, is_tls: false, certificate: None }).await,
            // Boxed: every connection would hold the room that a handshake takes.
            Some(tls) => Box::pin(self.run_tls(stream, address, tls)).await,
        };
        if let Err(error) = outcome {
            tracing::debug!(%address, error = %error, "a connection ended early");
        }
    }

    async fn run_tls(&self, stream: Socket, address: SocketAddr, tls: Tls) -> hyper::Result<()> {
        match Box::pin(tls.accept(stream)).await {
            Ok(Spoken::Http1(stream)) => {
                let peer = peer_of(&stream, address);
                Box::pin(self.run_http1(stream, peer)).await
            }
            Ok(Spoken::Http2(stream)) => {
                let peer = peer_of(&stream, address);
                Box::pin(self.run_http2(stream, peer)).await
            }
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
    ) -> hyper::Result<()> {
        let activity = Arc::new(Activity::default());
        let seen = Arc::clone(&activity);
        let service = service_fn(move |request| {
            seen.begins();
            boxed(answer_in_turn(self.service.clone(), request, peer.clone()))
        });
        let mut connection = pin!(self.http1.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            outcome = &mut connection => return outcome,
            () = self.is_to_end(&activity) => connection.as_mut().graceful_shutdown(),
        }
        connection.await
    }

    async fn run_http2(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
    ) -> hyper::Result<()> {
        let activity = Arc::new(Activity::default());
        let seen = Arc::clone(&activity);
        let edge = self.service.clone();
        let service = service_fn(move |request| {
            let in_flight = seen.answers();
            let answer = answer(edge.clone(), request.map(Body::new), peer.clone());
            // In flight until all of it is taken: a long download is no idle connection.
            boxed(async move { answer.await.map(|answer| answer.map(|body| Pieces::new(body, in_flight))) })
        });
        let mut connection = pin!(self.http2.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            outcome = &mut connection => return outcome,
            () = activity.idled() => return Ok(()),
            () = activity.held_up() => {
                tracing::debug!("a connection is ended whose client takes nothing of an answer");
                connection.as_mut().graceful_shutdown();
                let _ = tokio::time::timeout(LAST_ANSWERS, connection).await;
                return Ok(());
            }
            () = self.is_to_end(&activity) => connection.as_mut().graceful_shutdown(),
        }
        connection.await
    }

    /// Ends when a connection should end with what it is doing. hyper closes one at once on which nothing has come yet.
    async fn is_to_end(&self, activity: &Activity) {
        // The sender is there for as long as there are connections.
        let _ = self.ends.clone().wait_for(|ends| *ends).await;
        if !activity.has_begun() {
            tokio::time::sleep(FIRST_REQUEST).await;
        }
    }
}

/// The other end of TLS.
fn peer_of(stream: &TlsStream<Socket>, address: SocketAddr) -> Peer {
    Peer { address, is_tls: true, certificate: certificate_of(stream) }
}

/// Keeps a request's state only as long as the request: a connection holds room for its service's future for ever.
fn boxed<A>(answer: impl Future<Output = A> + Send + 'static) -> Pin<Box<dyn Future<Output = A> + Send>> {
    Box::pin(answer)
}

async fn answer(service: Edge, mut request: Request, peer: Peer) -> Answer {
    request.extensions_mut().insert(peer);
    Ok(service.serve(request).await)
}

/// The answer on a connection where the next request begins where the body of this one has ended.
async fn answer_in_turn(service: Edge, request: hyper::Request<Incoming>, peer: Peer) -> Answer {
    let (request, leftover) = Leftover::of(request);
    let mut answer = answer(service, request, peer).await?;
    if !leftover.read().await {
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests;
