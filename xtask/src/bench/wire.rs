//! How requests travel: HTTP/1.1 in the clear, or HTTP/2 over TLS.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::Result;

/// What a client trusts.
pub type Tls = Arc<ClientConfig>;

/// One open connection.
pub enum Sender {
    /// HTTP/1.1.
    Plain(http1::SendRequest<Full<Bytes>>),
    /// HTTP/2 over TLS.
    Secured(http2::SendRequest<Full<Bytes>>),
}

impl Sender {
    /// Opens a connection to a port of 127.0.0.1. One that breaks is seen by the request that waits on it.
    pub async fn connect(port: u16, tls: Option<&Tls>) -> Result<Self> {
        let stream = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        stream.set_nodelay(true)?;
        let Some(tls) = tls else {
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
            tokio::spawn(async move { connection.await.ok() });
            return Ok(Self::Plain(sender));
        };
        let name = ServerName::try_from("localhost")?;
        let stream = TlsConnector::from(tls.clone()).connect(name, stream).await?;
        let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await?;
        tokio::spawn(async move { connection.await.ok() });
        Ok(Self::Secured(sender))
    }

    /// Whether the next request can be sent.
    pub async fn is_ready(&mut self) -> bool {
        match self {
            Self::Plain(sender) => sender.ready().await.is_ok(),
            Self::Secured(sender) => sender.ready().await.is_ok(),
        }
    }

    /// Sends a request.
    pub async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        Ok(match self {
            Self::Plain(sender) => sender.send_request(request).await?,
            Self::Secured(sender) => sender.send_request(request).await?,
        })
    }
}

/// A client of HTTP/2 that trusts one certificate.
pub fn trusting(certificate: &Path) -> Result<Tls> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate)?)?;
    let provider = Arc::new(tokio_rustls::rustls::crypto::aws_lc_rs::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = versions.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(Arc::new(config))
}
