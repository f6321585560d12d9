//! TLS in this process: the protocol is agreed on by ALPN (RFC 7301), HTTP/2 alone or with HTTP/1.1 (RFC 9113 §3.2); clients
//! may be asked for a certificate (RFC 8705).

use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{NoClientAuth, ResolvesServerCert};
use svc_config::Transport;
use svc_core::{OrInternal as _, Result};
use svc_keys::ClientCertificate;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::client_certificates::AnyCertificate;
use super::unread::Socket;

const HANDSHAKE: Duration = Duration::from_secs(10);
const H2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";
/// By which an authority finds its challenge (RFC 8737 §6.2); nothing follows the handshake.
const CHALLENGE: &[u8] = b"acme-tls/1";

/// Takes connections into TLS.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    /// Whether clients may speak HTTP/1.1 too.
    has_http1: bool,
}

/// What a client speaks inside TLS.
pub(super) enum Spoken {
    Http1(TlsStream<Socket>),
    Http2(TlsStream<Socket>),
}

impl Tls {
    /// Shows the certificate of `identity` to clients.
    pub fn new(identity: Arc<dyn ResolvesServerCert>, transport: Transport) -> Result<Self> {
        Self::with(identity, transport, Arc::new(NoClientAuth), &[])
    }

    /// The same, and lets an authority look for its challenge (RFC 8737).
    pub fn answering_challenges(identity: Arc<dyn ResolvesServerCert>, transport: Transport) -> Result<Self> {
        Self::with(identity, transport, Arc::new(NoClientAuth), &[CHALLENGE])
    }

    /// The same, and asks clients for a certificate, which they may do without.
    pub fn asking_for_certificates(
        identity: Arc<dyn ResolvesServerCert>,
        transport: Transport,
    ) -> Result<Self> {
        Self::with(identity, transport, Arc::new(AnyCertificate::default()), &[])
    }

    /// TLS 1.3, and 1.2 with the forward-secret suites, the only ones that the provider has.
    fn with(
        identity: Arc<dyn ResolvesServerCert>,
        transport: Transport,
        verifier: Arc<dyn ClientCertVerifier>,
        besides: &[&[u8]],
    ) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.or_internal()?.with_client_cert_verifier(verifier);
        let mut config = builder.with_cert_resolver(identity);
        let has_http1 = transport == Transport::Tls;
        let spoken = if has_http1 { &[H2, HTTP1][..] } else { &[H2] };
        config.alpn_protocols = spoken.iter().chain(besides).map(|protocol| protocol.to_vec()).collect();
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), has_http1 })
    }

    /// Completes the handshake, or says why not.
    pub(super) async fn accept(&self, stream: Socket) -> Result<Spoken, &'static str> {
        let stream = match tokio::time::timeout(HANDSHAKE, self.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(_)) => return Err("the TLS handshake failed"),
            Err(_) => return Err("the TLS handshake took too long"),
        };
        // rustls refuses a wrong list of protocols, but lets a client pass that names none.
        match stream.get_ref().1.alpn_protocol() {
            Some(H2) => Ok(Spoken::Http2(stream)),
            Some(CHALLENGE) => Err("an authority looked for its challenge"),
            _ if self.has_http1 => Ok(Spoken::Http1(stream)),
            _ => Err("the client did not agree on HTTP/2"),
        }
    }
}

/// The certificate whose key the client has proven to hold.
pub(super) fn certificate_of(stream: &TlsStream<Socket>) -> Option<Arc<ClientCertificate>> {
    let chain = stream.get_ref().1.peer_certificates()?;
    let chain = chain.iter().map(|certificate| certificate.clone().into_owned());
    ClientCertificate::new(chain).map(Arc::new)
}
