//! What reaches the listener before it is a request: ambiguous framing, endless headers, slow senders, more connections than files may be open
//! (N83, F17, F20).

use std::process::Command;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::faults::ledger::{Ledger, rounds};
use super::{Place, eventually, exchange, get};

const JWKS: &str = "/.well-known/jwks.json";

/// A second request that an ambiguous first one might smuggle past a proxy.
const SMUGGLED: &str = "GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

fn post(headers: &str, body: &str) -> String {
    format!("POST /oauth/token HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n{body}")
}

#[tokio::test]
async fn a_message_whose_end_is_ambiguous_is_refused_and_nothing_behind_it_is_read() {
    let place = Place::populated().await;
    let service = place.serve().await;
    let chunked = format!("0\r\n\r\n{SMUGGLED}");
    for text in [
        post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", &chunked),
        post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", &chunked),
        post("Content-Length: 4\r\nContent-Length: 5\r\n", SMUGGLED),
        post("Content-Length: 4, 5\r\n", SMUGGLED),
        post("Content-Length: +4\r\n", SMUGGLED),
        post("Content-Length: -1\r\n", SMUGGLED),
        post("Content-Length: 0x10\r\n", SMUGGLED),
        post("Content-Length: 4 \x0b\r\n", SMUGGLED),
        post("Content-Length: 18446744073709551617\r\n", SMUGGLED),
        post("Transfer-Encoding: chunked, identity\r\n", &chunked),
        post("Transfer-Encoding: xchunked\r\n", &chunked),
        post("Transfer-Encoding : chunked\r\n", &chunked),
        post("Transfer-Encoding:\x0bchunked\r\n", &chunked),
        post("Transfer-Encoding: chunked\r\n", &format!("zz\r\n{SMUGGLED}")),
        post("Transfer-Encoding: chunked\r\n", &format!("-1\r\n{SMUGGLED}")),
        post("Transfer-Encoding: chunked\r\n", &format!("fffffffffffffffff\r\n{SMUGGLED}")),
        post("Transfer-Encoding: chunked\r\n", &format!("1;ext=\"\n\r\nx\r\n{chunked}")),
        post("X-Folded: a\r\n b\r\nContent-Length: 0\r\n", SMUGGLED),
        post("X Space: a\r\nContent-Length: 0\r\n", SMUGGLED),
        post("X-Null: a\0b\r\nContent-Length: 0\r\n", SMUGGLED),
        post("X-Return: a\rb\r\nContent-Length: 0\r\n", SMUGGLED),
        post(": no name\r\nContent-Length: 0\r\n", SMUGGLED),
        post("Host: evil.example\r\nContent-Length: 0\r\n", ""),
        format!("GET http://evil.example{JWKS} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        format!("GET {JWKS} HTTP/1.1\r\n\r\n"),
        format!("GET {JWKS} HTTP/9.9\r\nHost: localhost\r\n\r\n"),
        format!("GET  {JWKS} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        format!("GET {JWKS}\r\nHost: localhost\r\n\r\n"),
        format!("GET {JWKS} x HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        format!("GE\0T {JWKS} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\x16\x03\x01\x02\x00\x01\x00\x01\x7c\x03\x03".to_owned(),
    ] {
        let closed = text.replace("Host: localhost\r\n", "Host: localhost\r\nConnection: close\r\n");
        let answer = exchange(service.address, closed.as_bytes()).await.unwrap();
        assert!(!answer.contains("\"keys\"") && !answer.contains("HTTP/1.1 200"), "{text:?}: {answer}");
        let answers = answer.matches("HTTP/1.1 ").count();
        assert!(answers <= 1, "{text:?}: {answer}");
        assert!(answers == 0 || answer.starts_with("HTTP/1.1 4"), "{text:?}: {answer}");
    }
    assert_eq!(get(service.address, "/health/ready").await.unwrap().status, 200, "{}", service.log());
}

#[tokio::test]
async fn lines_that_end_in_a_bare_newline_are_one_request_at_most() {
    let place = Place::populated().await;
    let service = place.serve().await;
    let bare = format!("GET {JWKS} HTTP/1.1\nHost: localhost\nConnection: close\n\n");
    let answer = exchange(service.address, bare.as_bytes()).await.unwrap();
    assert!(answer.matches("HTTP/1.1 ").count() <= 1, "{answer}");
    let mixed = post("Content-Length: 0\nTransfer-Encoding: chunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"));
    let answer = exchange(service.address, mixed.as_bytes()).await.unwrap();
    assert!(!answer.contains("\"keys\""), "{answer}");
}

#[tokio::test]
async fn headers_without_end_are_refused_and_cost_nothing() {
    let place = Place::populated().await;
    let service = place.serve().await;
    let start = format!("GET {JWKS} HTTP/1.1\r\nHost: localhost\r\n");
    let many: String = (0..100_000).map(|number| format!("X-{number}: x\r\n")).collect();
    let mut ledger = Ledger::of("HTTP/1.1: headers without end");
    let few: String = (0..200).map(|number| format!("X-{number}: x\r\n")).collect();
    for (what, text) in [
        ("100 000 headers", format!("{start}{many}\r\n")),
        ("more headers than a client needs", format!("{start}{few}\r\n")),
        ("a header of a megabyte", format!("{start}X: {}\r\n\r\n", "x".repeat(1 << 20))),
        ("a header of 40 KiB", format!("{start}X: {}\r\n\r\n", "x".repeat(40 << 10))),
        ("a name of a megabyte", format!("{start}{}: x\r\n\r\n", "x".repeat(1 << 20))),
        ("a path of a megabyte", format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(1 << 20))),
        ("a method of a megabyte", format!("{} / HTTP/1.1\r\nHost: localhost\r\n\r\n", "X".repeat(1 << 20))),
    ] {
        let text = text.replace("Host: localhost\r\n", "Host: localhost\r\nConnection: close\r\n");
        let answer = exchange(service.address, text.as_bytes()).await.unwrap();
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(answer.is_empty() || ["431", "414", "400"].contains(&status), "{what}: {answer:.200}");
        ledger.add("times", 1);
    }
    let resident = service.resident_kib();
    assert!(resident < 256 * 1024, "{resident} KiB");
}

#[tokio::test]
async fn slow_senders_do_not_keep_others_waiting_and_are_cut_off() {
    let place = Place::populated().await;
    let service = place.serve().await;
    let mut ledger = Ledger::of("HTTP/1.1: clients say nothing, or never finish what they say");
    let mut slow = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        let part =
            [&b"GET / HT"[..], b"POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nX-", b""][number % 3];
        stream.write_all(part).await.unwrap();
        slow.push(stream);
    }
    for _ in 0..20 {
        let asked = Instant::now();
        assert_eq!(get(service.address, JWKS).await.unwrap().status, 200);
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        ledger.add("requests of others answered", 1);
    }
    ledger.add("times", slow.len());
    // Thirty seconds for the headers of a request, whether nothing comes or a little.
    for mut stream in slow.drain(..3) {
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(45), stream.read_to_end(&mut answer)).await;
        assert!(read.is_ok(), "a connection that says nothing stays open");
        assert!(!String::from_utf8_lossy(&answer).contains(" 200 "));
    }
}

#[tokio::test]
async fn a_process_gives_itself_as_many_file_descriptors_as_it_may_have() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut place = Place::migrated().await;
    let program = std::mem::replace(&mut place.program, "/usr/bin/prlimit".into());
    let service = place.serve_by(&["--nofile=300:1200", program.to_str().unwrap()]).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", service.process.id())).unwrap();
    let limit = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let words: Vec<_> = limit.split_whitespace().collect();
    assert_eq!(words[3..5], ["1200", "1200"], "{limit}");
}

#[tokio::test]
async fn a_process_without_file_descriptors_serves_again_when_it_has_some() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::populated().await;
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let mut ledger = Ledger::of("The process has no file descriptor left");
    let limit = ["--nofile=256", "--pid", &service.process.id().to_string()];
    assert!(Command::new("prlimit").args(limit).status().unwrap().success());
    for _ in 0..rounds(1).min(20) {
        let token = ada.refresh_token().await;
        let mut held = Vec::new();
        for _ in 0..300 {
            held.push(TcpStream::connect(service.address).await.unwrap());
        }
        eventually("it has none left", async || service.open_files() >= 250).await;
        drop(held);
        eventually("it serves again", async || {
            get(service.address, JWKS).await.is_some_and(|answer| answer.status == 200)
        })
        .await;
        let _ = ada.refresh(&token).await.unwrap().expect(200);
        ledger.add("times", 1);
        ledger.add("acknowledged and lost", 0);
    }
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

#[tokio::test]
async fn a_body_that_does_not_come_is_given_up_at_the_deadline() {
    let mut place = Place::populated().await;
    place.set("SVC_SERVER__REQUEST_TIMEOUT_SECS", "1");
    let service = place.serve().await;
    let head = post(
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\nConnection: close\r\n",
        "x",
    );
    let asked = Instant::now();
    let answer = exchange(service.address, head.as_bytes()).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("x-request-id: "), "{answer}");
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
}
