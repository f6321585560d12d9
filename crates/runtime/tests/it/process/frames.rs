//! HTTP/2 by hand over TLS (RFC 9113 §4), so that a test can send what no client library would.

use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{PATIENCE, Place};

pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;
pub const END_STREAM: u8 = 1;
pub const END_HEADERS: u8 = 4;
const ACK: u8 = 1;

/// What a client sends first.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// One frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The beginning of a connection: the preface, empty settings, and the widest window for what is answered.
pub fn beginning() -> Vec<u8> {
    const WIDER: [u8; 4] = 0x7fff_0000_u32.to_be_bytes();
    [PREFACE, &frame(SETTINGS, 0, 0, &[]), &frame(WINDOW_UPDATE, 0, 0, &WIDER)].concat()
}

/// The header block of a GET (RFC 7541 §6): method and scheme from the static table, path and authority as they are.
pub fn get_block(path: &str) -> Vec<u8> {
    let literal =
        |name: u8, value: &str| [&[name, u8::try_from(value.len()).unwrap()][..], value.as_bytes()].concat();
    [vec![0x82, 0x87], literal(0x04, path), literal(0x01, "localhost")].concat()
}

/// A header without indexing, its name and value as they are.
pub fn header(name: &str, value: &str) -> Vec<u8> {
    let length = |text: &str| u8::try_from(text.len()).unwrap();
    assert!(length(name).max(length(value)) < 127, "a longer length takes more bytes");
    [&[0, length(name)][..], name.as_bytes(), &[length(value)], value.as_bytes()].concat()
}

/// A connection inside TLS.
pub struct Connection {
    stream: TlsStream<TcpStream>,
    next: u32,
}

/// How a flood went.
#[derive(Debug)]
pub struct Flooded {
    /// What the other end took of it before it closed.
    pub sent: usize,
    /// Streams that were answered with status 200.
    pub served: usize,
}

impl Connection {
    /// Agrees on HTTP/2 with the service of a place, and says nothing yet.
    pub async fn to(place: &Place) -> Self {
        let certificate = CertificateDer::from_pem_file(place.folder.path().join("tls.crt")).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config = builder.unwrap().with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let stream = TcpStream::connect(("127.0.0.1", place.port)).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
        Self { stream, next: 1 }
    }

    /// Sends bytes.
    pub async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
        self.stream.flush().await.unwrap();
    }

    /// One request; whether its status was 200.
    pub async fn gets(&mut self, path: &str) -> bool {
        let stream = self.next;
        self.next += 2;
        self.send(&frame(HEADERS, END_STREAM | END_HEADERS, stream, &get_block(path))).await;
        let mut ok = false;
        loop {
            let answer = received(&mut self.stream).await.expect("the connection stays open");
            match answer.kind {
                SETTINGS if answer.flags & ACK == 0 => self.send(&frame(SETTINGS, ACK, 0, &[])).await,
                PING if answer.flags & ACK == 0 => self.send(&frame(PING, ACK, 0, &answer.payload)).await,
                HEADERS if answer.stream == stream => ok = answer.is_ok(),
                _ => {}
            }
            if answer.stream == stream && answer.flags & END_STREAM != 0 && answer.kind <= HEADERS {
                return ok;
            }
        }
    }

    /// Sends frames to their end or until the other end closes, which it has to do in either case.
    pub async fn floods(self, frames: impl Iterator<Item = Vec<u8>>) -> Flooded {
        let (mut near, mut far) = tokio::io::split(self.stream);
        let send = async {
            let mut sent = 0;
            for frame in frames {
                if far.write_all(&frame).await.is_err() {
                    break;
                }
                sent += frame.len();
            }
            let _ = far.shutdown().await;
            sent
        };
        let hear = async {
            let mut served = 0;
            while let Some(frame) = received(&mut near).await {
                served += usize::from(frame.kind == HEADERS && frame.is_ok());
            }
            served
        };
        let both = async { tokio::join!(send, hear) };
        let (sent, served) = tokio::time::timeout(PATIENCE, both).await.expect("the connection is closed");
        Flooded { sent, served }
    }

    /// Reads until the other end closes.
    pub async fn closed(mut self) {
        while received(&mut self.stream).await.is_some() {}
    }
}

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Frame {
    /// The status comes first, and 200 is an entry of the static table.
    fn is_ok(&self) -> bool {
        self.payload.first() == Some(&0x88)
    }
}

/// The next frame; nothing at the end of the connection.
async fn received(stream: &mut (impl AsyncRead + Unpin)) -> Option<Frame> {
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.ok()?;
    let [a, b, c, kind, flags, stream_id @ ..] = head;
    let mut payload = vec![0; usize::try_from(u32::from_be_bytes([0, a, b, c])).unwrap()];
    stream.read_exact(&mut payload).await.ok()?;
    Some(Frame { kind, flags, stream: u32::from_be_bytes(stream_id), payload })
}
