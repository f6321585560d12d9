//! HTTP/1.1 by hand over one connection each, so that tests can break it, and see where it broke.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use svc_http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::PATIENCE;
use crate::harness::Answer;
use crate::harness::secrets::Secrets;

/// Sends bytes on a connection of their own and reads until it closes; nothing where no process listens.
pub async fn exchange(address: SocketAddr, bytes: &[u8]) -> Option<String> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    // A peer that has heard enough closes before everything was sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an answer in time");
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// One request; nothing where the connection broke before the answer was whole.
pub async fn request(
    address: SocketAddr,
    head: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<Answer> {
    let mut text = format!("{head} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n", address.port());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    let target = head.split(' ').nth(1).unwrap_or_default();
    with_secrets(address, |secrets| secrets.sent(target, headers, body));
    let answer = parsed(&exchange(address, format!("{text}\r\n{body}").as_bytes()).await?)?;
    with_secrets(address, |secrets| secrets.received(&answer));
    Some(answer)
}

/// The secrets that passed through an address, which one test has for itself.
pub fn with_secrets<T>(address: SocketAddr, act: impl FnOnce(&Secrets) -> T) -> T {
    static SEEN: Mutex<BTreeMap<SocketAddr, Arc<Secrets>>> = Mutex::new(BTreeMap::new());
    let secrets = Arc::clone(SEEN.lock().unwrap().entry(address).or_default());
    act(&secrets)
}

/// A GET without further headers.
pub async fn get(address: SocketAddr, path: &str) -> Option<Answer> {
    request(address, &format!("GET {path}"), &[], "").await
}

/// An answer that came whole.
pub fn parsed(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let mut headers = HeaderMap::new();
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        headers.append(name.parse::<HeaderName>().ok()?, HeaderValue::from_str(value).ok()?);
    }
    let length = headers.get("content-length").and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let is_chunked = headers.get("transfer-encoding").is_some();
    if is_chunked && !body.ends_with("0\r\n\r\n") || length.is_some_and(|length| length != body.len()) {
        return None;
    }
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    Some(Answer { status, headers, body })
}

fn unchunked(body: &str) -> String {
    let (mut text, mut rest) = (String::new(), body);
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or_default();
        text.push_str(&more[..size]);
        rest = more.get(size + 2..).unwrap_or_default();
    }
    text
}
