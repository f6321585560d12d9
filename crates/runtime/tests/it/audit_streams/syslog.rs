//! Syslog over TLS (RFC 5424, RFC 5425): a receiver that reads frames, trusts authorities, and answers by its end of the connection.

use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::{Stream, happen, log};
use crate::backchannel_logout::LOOPBACK;
use crate::harness::{Harness, Site};
use crate::mtls::authority::{Authority, Certificate};

/// What a receiver does when it has read everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It says farewell, as the standard has it.
    Farewell,
    /// It closes without a farewell, as common receivers do.
    Close,
    /// It resets the connection.
    Reset,
}

/// A receiver on this machine.
struct Receiver {
    port: u16,
    end: Arc<Mutex<End>>,
    connections: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Receiver {
    /// With a certificate of `authority` for `localhost`; clients prove themselves with one of `clients`, if there is such.
    async fn start(authority: &Authority, clients: Option<&Authority>) -> Self {
        let Certificate { pem, key_pem, .. } = &authority.issue("localhost");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let builder = match clients {
            Some(clients) => {
                let mut roots = RootCertStore::empty();
                roots.add(CertificateDer::from_pem_slice(clients.pem.as_bytes()).unwrap()).unwrap();
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                builder.with_client_cert_verifier(verifier.build().unwrap())
            }
            None => builder.with_no_client_auth(),
        };
        let chain = vec![CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(key_pem.as_bytes()).unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(builder.with_single_cert(chain, key).unwrap()));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let receiver = Self {
            port: listener.local_addr().unwrap().port(),
            end: Arc::new(Mutex::new(End::Farewell)),
            connections: Arc::default(),
        };
        let (end, connections) = (Arc::clone(&receiver.end), Arc::clone(&receiver.connections));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let mut bytes = Vec::new();
                if stream.read_to_end(&mut bytes).await.is_err() {
                    continue;
                }
                connections.lock().unwrap().push(bytes);
                let end = *end.lock().unwrap();
                if end == End::Farewell {
                    let _ = stream.shutdown().await;
                }
                if end == End::Reset {
                    stream.get_ref().0.set_zero_linger().unwrap();
                }
            }
        });
        receiver
    }

    fn destination(&self, authority: &Authority) -> Value {
        json!({ "syslog": { "host": "localhost", "port": self.port, "ca_pem": authority.pem, "enterprise_number": 99_999 } })
    }

    /// The messages of each connection, read as frames of RFC 5425 §4.3.
    fn messages(&self) -> Vec<Vec<String>> {
        self.connections.lock().unwrap().iter().map(|bytes| frames(bytes)).collect()
    }
}

fn frames(mut bytes: &[u8]) -> Vec<String> {
    let mut messages = Vec::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|byte| *byte == b' ').unwrap();
        let length: usize = std::str::from_utf8(&bytes[..space]).unwrap().parse().unwrap();
        let (message, rest) = bytes[space + 1..].split_at(length);
        messages.push(String::from_utf8(message.to_vec()).unwrap());
        bytes = rest;
    }
    messages
}

/// The entry in a message, whose header and structured data say the same.
fn entry(message: &str, site: &Site<'_>) -> Value {
    let (header, rest) = message.split_once(" [audit@99999 ").unwrap();
    let (facts, json) = rest.split_once("] ").unwrap();
    let entry: Value = serde_json::from_str(json).unwrap();
    let text = |name: &str| entry[name].as_str().unwrap();
    let priority = if entry["outcome"] == "success" { 110 } else { 108 };
    let host = site.issuer().strip_prefix("https://").unwrap();
    let expected = format!("<{priority}>1 {} {host} svc - {}", text("at"), text("action"));
    assert_eq!(header, expected);
    let fact = |name: &str, value: &str| {
        assert!(facts.contains(&format!("{name}=\"{value}\"")), "{name}: {facts}");
    };
    fact("tenant", &site.tenant.id.to_string());
    fact("position", &entry["position"].to_string());
    for name in ["id", "actor_kind", "actor_id", "action", "target", "outcome", "request_id", "hash"] {
        fact(name, text(name));
    }
    entry
}

#[tokio::test]
async fn a_receiver_gets_each_entry_as_a_message_in_a_frame() {
    let authority = Authority::new("Logs");
    let receiver = Receiver::start(&authority, None).await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, receiver.destination(&authority), None).await;
    let before = stream.read(&site).await["position"].as_i64().unwrap();
    happen(&site, "one").await;
    h.run_jobs().await;
    *receiver.end.lock().unwrap() = End::Close;
    happen(&site, "two").await;
    h.run_jobs().await;
    let messages = receiver.messages();
    assert_eq!(messages.len(), 2, "one connection for each batch");
    let got: Vec<_> = messages.concat().iter().map(|message| entry(message, &site)).collect();
    assert_eq!(got, log(&site, before).await);
    assert_eq!(stream.read(&site).await["behind"], 0);
}

#[tokio::test]
async fn what_a_receiver_did_not_acknowledge_comes_again() {
    let authority = Authority::new("Logs");
    let receiver = Receiver::start(&authority, None).await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, receiver.destination(&authority), None).await;
    let before = stream.read(&site).await["position"].clone();
    *receiver.end.lock().unwrap() = End::Reset;
    h.run_jobs().await;
    let failing = stream.read(&site).await;
    assert_eq!(failing["position"], before);
    assert_eq!(failing["last_error"], "the address gave no usable answer in time");
    *receiver.end.lock().unwrap() = End::Farewell;
    h.advance(6);
    h.run_jobs().await;
    let messages = receiver.messages();
    assert_eq!((messages.len(), &messages[0]), (2, &messages[1]));
    assert_eq!(stream.read(&site).await["failing_since"], json!(null));
}

#[tokio::test]
async fn nothing_is_sent_to_a_receiver_that_no_trusted_authority_vouches_for() {
    let (authority, other) = (Authority::new("Logs"), Authority::new("Other"));
    let receiver = Receiver::start(&authority, None).await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    for ca_pem in [json!(null), json!(other.pem)] {
        let mut destination = receiver.destination(&authority);
        destination["syslog"]["ca_pem"] = ca_pem;
        let stream = Stream::new(&site, destination, None).await;
        h.run_jobs().await;
        assert!(stream.read(&site).await["last_error"].is_string());
    }
    // The certificate is for `localhost`.
    let mut destination = receiver.destination(&authority);
    destination["syslog"]["host"] = json!("127.0.0.1");
    let stream = Stream::new(&site, destination, None).await;
    h.run_jobs().await;
    assert!(stream.read(&site).await["last_error"].is_string());
    assert!(receiver.messages().is_empty());
}

#[tokio::test]
async fn a_receiver_may_ask_for_a_certificate() {
    let (authority, clients) = (Authority::new("Logs"), Authority::new("Clients"));
    let receiver = Receiver::start(&authority, Some(&clients)).await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let without = Stream::new(&site, receiver.destination(&authority), None).await;
    h.run_jobs().await;
    assert!(without.read(&site).await["last_error"].is_string());
    let certificate = clients.issue("svc.example");
    let mut destination = receiver.destination(&authority);
    destination["syslog"]["client_certificate_pem"] = json!(certificate.pem);
    let with = Stream::new(&site, destination, Some(&certificate.key_pem)).await;
    h.run_jobs().await;
    assert_eq!(with.read(&site).await["behind"], 0);
    assert_eq!(receiver.messages().len(), 1);
}
