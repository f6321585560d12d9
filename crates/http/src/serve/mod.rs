//! The listener: our own accept loop, because only so ALPN is enforced and the shutdown deadline is kept.

mod connection;
mod tls;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use svc_config::Config;
use svc_core::{Error, OrInternal as _, Result};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use self::connection::Connections;
pub use self::tls::Tls;
use crate::edge::Edge;

/// An open port.
pub struct Listener {
    socket: TcpListener,
    tls: Option<Tls>,
}

/// Without file descriptors there is nothing to accept until connections end.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(50);
const UPKEEP: Duration = Duration::from_secs(5);

impl Listener {
    /// Binds the address of `[server]`.
    pub async fn bind(config: &Config) -> Result<Self> {
        let server = &config.server;
        let tls = if server.transport.is_tls() { Some(Tls::from_config(config)?) } else { None };
        let address = SocketAddr::new(server.host, server.port);
        let socket = TcpListener::bind(address).await.map_err(|error| {
            Error::bad_request(format!("server.host, server.port: cannot listen on {address}: {error}"))
        })?;
        Ok(Self { socket, tls })
    }

    /// Uses a socket that is already bound; with `tls`, what that agrees on.
    pub fn new(socket: TcpListener, tls: Option<Tls>) -> Self {
        Self { socket, tls }
    }

    /// The bound address, with the port that was chosen for port 0.
    pub fn address(&self) -> Result<SocketAddr> {
        self.socket.local_addr().or_internal()
    }

    /// Serves until `stop` ends; then requests in flight have `grace` to finish.
    pub async fn serve(self, service: Edge, stop: impl Future<Output = ()>, grace: Duration) {
        let app = service.app().clone();
        let graceful = GracefulShutdown::new();
        let mut tasks = JoinSet::new();
        let connections = Arc::new(Connections::new(service));
        let mut upkeep = tokio::time::interval(UPKEEP);
        tokio::pin!(stop);
        loop {
            app.metrics.set("http_connections_open", &[], tasks.len() as u64);
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = tasks.join_next() => {}
                _ = upkeep.tick() => app.metrics.upkeep(),
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, address)) => {
                        let connection = Arc::clone(&connections).run(stream, address, self.tls.clone(), graceful.watcher());
                        tasks.spawn(connection);
                    }
                    Err(error) => pause_after(&error).await,
                },
            }
        }
        app.readiness.drain();
        drop(self.socket);
        // A connection that never speaks would keep the process for ever without the bound.
        if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
            tracing::warn!(open = tasks.len(), "connections were cut off at the shutdown deadline");
        }
        tasks.shutdown().await;
    }
}

async fn pause_after(error: &std::io::Error) {
    let concerns_one_connection = matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted
    );
    if !concerns_one_connection {
        tracing::warn!(error = %error, "accepting connections pauses");
        tokio::time::sleep(EXHAUSTED_PAUSE).await;
    }
}

/// Sends answers at once instead of waiting for more to send.
fn without_delay(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "TCP_NODELAY was refused");
    }
}
