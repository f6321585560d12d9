//! The listener: our own accept loop, because only so ALPN is enforced and the shutdown deadline is kept.

mod activity;
mod certificates;
mod client_certificates;
mod connection;
mod domain_files;
mod domain_orders;
mod identity;
mod leftover;
mod orders;
mod tls;
mod unread;

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

use self::certificates::ByName;
pub use self::certificates::Certificates;
use self::connection::Connections;
use self::domain_files::DomainFiles;
use self::domain_orders::DomainOrders;
pub use self::identity::Identity;
use self::orders::Orders;
pub use self::orders::ordered_certificate_end;
pub use self::tls::Tls;
use crate::app::App;
use crate::edge::Edge;

/// The open ports.
pub struct Listener {
    doors: Doors,
    certificates: Certificates,
    orders: Ordering,
}

/// Certificates that are ordered while ports are open.
#[derive(Default)]
struct Ordering {
    own: Option<Orders>,
    domains: Option<DomainOrders>,
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
            return Ok(Self::with(Doors { main, mutual: None }));
        }
        let (certificates, orders, shown) = shown(config, now)?;
        let tls = if server.orders_certificates() { Tls::answering_challenges } else { Tls::new };
        let tls = Some(tls(Arc::clone(&shown), server.transport)?);
        let main = Door { socket: bound(server.host, server.port, "server.port").await?, tls };
        let mutual = match server.mtls.port {
            None => None,
            Some(port) => {
                let tls = Some(Tls::asking_for_certificates(shown, server.transport)?);
                Some(Door { socket: bound(server.host, port, "server.mtls.port").await?, tls })
            }
        };
        Ok(Self { doors: Doors { main, mutual }, certificates, orders })
    }

    /// Uses a socket that is already bound; with `tls`, what that agrees on.
    pub fn new(socket: TcpListener, tls: Option<Tls>) -> Self {
        Self::with(Doors { main: Door { socket, tls }, mutual: None })
    }

    fn with(doors: Doors) -> Self {
        Self { doors, certificates: Certificates::default(), orders: Ordering::default() }
    }

    /// The bound address, with the port that was chosen for port 0.
    pub fn address(&self) -> Result<SocketAddr> {
        self.doors.main.socket.local_addr().or_internal()
    }

    /// What clients are shown, as far as it comes from files.
    pub fn certificates(&self) -> Certificates {
        self.certificates.clone()
    }

    /// Serves until `stop` ends; then requests in flight have `grace` to finish.
    pub async fn serve(self, service: Edge, stop: impl Future<Output = ()>, grace: Duration) {
        let app = service.app().clone();
        let (end, ends) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let connections = Arc::new(Connections::new(service, ends));
        let mut ordering = JoinSet::new();
        if let Some(orders) = self.orders.own {
            ordering.spawn(orders.run());
        }
        if let Some(orders) = self.orders.domains {
            ordering.spawn(orders.run(app.clone()));
        }
        let (doors, certificates) = (self.doors, self.certificates);
        let mut upkeep = tokio::time::interval(UPKEEP);
        tokio::pin!(stop);
        loop {
            app.metrics.set("http_connections_open", &[], tasks.len() as u64);
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = tasks.join_next() => {}
                _ = upkeep.tick() => keep_up(&app, &certificates),
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

fn keep_up(app: &App, certificates: &Certificates) {
    app.metrics.upkeep();
    certificates.look_again(app.clock.now());
    let secs = |end: Timestamp| u64::try_from(end.as_secs()).unwrap_or_default();
    if let Some(end) = certificates.end() {
        app.metrics.set("tls_certificate_end_timestamp_seconds", &[], secs(end));
    }
    if certificates.has_domains() {
        let end = certificates.first_domain_end().map_or(0, secs);
        app.metrics.set("tls_domain_certificate_end_timestamp_seconds", &[], end);
    }
}

/// What clients are shown: from files, or from an authority.
fn shown(config: &Config, now: Timestamp) -> Result<(Certificates, Ordering, Arc<dyn ResolvesServerCert>)> {
    let domains = DomainFiles::from_config(config, now)?.map(Arc::new);
    let mut certificates = Certificates { domains: domains.clone(), ..Certificates::default() };
    let mut orders = Ordering { own: None, domains: DomainOrders::from_config(config, domains.clone())? };
    certificates.ordered_domains = orders.domains.as_ref().map(DomainOrders::ordered);
    let usual: Arc<dyn ResolvesServerCert> = if config.server.has_acme() {
        let own = Orders::from_config(config)?;
        let resolver = own.resolver();
        certificates.ordered = Some(own.end());
        orders.own = Some(own);
        resolver
    } else {
        let identity = Arc::new(Identity::from_config(config, now)?);
        identity.remark(config, now);
        certificates.identity = Some(Arc::clone(&identity));
        identity
    };
    let ordered = certificates.ordered_domains.clone();
    Ok((certificates, orders, Arc::new(ByName { domains, ordered, usual })))
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
