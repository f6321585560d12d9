use svc_core::Class;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

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
