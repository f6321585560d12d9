//! A mail relay that speaks STARTTLS (RFC 3207), on a thread of its own, until it is dropped.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

/// It listens as long as this lives.
pub struct Relay {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Relay {
    /// Listens with the certificate of a deployment.
    pub fn start(port: u16, dir: &Path) -> Self {
        let acceptor = acceptor(dir);
        let (ready, listens) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
                ready.send(()).unwrap();
                tokio::select! {
                    () = answer(listener, acceptor) => {}
                    _ = stopped => {}
                }
            });
        });
        listens.recv().unwrap();
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}

async fn answer(listener: TcpListener, acceptor: TlsAcceptor) {
    while let Ok((stream, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let plain: Option<TcpStream> = talk(stream, "220 relay\r\n").await;
            if let Ok(secured) = acceptor.accept(plain.unwrap()).await {
                talk(secured, "").await;
            }
        });
    }
}

/// Answers commands; returns the stream where TLS is to begin.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(stream: S, greeting: &str) -> Option<S> {
    let mut stream = BufReader::new(stream);
    stream.write_all(greeting.as_bytes()).await.ok()?;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let reply = match line.split_whitespace().next().unwrap_or_default() {
            "EHLO" => "250-relay\r\n250 STARTTLS\r\n",
            "STARTTLS" => "220 go on\r\n",
            "QUIT" => "221 bye\r\n",
            _ => "250 ok\r\n",
        };
        stream.write_all(reply.as_bytes()).await.ok()?;
        if line.starts_with("STARTTLS") {
            return Some(stream.into_inner());
        }
    }
}

fn acceptor(dir: &Path) -> TlsAcceptor {
    let chain = vec![CertificateDer::from_pem_file(dir.join("tls/fullchain.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(dir.join("tls/key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = builder.unwrap().with_no_client_auth().with_single_cert(chain, key).unwrap();
    TlsAcceptor::from(Arc::new(config))
}
