//! The listener: our own accept loop, because only so ALPN is enforced and the shutdown deadline is kept.

mod client_certificates;
mod connection;
mod identity;
mod orders;
mod tls;

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use rustls::server::ResolvesServerCert;
use svc_config::Config;
use svc_core::{Error, OrInternal as _, Result, Timestamp};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::connection::Connections;
pub use self::identity::Identity;
use self::orders::Orders;
pub use self::tls::Tls;
use crate::app::App;
use crate::edge::Edge;

/// The open ports.
pub struct Listener {
    doors: Doors,
    identity: Option<Arc<Identity>>,
    orders: Option<Orders>,
}

struct Doors {
    main: Door,
    /// Where clients are asked for certificates (RFC 8705 §5).
    mutual: Option<Door>,
}

/// An open port.
struct Door {
    socket: TcpListener,
    tls: Option<Tls>,
}

/// A connection, the address of its other end, and what TLS agrees on.
type Accepted = (TcpStream, SocketAddr, Option<Tls>);

/// Without file descriptors there is nothing to accept until connections end.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(50);
const UPKEEP: Duration = Duration::from_secs(5);

impl Listener {
    /// Binds the addresses of `[server]` and `[server.mtls]`.
    pub async fn bind(config: &Config, now: Timestamp) -> Result<Self> {
        let server = &config.server;
        if !server.transport.is_tls() {
            let main = Door { socket: bound(server.host, server.port, "server.port").await?, tls: None };
            return Ok(Self { doors: Doors { main, mutual: None }, identity: None, orders: None });
        }
        let (identity, orders) = if server.has_acme() {
            (None, Some(Orders::from_config(config)?))
        } else {
            let identity = Arc::new(Identity::from_config(config, now)?);
            identity.remark(config, now);
            (Some(identity), None)
        };
        let ordered = || orders.as_ref().map(Orders::resolver);
        let read = || identity.clone().map(|identity| identity as Arc<dyn ResolvesServerCert>);
        let shown = ordered().or_else(read).ok_or_else(|| Error::internal("there is no certificate"))?;
        let tls = if orders.is_some() { Tls::answering_challenges } else { Tls::new };
        let tls = Some(tls(Arc::clone(&shown), server.transport)?);
        let main = Door { socket: bound(server.host, server.port, "server.port").await?, tls };
        let mutual = match server.mtls.port {
            None => None,
            Some(port) => {
                let tls = Some(Tls::asking_for_certificates(shown, server.transport)?);
                Some(Door { socket: bound(server.host, port, "server.mtls.port").await?, tls })
            }
        };
        Ok(Self { doors: Doors { main, mutual }, identity, orders })
    }

    /// Uses a socket that is already bound; with `tls`, what that agrees on.
    pub fn new(socket: TcpListener, tls: Option<Tls>) -> Self {
        let doors = Doors { main: Door { socket, tls }, mutual: None };
        Self { doors, identity: None, orders: None }
    }

    /// The bound address, with the port that was chosen for port 0.
    pub fn address(&self) -> Result<SocketAddr> {
        self.doors.main.socket.local_addr().or_internal()
    }

    /// What clients are shown, if TLS ends here.
    pub fn identity(&self) -> Option<Arc<Identity>> {
        self.identity.clone()
    }

    /// Serves until `stop` ends; then requests in flight have `grace` to finish.
    pub async fn serve(self, service: Edge, stop: impl Future<Output = ()>, grace: Duration) {
        let app = service.app().clone();
        let (end, ends) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let connections = Arc::new(Connections::new(service, ends));
        let mut ordering = JoinSet::new();
        if let Some(orders) = self.orders {
            ordering.spawn(orders.run());
        }
        let (doors, identity) = (self.doors, self.identity);
        let mut upkeep = tokio::time::interval(UPKEEP);
        tokio::pin!(stop);
        loop {
            app.metrics.set("http_connections_open", &[], tasks.len() as u64);
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = tasks.join_next() => {}
                _ = upkeep.tick() => keep_up(&app, identity.as_deref()),
                accepted = doors.accept() => match accepted {
                    Ok((stream, address, tls)) => {
                        tasks.spawn(Arc::clone(&connections).run(stream, address, tls));
                    }
                    Err(error) => pause_after(&error).await,
                },
            }
        }
        app.readiness.drain();
        // Closing a port resets the connections that wait at it, though their clients see them as made.
        for (stream, address, tls) in doors.close() {
            tasks.spawn(Arc::clone(&connections).run(stream, address, tls));
        }
        end.send_replace(true);
        let all_end = async { while tasks.join_next().await.is_some() {} };
        // A connection that never speaks would keep the process for ever without the bound.
        if tokio::time::timeout(grace, all_end).await.is_err() {
            tracing::warn!(open = tasks.len(), "connections were cut off at the shutdown deadline");
        }
        tasks.shutdown().await;
    }
}

impl Doors {
    /// The next connection, at whichever port it arrives.
    async fn accept(&self) -> std::io::Result<Accepted> {
        let at_mutual = async {
            match &self.mutual {
                Some(door) => door.accept().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            accepted = self.main.accept() => accepted,
            accepted = at_mutual => accepted,
        }
    }

    /// Closes the ports; returns the connections that were made and not accepted yet.
    fn close(self) -> Vec<Accepted> {
        std::iter::once(self.main).chain(self.mutual).flat_map(Door::close).collect()
    }
}

fn keep_up(app: &App, identity: Option<&Identity>) {
    app.metrics.upkeep();
    if let Some(identity) = identity {
        identity.look_again(app.clock.now());
    }
}

impl Door {
    async fn accept(&self) -> std::io::Result<Accepted> {
        let (stream, address) = self.socket.accept().await?;
        Ok((stream, address, self.tls.clone()))
    }

    fn close(self) -> Vec<Accepted> {
        let Ok(socket) = self.socket.into_std() else { return Vec::new() };
        // It does not block: the first error is the end of the queue.
        let waiting = std::iter::from_fn(|| socket.accept().ok());
        let registered = waiting.filter_map(|(stream, address)| {
            stream.set_nonblocking(true).ok()?;
            Some((TcpStream::from_std(stream).ok()?, address, self.tls.clone()))
        });
        registered.collect()
    }
}

async fn bound(host: IpAddr, port: u16, key: &str) -> Result<TcpListener> {
    let address = SocketAddr::new(host, port);
    TcpListener::bind(address).await.map_err(|error| {
        Error::bad_request(format!("server.host, {key}: cannot listen on {address}: {error}"))
    })
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
