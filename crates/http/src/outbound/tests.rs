use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use svc_core::Class;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;

fn outbound(loopback: bool) -> Outbound {
    let env = [("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK".to_owned(), loopback.to_string())];
    Outbound::new(&Config::load(None, &env).unwrap()).unwrap()
}

/// A server that reads a request and answers every connection with these bytes, again and again if they are to be
/// endless; then it keeps the connection open.
async fn server(answer: &'static str, repeated: Option<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(answer.as_bytes()).await;
                while let Some(more) = repeated {
                    if stream.write_all(more.as_bytes()).await.is_err() {
                        return;
                    }
                }
                let _ = stream.read(&mut request).await;
            });
        }
    });
    format!("http://{address}/document")
}

const SHORT: Limits = Limits { time: Seconds(1), bytes: 64 * 1024 };

#[tokio::test]
async fn an_answer_is_read_with_its_age() {
    let url =
        server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncache-control: max-age=60\r\n\r\n{}", None).await;
    let fetched = outbound(true).get(&url, Limits::default()).await.unwrap();
    assert_eq!((fetched.status, fetched.max_age), (StatusCode::OK, Some(Seconds(60))));
    assert_eq!(fetched.body, "{}");
}

#[tokio::test]
async fn names_of_this_machine_are_resolved_without_asking_anybody() {
    let url = server("HTTP/1.1 204 No Content\r\n\r\n", None).await.replace("127.0.0.1", "app.localhost");
    assert_eq!(outbound(true).get(&url, Limits::default()).await.unwrap().status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_not_followed() {
    let url =
        server("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", None)
            .await;
    let fetched = outbound(true).get(&url, Limits::default()).await.unwrap();
    assert_eq!(fetched.status, StatusCode::FOUND);
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up_in_time() {
    for silent in ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"] {
        let url = server(silent, None).await;
        let error = outbound(true).get(&url, SHORT).await.unwrap_err();
        assert_eq!(error.class(), Class::InvalidRequest, "{error:?}");
    }
}

#[tokio::test]
async fn an_endless_or_announced_huge_body_is_cut_off() {
    let endless = server("HTTP/1.1 200 OK\r\n\r\n", Some("0123456789abcdef0123456789abcdef")).await;
    assert!(outbound(true).get(&endless, Limits::default()).await.is_err());
    let drip = server("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", Some("1\r\nx\r\n")).await;
    assert!(outbound(true).get(&drip, Limits { time: Seconds(5), bytes: 1000 }).await.is_err());
}

#[tokio::test]
async fn a_compressed_answer_is_not_unpacked() {
    let url = server("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nxx", None).await;
    assert!(outbound(true).get(&url, SHORT).await.is_err());
}

#[tokio::test]
async fn of_an_answer_to_what_was_posted_the_beginning_is_read_and_no_more() {
    let client = outbound(true);
    let post = async |url: &str| {
        let limits = Limits { time: Seconds(5), bytes: 1000 };
        client.post_reading_beginning(url, HeaderMap::new(), Bytes::from_static(b"{}"), limits).await.unwrap()
    };
    let endless = server("HTTP/1.1 200 OK\r\n\r\n", Some("0123456789abcdef0123456789abcdef")).await;
    let read = post(&endless).await;
    assert_eq!((read.status, read.body.len()), (StatusCode::OK, 1000));
    let packed =
        server("HTTP/1.1 202 Accepted\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nxx", None).await;
    let read = post(&packed).await;
    assert_eq!((read.status, read.body.len()), (StatusCode::ACCEPTED, 0), "nothing is unpacked");
}

#[tokio::test]
async fn without_the_switch_this_machine_is_out_of_reach_however_it_is_called() {
    let url = server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", None).await;
    let production = outbound(false);
    let names = [url.clone(), url.replace("127.0.0.1", "localhost"), url.replace("127.0.0.1", "2130706433")];
    let mut texts: Vec<_> = Vec::new();
    for url in &names {
        texts.push(production.get(url, SHORT).await.unwrap_err().to_string());
        texts.push(production.check(url).unwrap_err().to_string());
        texts
            .push(production.post(url, HeaderMap::new(), Bytes::new(), SHORT).await.unwrap_err().to_string());
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
}

/// An authority, and a client that trusts it besides the usual ones.
fn authority() -> (Issuer<'static, KeyPair>, Outbound) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), params.self_signed(&key).unwrap().pem()).unwrap();
    let env = [
        ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK".to_owned(), "true".to_owned()),
        ("SVC_SERVER__TLS__CA_PEM_PATH".to_owned(), file.path().display().to_string()),
    ];
    let client = Outbound::new(&Config::load(None, &env).unwrap()).unwrap();
    (Issuer::new(params, key), client)
}

/// A receiver at `localhost` with a certificate of `issuer` for `name`, with changes; and how many requests it has read.
async fn receiver(
    issuer: &Issuer<'static, KeyPair>,
    name: &str,
    change: impl FnOnce(&mut CertificateParams),
) -> (String, Arc<AtomicUsize>) {
    let (mut params, key) =
        (CertificateParams::new([name.to_owned()]).unwrap(), KeyPair::generate().unwrap());
    change(&mut params);
    let certificate = params.signed_by(&key, issuer).unwrap().der().clone();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
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
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await;
            let _ = stream.shutdown().await;
        }
    });
    (url, read)
}

#[tokio::test]
async fn a_receiver_is_told_nothing_unless_its_certificate_is_its_own_valid_and_vouched_for() {
    let (ours, client) = authority();
    let (theirs, _) = authority();
    let limits = Limits::default();
    let post = async |url: &str| client.post(url, HeaderMap::new(), Bytes::from("secret"), limits).await;
    let (url, read) = receiver(&ours, "localhost", |_| ()).await;
    assert_eq!(post(&url).await.unwrap().status, StatusCode::NO_CONTENT);
    assert_eq!(read.load(Ordering::Relaxed), 1);
    for (fault, (url, read)) in [
        (
            "expired",
            receiver(&ours, "localhost", |params| params.not_after = date_time_ymd(2021, 1, 1)).await,
        ),
        (
            "not yet valid",
            receiver(&ours, "localhost", |params| params.not_before = date_time_ymd(3021, 1, 1)).await,
        ),
        ("of another host", receiver(&ours, "elsewhere.example", |_| ()).await),
        ("of an authority that no one trusts", receiver(&theirs, "localhost", |_| ()).await),
    ] {
        let error = post(&url).await.unwrap_err();
        assert_eq!(error.class(), Class::InvalidRequest, "{fault}: {error:?}");
        assert_eq!(read.load(Ordering::Relaxed), 0, "{fault}");
    }
}
