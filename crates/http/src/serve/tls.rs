//! TLS in this process: HTTP/2 by ALPN and nothing else (RFC 9113 §3.2, RFC 7301).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use svc_core::{Error, Result};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

const HANDSHAKE: Duration = Duration::from_secs(10);
const H2: &[u8] = b"h2";

/// Takes connections into TLS.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

impl Tls {
    /// Reads a certificate chain and its key, both in PEM.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self> {
        let unreadable = |path: &Path, error: rustls::pki_types::pem::Error| {
            Error::bad_request(format!("{} cannot be read as PEM: {error}", path.display()))
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
            .map_err(|error| unreadable(certificate, error))?;
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error))?;
        Self::new(chain, secret)
    }

    /// Uses a certificate chain and its key.
    pub fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| {
                Error::bad_request("the TLS certificate and key do not work together").caused_by(error)
            })?;
        config.alpn_protocols = vec![H2.to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    /// Completes the handshake, or says why not.
    pub(super) async fn accept(&self, stream: TcpStream) -> Result<TlsStream<TcpStream>, &'static str> {
        let stream = match tokio::time::timeout(HANDSHAKE, self.0.accept(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(_)) => return Err("the TLS handshake failed"),
            Err(_) => return Err("the TLS handshake took too long"),
        };
        // rustls refuses a wrong list of protocols, but lets a client pass that names none.
        let protocol = stream.get_ref().1.alpn_protocol();
        if protocol == Some(H2) { Ok(stream) } else { Err("the client did not agree on HTTP/2") }
    }
}
