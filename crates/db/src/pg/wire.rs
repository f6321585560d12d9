//! The stream to the server. The driver greets the server over it (TLS, authentication, parameters) and gives it back.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::BytesMut;
use postgres_protocol::message::frontend;
use rustls::pki_types::{InvalidDnsNameError, ServerName};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::UnixStream;
use tokio_postgres::config::{Config, Host, SslMode, SslNegotiation};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};

use crate::tls::Tls;

/// What carries bytes to a server and back, with or without TLS.
pub(super) trait Transport: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Transport for T {}

pub(super) type Wire = Box<dyn Transport>;

/// Connects to the first server that answers as `config` asks, and returns the stream once the server is ready for queries.
pub(super) async fn connect(config: &Config, tls: &Tls) -> Result<Wire, tokio_postgres::Error> {
    let greeting = Greeting::new(config, tls);
    // The driver hands over what it takes for the TLS session before anything was sent: whether there is one is decided here.
    let mut config = config.clone();
    config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
    for (at, host) in config.get_hosts().iter().enumerate() {
        let Host::Unix(folder) = host else { continue };
        let ports = config.get_ports();
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        if let Ok(socket) = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await {
            let greeter = Greeter { name: None, greeting: greeting.clone() };
            drop(config.connect_raw(socket, greeter).await?);
            return Ok(greeting.take());
        }
    }
    drop(config.connect(greeting.clone()).await?);
    Ok(greeting.take())
}

/// Makes the stream that the driver greets the server over.
#[derive(Clone)]
struct Greeting {
    tls: Tls,
    mode: SslMode,
    is_direct: bool,
    lent: Lent,
}

/// The same for one host. A socket in the file system has no name, and no TLS.
struct Greeter {
    name: Option<ServerName<'static>>,
    greeting: Greeting,
}

impl Greeting {
    fn new(config: &Config, tls: &Tls) -> Self {
        let is_direct = config.get_ssl_negotiation() == SslNegotiation::Direct;
        Self { tls: tls.clone(), mode: config.get_ssl_mode(), is_direct, lent: Lent::default() }
    }

    /// The stream, after the driver has done with it.
    fn take(&self) -> Wire {
        // An empty stream where there is none: the first use finds it closed.
        self.lent
            .wire()
            .take()
            .unwrap_or_else(|| Box::new(tokio::io::join(tokio::io::empty(), tokio::io::sink())))
    }
}

impl<S: Transport + 'static> MakeTlsConnect<S> for Greeting {
    type Stream = Lent;
    type TlsConnect = Greeter;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Greeter, InvalidDnsNameError> {
        let name = match self.mode {
            SslMode::Disable => None,
            _ => Some(ServerName::try_from(domain)?.to_owned()),
        };
        Ok(Greeter { name, greeting: self.clone() })
    }
}

impl<S: Transport + 'static> TlsConnect<S> for Greeter {
    type Stream = Lent;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Lent>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let lent = self.greeting.lent.clone();
            let wire = self.secured(stream).await?;
            *lent.wire() = Some(wire);
            Ok(lent)
        })
    }
}

impl Greeter {
    /// Asks for TLS as far as it is wanted (PostgreSQL 15, §55.2.10).
    async fn secured<S: Transport + 'static>(self, mut stream: S) -> io::Result<Wire> {
        let Self { name: Some(name), greeting: Greeting { tls, mode, is_direct, .. } } = self else {
            return Ok(Box::new(stream));
        };
        if !is_direct {
            let mut asking = BytesMut::new();
            frontend::ssl_request(&mut asking);
            stream.write_all(&asking).await?;
            if stream.read_u8().await? != b'S' {
                return match mode {
                    SslMode::Require => Err(io::Error::other("the server does not support TLS")),
                    _ => Ok(Box::new(stream)),
                };
            }
        }
        Ok(Box::new(tls.session(name, stream).await?))
    }
}

/// A handle on the stream, which the driver drops when it has greeted the server.
#[derive(Clone, Default)]
struct Lent(Arc<Mutex<Option<Wire>>>);

impl Lent {
    fn wire(&self) -> MutexGuard<'_, Option<Wire>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        use_it: impl FnOnce(Pin<&mut dyn Transport>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match self.wire().as_deref_mut() {
            Some(wire) => use_it(Pin::new(wire)),
            None => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }
}

impl TlsStream for Lent {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Lent {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.with(|wire| wire.poll_read(cx, buffer))
    }
}

impl AsyncWrite for Lent {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.with(|wire| wire.poll_write(cx, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|wire| wire.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|wire| wire.poll_shutdown(cx))
    }
}
