//! The listener, over real sockets of this machine.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use svc_config::{Config, Transport};
use svc_core::{Clock as _, SystemClock, Timestamp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::World;
use crate::{Identity, Listener, Phase, PlainCx, Route, Routes, Tls};

static ENTERED: Notify = Notify::const_new();
static MAY_LEAVE: Notify = Notify::const_new();

async fn hello(_: PlainCx) -> &'static str {
    "hello"
}

async fn slow(_: PlainCx) -> &'static str {
    ENTERED.notify_one();
    MAY_LEAVE.notified().await;
    "finished"
}

async fn stuck(_: PlainCx) -> &'static str {
    std::future::pending().await
}

struct Running {
    world: World,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

async fn start(tls: Option<Tls>, grace: Duration) -> Running {
    let world = World::new(Routes::new([
        Route::get("/hello").deployment("test", hello),
        Route::get("/slow").deployment("test", slow),
        Route::get("/stuck").deployment("test", stuck),
    ]))
    .await;
    let listener = Listener::new(TcpListener::bind("127.0.0.1:0").await.unwrap(), tls);
    let address = listener.address().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let ended = tokio::spawn(listener.serve(world.edge.clone(), stopped, grace));
    Running { world, address, stop, ended }
}

async fn exchange(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    answer
}

fn plain(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
}

#[tokio::test]
async fn plain_http_speaks_http_1_and_no_http_2() {
    let running = start(None, Duration::from_secs(5)).await;
    let answer = exchange(running.address, &plain("/hello")).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("hello"), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("\r\ndate: "), "{answer}");
    let preface = exchange(running.address, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
    assert!(!preface.contains("200 OK"), "{preface}");
}

#[tokio::test]
async fn smuggling_attempts_never_reach_a_handler_twice() {
    let running = start(None, Duration::from_secs(5)).await;
    let both = "POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n\
                0\r\n\r\nGET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let two_lengths =
        "POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n";
    let folded = "GET /hello HTTP/1.1\r\nHost: localhost\r\nX-A: a\r\n b\r\n\r\n";
    let two_hosts =
        "GET /hello HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    for text in [two_lengths, folded, two_hosts] {
        let answer = exchange(running.address, text).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{text:?}: {answer}");
    }
    let answer = exchange(running.address, both).await;
    assert!(!answer.contains("200 OK\r\n") || answer.matches("HTTP/1.1").count() <= 2, "{answer}");
    let huge = format!("GET /hello HTTP/1.1\r\nHost: localhost\r\nX-A: {}\r\n\r\n", "x".repeat(1 << 20));
    let answer = exchange(running.address, &huge).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test]
async fn a_request_in_flight_is_finished_and_new_ones_are_refused() {
    let running = start(None, Duration::from_mins(1)).await;
    let address = running.address;
    let in_flight = tokio::spawn(async move { exchange(address, &plain("/slow")).await });
    ENTERED.notified().await;
    running.stop.send(()).unwrap();
    while running.world.app.readiness.phase() != Phase::Draining {
        tokio::task::yield_now().await;
    }
    MAY_LEAVE.notify_one();
    assert!(in_flight.await.unwrap().ends_with("finished"));
    running.ended.await.unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn at_the_deadline_what_has_not_finished_is_cut_off() {
    let running = start(None, Duration::from_millis(10)).await;
    let address = running.address;
    let stuck = tokio::spawn(async move { exchange(address, &plain("/stuck")).await });
    // A connection that never speaks must not hold the process either.
    let _silent = TcpStream::connect(address).await.unwrap();
    exchange(address, &plain("/hello")).await;
    running.stop.send(()).unwrap();
    running.ended.await.unwrap();
    assert_eq!(stuck.await.unwrap(), "");
}

struct Certificate {
    tls: Tls,
    roots: RootCertStore,
}

fn certificate(transport: Transport) -> Certificate {
    let folder = tempfile::tempdir().unwrap();
    let roots = write_certificate(folder.path());
    let identity = Identity::from_config(&naming(folder.path()), SystemClock.now()).unwrap();
    Certificate { tls: Tls::new(Arc::new(identity), transport).unwrap(), roots }
}

/// Writes a certificate for `localhost` and its key; returns who trusts it.
fn write_certificate(folder: &Path) -> RootCertStore {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("tls.crt"), cert.pem()).unwrap();
    std::fs::write(folder.join("tls.key"), signing_key.serialize_pem()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    roots
}

/// The configuration that names these files.
fn naming(folder: &Path) -> Config {
    let mut config = Config::default();
    config.server.tls.cert_pem_path = Some(folder.join("tls.crt"));
    config.server.tls.key_pem_path = Some(folder.join("tls.key"));
    config
}

#[tokio::test]
async fn a_certificate_that_is_read_again_is_shown_to_the_next_client_and_a_broken_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = write_certificate(folder.path());
    let now = SystemClock.now();
    let identity = Arc::new(Identity::from_config(&naming(folder.path()), now).unwrap());
    let tls = Tls::new(identity.clone(), Transport::Tls).unwrap();
    let running = start(Some(tls), Duration::from_secs(5)).await;
    let accepts = async |roots: &RootCertStore| {
        connect(running.address, roots.clone(), &[b"http/1.1"]).await.map(drop).is_ok()
    };
    let mut open = connect(running.address, first.clone(), &[b"http/1.1"]).await.unwrap();
    let second = write_certificate(folder.path());
    assert!(accepts(&first).await && !accepts(&second).await);
    identity.reload(now);
    assert!(accepts(&second).await && !accepts(&first).await);
    std::fs::write(folder.path().join("tls.key"), "nonsense").unwrap();
    identity.reload(now);
    assert!(accepts(&second).await);
    // The connection of before goes on.
    open.write_all(plain("/hello").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = open.read_to_end(&mut answer).await;
    assert!(answer.starts_with(b"HTTP/1.1 200 OK"), "{answer:?}");
}

#[test]
fn a_certificate_that_clients_would_refuse_is_refused_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |now| Identity::from_config(&naming(folder.path()), now).unwrap_err().detail().to_owned();
    let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
    let key = KeyPair::generate().unwrap();
    std::fs::write(folder.path().join("tls.crt"), params.self_signed(&key).unwrap().pem()).unwrap();
    std::fs::write(folder.path().join("tls.key"), key.serialize_pem()).unwrap();
    let at = Timestamp::from_secs;
    assert!(
        refusal(at(1_700_000_000)).contains("expired at 2021-01-01T00:00:00"),
        "{}",
        refusal(at(1_700_000_000))
    );
    assert!(refusal(at(1_500_000_000)).contains("is good only from 2020-01-01T00:00:00"));
    assert!(Identity::from_config(&naming(folder.path()), at(1_590_000_000)).is_ok());
    std::fs::write(folder.path().join("tls.key"), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    assert_eq!(refusal(at(1_590_000_000)), "the TLS certificate and key do not work together");
}

#[test]
fn a_chain_in_the_wrong_order_and_a_key_with_a_passphrase_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let read = || Identity::from_config(&naming(folder.path()), Timestamp::from_secs(1_590_000_000));
    let pem = |key: &KeyPair| {
        CertificateParams::new(["localhost".to_owned()]).unwrap().self_signed(key).unwrap().pem()
    };
    let (authority, own) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    write("tls.key", &own.serialize_pem());
    write("tls.crt", &format!("{}{}", pem(&own), pem(&authority)));
    assert!(read().is_ok());
    write("tls.crt", &format!("{}{}", pem(&authority), pem(&own)));
    let refused = read().unwrap_err();
    assert!(refused.detail().contains("put the server's own certificate first"), "{refused}");
    for key in [
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIB\n-----END RSA PRIVATE KEY-----\n",
    ] {
        write("tls.key", key);
        let refused = read().unwrap_err();
        assert!(refused.detail().contains("write the key without a passphrase"), "{refused}");
    }
}

#[tokio::test]
async fn the_end_of_the_certificate_is_measured_and_that_of_the_first_of_a_custom_domain() {
    let folder = tempfile::tempdir().unwrap();
    write_certificate(folder.path());
    let domains = folder.path().join("domains");
    for (name, year) in [("login.acme.example", 2041), ("login.other.example", 2040)] {
        let (of_domain, key) = (domains.join(name), KeyPair::generate().unwrap());
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_after = date_time_ymd(year, 1, 1);
        std::fs::create_dir_all(&of_domain).unwrap();
        std::fs::write(of_domain.join("fullchain.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
        std::fs::write(of_domain.join("privkey.pem"), key.serialize_pem()).unwrap();
    }
    let (mut config, now) = (naming(folder.path()), SystemClock.now());
    (config.server.transport, config.server.port) = (Transport::Tls, 0);
    config.server.tls.domains_folder = Some(domains);
    let end = Identity::from_config(&config, now).unwrap().ends_at().unwrap();
    let measured = format!("\ntls_certificate_end_timestamp_seconds {}\n", end.as_secs());
    // The beginning of 2040.
    let first_of_domains = "\ntls_domain_certificate_end_timestamp_seconds 2208988800\n";
    let world = World::new(Routes::default()).await;
    let metrics = world.app.metrics.clone();
    let until_measured = async {
        while ![measured.as_str(), first_of_domains].iter().all(|line| metrics.render().contains(*line)) {
            tokio::task::yield_now().await;
        }
    };
    let listener = Listener::bind(&config, now).await.unwrap();
    let serving = listener.serve(world.edge.clone(), until_measured, Duration::ZERO);
    tokio::time::timeout(Duration::from_secs(30), serving).await.unwrap();
}

async fn connect(
    address: SocketAddr,
    roots: RootCertStore,
    protocols: &[&[u8]],
) -> std::io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    tokio_rustls::TlsConnector::from(Arc::new(config))
        .connect(ServerName::try_from("localhost").unwrap(), stream)
        .await
}

#[tokio::test]
async fn tls_serves_http_2_to_clients_that_ask_for_it() {
    let certificate = certificate(Transport::TlsH2Only);
    let running = start(Some(certificate.tls), Duration::from_secs(5)).await;
    let stream = connect(running.address, certificate.roots, &[b"h2"]).await.unwrap();
    let io = hyper_util::rt::TokioIo::new(stream);
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) = hyper::client::conn::http2::handshake(executor, io).await.unwrap();
    tokio::spawn(connection);
    let request =
        axum::http::Request::get("https://localhost/hello").body(axum::body::Body::empty()).unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["strict-transport-security"], "max-age=63072000");
}

#[tokio::test]
async fn tls_refuses_clients_that_do_not_agree_on_http_2() {
    let certificate = certificate(Transport::TlsH2Only);
    let running = start(Some(certificate.tls), Duration::from_secs(5)).await;
    assert!(connect(running.address, certificate.roots.clone(), &[b"http/1.1"]).await.is_err());
    // Without any list the handshake itself succeeds; the connection must end without an answer.
    let mut answer = Vec::new();
    if let Ok(mut stream) = connect(running.address, certificate.roots, &[]).await {
        let _ = stream.write_all(plain("/hello").as_bytes()).await;
        let _ = stream.read_to_end(&mut answer).await;
    }
    assert_eq!(answer, b"");
}

#[tokio::test]
async fn the_wider_tls_serves_both_protocols_and_clients_that_name_none() {
    let certificate = certificate(Transport::Tls);
    let running = start(Some(certificate.tls), Duration::from_secs(5)).await;
    for (offered, agreed) in
        [(&[&b"h2"[..], b"http/1.1"][..], Some(&b"h2"[..])), (&[b"http/1.1"], Some(b"http/1.1")), (&[], None)]
    {
        let mut stream = connect(running.address, certificate.roots.clone(), offered).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), agreed);
        if agreed != Some(b"h2") {
            stream.write_all(plain("/hello").as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            let answer = String::from_utf8(answer).unwrap().to_ascii_lowercase();
            assert!(answer.starts_with("http/1.1 200 "), "{answer}");
            assert!(answer.contains("strict-transport-security: max-age=63072000"), "{answer}");
        }
    }
    assert!(connect(running.address, certificate.roots, &[b"spdy/3"]).await.is_err());
}
