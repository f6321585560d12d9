//! A receiver without a trusted certificate gets no events; they wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use svc_http::Method;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::{Subscription, call, suspend};
use crate::backchannel_logout::LOOPBACK;
use crate::harness::Harness;

/// A receiver on this machine that vouches for itself, and how many requests it has read.
async fn receiver() -> (String, Arc<AtomicUsize>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/events", listener.local_addr().unwrap().port());
    let read = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&read);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = [0; 4096];
            if stream.read(&mut request).await.is_ok_and(|length| length > 0) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    (url, read)
}

#[tokio::test]
async fn a_delivery_waits_while_the_certificate_of_its_receiver_is_not_to_be_trusted() {
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let (url, read) = receiver().await;
    let webhook = Subscription::new(&site, &url, "tenant_user.suspended").await;
    suspend(&site, "ada").await;
    for wait in [0, 10, 60] {
        h.advance(wait);
        h.run_jobs().await;
        let deliveries = webhook.deliveries(&site).await;
        let [delivery] = deliveries.as_slice() else { panic!("{deliveries:?}") };
        assert_eq!(delivery["state"], json!("pending"), "{delivery}");
    }
    assert_eq!(read.load(Ordering::Relaxed), 0, "nothing was said before the handshake");
}

#[tokio::test]
async fn the_history_says_of_an_attempt_without_an_answer_that_there_was_none() {
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let (url, _) = receiver().await;
    let webhook = Subscription::new(&site, &url, "tenant_user.suspended").await;
    suspend(&site, "ada").await;
    h.run_jobs().await;
    let delivery = webhook.deliveries(&site).await[0].clone();
    let path = webhook.path(&format!("/deliveries/{}", delivery["id"].as_str().unwrap()));
    let shown = call(&site, Method::GET, &path, None).await.expect(200).json();
    let attempt = &shown["attempts"][0];
    let told = (&attempt["status"], &attempt["answer"]);
    assert_eq!(told, (&json!(null), &json!("the address gave no usable answer in time")));
    assert!(attempt["request_headers"].is_object() && attempt.get("answer_headers").is_none(), "{attempt}");
}
