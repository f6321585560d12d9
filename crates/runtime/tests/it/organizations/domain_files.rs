//! Domains of organizations that a file at their well-known address proves (RFC 8615). A server on this machine has it, over TLS.

use std::sync::{Arc, Mutex};

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use svc_db::{SystemSql, args};
use svc_http::Method;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::World;
use crate::backchannel_logout::LOOPBACK;
use crate::harness::names::Names;

/// A server with one answer for the address of the file.
struct Server {
    authority: String,
    port: u16,
    answer: Arc<Mutex<String>>,
}

impl Server {
    async fn start() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config =
            config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let answer = Arc::<Mutex<String>>::default();
        let given = Arc::clone(&answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let mut request = [0; 4096];
                let length = stream.read(&mut request).await.unwrap_or_default();
                let is_asked = request[..length].starts_with(b"GET /.well-known/svc-domain-verification ");
                let reply = if is_asked { given.lock().unwrap().clone() } else { reply("404 Not Found", "") };
                let _ = stream.write_all(reply.as_bytes()).await;
                let _ = stream.shutdown().await;
            }
        });
        Self { authority: made.cert.pem(), port, answer }
    }
}

fn reply(head: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

#[tokio::test]
async fn a_line_of_the_file_at_the_domain_itself_proves_it() {
    let (names, server) = (Names::serve().await, Server::start().await);
    let authority = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(authority.path(), &server.authority).unwrap();
    let trusted = authority.path().display().to_string();
    let h = names.harness(&[LOOPBACK, ("SVC_SERVER__TLS__CA_PEM_PATH", trusted.as_str())]).await;
    let world = World::new(&h).await;
    let token = world.site.mint(|_| ());
    let domains = format!("/api/v1/organizations/{}/domains", world.initech.id);
    let body = Some(json!({ "domain": "acme.example" }));
    let claimed = world.site.call(Method::POST, &domains, Some(&token), body).await.expect(201).json();
    assert_eq!(claimed["file_uri"], "https://acme.example/.well-known/svc-domain-verification");
    // No name can be claimed whose server would be on this machine.
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = SystemSql::new("UPDATE organization_domains SET domain = $1");
    tx.execute(update, args![format!("localhost:{}", server.port)]).await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("{domains}/{}/verify", claimed["id"].as_str().unwrap());
    let value = claimed["record_value"].as_str().unwrap();
    for (head, body, status) in [
        ("200 OK", String::new(), 409),
        ("200 OK", format!("{value}x"), 409),
        ("404 Not Found", value.to_owned(), 409),
        ("302 Found\r\nlocation: /.well-known/svc-domain-verification", value.to_owned(), 409),
        ("200 OK", "x".repeat(5_000) + "\n" + value, 409),
        ("200 OK", format!("another\r\n{value}\r\n"), 200),
    ] {
        *server.answer.lock().unwrap() = reply(head, &body);
        let answer = world.site.call(Method::POST, &path, Some(&token), None).await;
        assert_eq!(answer.status, status, "{head} {body}: {answer:?}");
    }
}
