//! Keys at a `jwks_uri`: fetched once, kept for a while, fetched again for a new name, and never trusted to be well-behaved
//! (N51).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use svc_keys::Algorithm;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::signer::Signer;
use super::{Keyed, changed};
use crate::harness::{Harness, Site};

/// A server on this machine that counts its requests.
struct Server {
    url: String,
    answer: Arc<Mutex<String>>,
    calls: Arc<AtomicUsize>,
}

impl Server {
    async fn start(answer: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/jwks", listener.local_addr().unwrap());
        let (answer, calls) = (Arc::new(Mutex::new(answer)), Arc::new(AtomicUsize::new(0)));
        let (given, counted) = (Arc::clone(&answer), Arc::clone(&calls));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = given.lock().unwrap().clone();
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { url, answer, calls }
    }

    fn say(&self, answer: String) {
        *self.answer.lock().unwrap() = answer;
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

async fn development() -> Harness {
    // Each process has a copy of its own.
    Harness::in_one_process(&[("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true")]).await
}

async fn app_at<'h>(site: &Site<'h>, url: &str) -> Keyed<'h> {
    Keyed::with(site, "a", Algorithm::Es256, |configuration| {
        configuration.jwks = None;
        configuration.jwks_uri = Some(url.to_owned());
    })
    .await
}

#[tokio::test]
async fn a_set_is_fetched_once_also_for_many_at_once_and_again_when_it_is_old() {
    let h = development().await;
    let site = h.tenant("main").await;
    let server = Server::start(String::new()).await;
    let app = app_at(&site, &server.url).await;
    server.say(ok(&app.signer.jwks().to_string()));
    let assertions: Vec<_> = (0..10).map(|_| app.assertion(&[])).collect();
    let tries = futures_util::future::join_all(assertions.iter().map(|assertion| app.tries(assertion))).await;
    assert_eq!((tries, server.calls()), (vec![true; 10], 1));
    h.advance(299);
    assert!(app.tries(&app.assertion(&[])).await);
    assert_eq!(server.calls(), 1);
    h.advance(1);
    assert!(app.tries(&app.assertion(&[])).await);
    assert_eq!(server.calls(), 2);
}

#[tokio::test]
async fn a_new_name_is_asked_for_once_in_a_while() {
    let h = development().await;
    let site = h.tenant("main").await;
    let server = Server::start(String::new()).await;
    let app = app_at(&site, &server.url).await;
    server.say(ok(&app.signer.jwks().to_string()));
    assert!(app.tries(&app.assertion(&[])).await);
    let next = Keyed { signer: Signer::new(Algorithm::Es256), ..app.clone() };
    for _ in 0..5 {
        assert!(!next.tries(&next.assertion(&[])).await, "not yet published");
    }
    assert_eq!(server.calls(), 2, "unknown names do not make us ask again and again");
    server.say(ok(&json!({ "keys": [app.signer.jwk, next.signer.jwk] }).to_string()));
    assert!(!next.tries(&next.assertion(&[])).await, "the set is a moment old");
    h.advance(11);
    assert!(next.tries(&next.assertion(&[])).await);
    assert!(app.tries(&app.assertion(&[])).await);
    assert_eq!(server.calls(), 3);
}

#[tokio::test]
async fn a_key_that_follows_right_after_the_first_use_is_found() {
    let h = development().await;
    let site = h.tenant("main").await;
    let server = Server::start(String::new()).await;
    let app = app_at(&site, &server.url).await;
    server.say(ok(&app.signer.jwks().to_string()));
    assert!(app.tries(&app.assertion(&[])).await);
    let next = Keyed { signer: Signer::new(Algorithm::Es256), ..app.clone() };
    server.say(ok(&next.signer.jwks().to_string()));
    assert!(next.tries(&next.assertion(&[])).await);
    assert!(!app.tries(&app.assertion(&[])).await, "the former key is withdrawn");
    assert_eq!(server.calls(), 2);
}

#[tokio::test]
async fn a_key_without_a_name_that_follows_another_is_found() {
    let h = development().await;
    let site = h.tenant("main").await;
    let server = Server::start(String::new()).await;
    let app = app_at(&site, &server.url).await;
    let nameless = |app: &Keyed<'_>| {
        let header = changed(app.signer.header(), &[("kid", Value::Null)]);
        app.signer.sign(&header, &app.claims())
    };
    server.say(ok(&app.signer.jwks().to_string()));
    assert!(app.tries(&nameless(&app)).await);
    let next = Keyed { signer: Signer::new(Algorithm::Es256), ..app.clone() };
    server.say(ok(&next.signer.jwks().to_string()));
    assert!(next.tries(&nameless(&next)).await);
    assert!(!app.tries(&nameless(&app)).await, "the former key is withdrawn");
    assert_eq!(server.calls(), 2, "a signature that does not verify does not make us ask again and again");
}

#[tokio::test]
async fn a_server_that_fails_is_left_alone_for_a_while_and_no_client_gets_in() {
    let h = development().await;
    let site = h.tenant("main").await;
    let server =
        Server::start("HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned()).await;
    let app = app_at(&site, &server.url).await;
    for _ in 0..5 {
        assert!(!app.tries(&app.assertion(&[])).await);
    }
    assert_eq!(server.calls(), 1);
    server.say(ok(&app.signer.jwks().to_string()));
    h.advance(46);
    assert!(app.tries(&app.assertion(&[])).await);
    // A set that has grown old while its server is away is not believed any longer.
    server.say(String::new());
    h.advance(301);
    assert!(!app.tries(&app.assertion(&[])).await);
}

#[tokio::test]
async fn an_answer_that_is_no_small_set_of_public_keys_lets_no_client_in() {
    let h = development().await;
    let site = h.tenant("main").await;
    let server = Server::start(String::new()).await;
    let app = app_at(&site, &server.url).await;
    let jwk = app.signer.jwk.clone();
    let mut private = jwk.clone();
    private["d"] = json!("AAAA");
    let padding = "x".repeat(64 * 1024);
    for (case, answer) in [
        ("html", ok("<html>")),
        ("nothing", ok("")),
        ("a private key", ok(&json!({ "keys": [jwk, private] }).to_string())),
        ("a symmetric key", ok(&json!({ "keys": [jwk, { "kty": "oct", "k": "AAAA" }] }).to_string())),
        ("a thousand keys", ok(&json!({ "keys": vec![&jwk; 100] }).to_string())),
        ("too long", ok(&json!({ "keys": [jwk], "padding": padding }).to_string())),
        ("twice the same name", ok(&json!({ "keys": [jwk, jwk] }).to_string())),
        (
            "a redirect",
            format!(
                "HTTP/1.1 302 Found\r\nlocation: {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
                server.url
            ),
        ),
    ] {
        server.say(answer);
        h.advance(400);
        assert!(!app.tries(&app.assertion(&[])).await, "{case}");
    }
}

#[tokio::test]
async fn without_the_switch_this_machine_is_never_asked() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let server = Server::start(String::new()).await;
    let app = app_at(&site, &server.url).await;
    server.say(ok(&app.signer.jwks().to_string()));
    assert!(!app.tries(&app.assertion(&[])).await);
    assert_eq!(server.calls(), 0);
}
