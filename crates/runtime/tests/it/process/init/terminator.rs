//! TLS in front of the PostgreSQL of the tests, which has none: production demands it. As poolers do, it ends TLS and passes on
//! what it hears.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use url::Url;

use crate::mtls::authority::Certificate;

/// `SSLRequest` (PostgreSQL 15, §55.7).
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// The address of the same database over TLS, for as long as this process lives.
pub fn in_front_of(url: &str) -> String {
    let mut url = Url::parse(url).unwrap();
    let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432));
    let (ready, port) = std::sync::mpsc::channel();
    // Of its own, because tests wait for processes without giving way to others.
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            ready.send(listener.local_addr().unwrap().port()).unwrap();
            let acceptor = acceptor();
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass_on(client, acceptor.clone(), server.clone()));
            }
        });
    });
    url.set_port(Some(port.recv().unwrap())).unwrap();
    url.to_string()
}

async fn pass_on(mut client: TcpStream, acceptor: TlsAcceptor, server: String) -> std::io::Result<()> {
    let mut request = [0; 8];
    client.read_exact(&mut request).await?;
    assert_eq!(request, SSL_REQUEST, "a connection without TLS");
    client.write_all(b"S").await?;
    let mut client = acceptor.accept(client).await?;
    let mut server = TcpStream::connect(server).await?;
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

fn acceptor() -> TlsAcceptor {
    let own = Certificate::self_signed("localhost");
    let chain = vec![CertificateDer::from_pem_slice(own.pem.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(own.key_pem.as_bytes()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = builder.unwrap().with_no_client_auth().with_single_cert(chain, key).unwrap();
    TlsAcceptor::from(Arc::new(config))
}
