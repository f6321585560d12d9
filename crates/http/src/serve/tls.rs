//! TLS in this process: the protocol is agreed on by ALPN (RFC 7301), HTTP/2 alone or with HTTP/1.1 (RFC 9113 §3.2).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use svc_config::{Config, Transport};
use svc_core::{Error, Result};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

const HANDSHAKE: Duration = Duration::from_secs(10);
const H2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// Takes connections into TLS.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    /// Whether clients may speak HTTP/1.1 too.
    has_http1: bool,
}

/// What a client speaks inside TLS.
pub(super) enum Spoken {
    Http1(TlsStream<TcpStream>),
    Http2(TlsStream<TcpStream>),
}

impl Tls {
    /// The files of `[server.tls]`.
    pub fn from_config(config: &Config) -> Result<Self> {
        let tls = &config.server.tls;
        match (&tls.cert_pem_path, &tls.key_pem_path) {
            (Some(certificate), Some(key)) => Self::load(certificate, key, config.server.transport),
            _ => Err(Error::bad_request(
                "server.tls: cert_pem_path and key_pem_path are required by server.transport",
            )),
        }
    }

    /// Reads a certificate chain and its key, both in PEM.
    fn load(certificate: &Path, key: &Path, transport: Transport) -> Result<Self> {
        let unreadable = |path: &Path, error: rustls::pki_types::pem::Error| {
            Error::bad_request(format!("{} cannot be read as PEM: {error}", path.display()))
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
            .map_err(|error| unreadable(certificate, error))?;
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error))?;
        Self::new(chain, secret, transport)
    }

    /// Uses a certificate chain and its key.
    pub fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
        transport: Transport,
    ) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| {
                Error::bad_request("the TLS certificate and key do not work together").caused_by(error)
            })?;
        let has_http1 = transport == Transport::Tls;
        config.alpn_protocols = if has_http1 { vec![H2.to_vec(), HTTP1.to_vec()] } else { vec![H2.to_vec()] };
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), has_http1 })
    }

    /// Completes the handshake, or says why not.
    pub(super) async fn accept(&self, stream: TcpStream) -> Result<Spoken, &'static str> {
        let stream = match tokio::time::timeout(HANDSHAKE, self.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(_)) => return Err("the TLS handshake failed"),
            Err(_) => return Err("the TLS handshake took too long"),
        };
        // rustls refuses a wrong list of protocols, but lets a client pass that names none.
        match stream.get_ref().1.alpn_protocol() {
            Some(H2) => Ok(Spoken::Http2(stream)),
            _ if self.has_http1 => Ok(Spoken::Http1(stream)),
            _ => Err("the client did not agree on HTTP/2"),
        }
    }
}
