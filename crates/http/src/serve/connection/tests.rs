//! Connections over pipes of this process, whose clients read as little as they like while the clock of the runtime is moved.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::client::conn::http2::{Builder, SendRequest};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::{Instant, pause, resume, sleep, timeout};

use super::super::leftover::PATIENCE as LEFTOVER_PATIENCE;
use super::super::unread::PATIENCE;
use super::*;
use crate::tests::World;
use crate::{Download, Json, NoContent, PlainCx, Route, Routes};

const LARGE: usize = 1 << 20;

async fn hello(_: PlainCx) -> &'static str {
    "hello"
}

async fn take(_: PlainCx, _: Json<serde_json::Value>) -> NoContent {
    NoContent
}

async fn large(_: PlainCx) -> Download {
    Download::of("text/csv", "large.csv", true, |is_first| async move {
        Ok(is_first.then(|| (vec![b'x'; LARGE], false)))
    })
}

/// Says something, nothing for ten minutes, and the rest.
async fn events(_: PlainCx) -> Download {
    Download::of("text/csv", "events.csv", 0, |said| async move {
        if said == 1 {
            sleep(Duration::from_mins(10)).await;
        }
        Ok((said < 2).then(|| (b"said ".to_vec(), said + 1)))
    })
}

/// Connections, and what keeps them open.
struct Served {
    _world: World,
    connections: Arc<Connections>,
    _end: watch::Sender<bool>,
}

impl Served {
    async fn new() -> Self {
        let world = World::new(Routes::new([
            Route::get("/hello").deployment("test", hello),
            Route::post("/take").deployment("test", take),
            Route::get("/large").deployment("test", large),
            Route::get("/events").deployment("test", events),
        ]))
        .await;
        let (end, ends) = watch::channel(false);
        let connections = Arc::new(Connections::new(world.edge.clone(), ends));
        Self { _world: world, connections, _end: end }
    }

    /// A client that has asked for `path` with HTTP/1.1 and has read the first line of the answer.
    async fn http1(&self, path: &str) -> (DuplexStream, JoinHandle<hyper::Result<()>>) {
        let (mut client, server) = duplex(64 * 1024);
        let connections = Arc::clone(&self.connections);
        let run = tokio::spawn(async move { connections.run_http1(Bounded::new(server), peer()).await });
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        client.write_all(request.as_bytes()).await.unwrap();
        let mut line = [0; 15];
        client.read_exact(&mut line).await.unwrap();
        assert_eq!(&line, b"HTTP/1.1 200 OK");
        (client, run)
    }

    /// A client of HTTP/2 whose streams have a window of so many bytes.
    async fn http2(&self, window: u32) -> SendRequest<Empty<Bytes>> {
        let (client, server) = duplex(64 * 1024);
        let connections = Arc::clone(&self.connections);
        tokio::spawn(async move { connections.run_http2(Bounded::new(server), peer()).await });
        let mut builder = Builder::new(TokioExecutor::new());
        let builder = builder.initial_stream_window_size(window);
        let (sender, connection) = builder.handshake(TokioIo::new(client)).await.unwrap();
        tokio::spawn(connection);
        sender
    }
}

async fn asked(sender: &mut SendRequest<Empty<Bytes>>, path: &str) -> hyper::Response<Incoming> {
    let request = hyper::Request::get(format!("http://localhost{path}")).body(Empty::new()).unwrap();
    sender.ready().await.unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    answer
}

fn peer() -> Peer {
    Peer { address: SocketAddr::from(([127, 0, 0, 1], 1)), is_tls: false, certificate: None }
}

/// A client that has sent the head of a request, and nothing of its body.
async fn begun(by: &Served, head: &str) -> DuplexStream {
    let (mut client, server) = duplex(64 * 1024);
    let connections = Arc::clone(&by.connections);
    tokio::spawn(async move { connections.run_http1(Bounded::new(server), peer()).await });
    client.write_all(head.as_bytes()).await.unwrap();
    pause();
    // What the server does until it waits for the client is done by then.
    sleep(LEFTOVER_PATIENCE / 4).await;
    client
}

/// The same of a request for which there is no route.
async fn refused(by: &Served, header: &str) -> DuplexStream {
    begun(by, &format!("POST /nowhere HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n")).await
}

/// What is sent until the connection ends, or nothing more has come for a while.
async fn said(client: &mut DuplexStream) -> String {
    let mut all = Vec::new();
    let _ = timeout(2 * LEFTOVER_PATIENCE, client.read_to_end(&mut all)).await;
    String::from_utf8(all).unwrap()
}

#[tokio::test]
async fn a_connection_goes_on_after_a_refusal_that_was_there_before_the_body() {
    let served = Served::new().await;
    for header in ["Content-Length: 2", "Transfer-Encoding: chunked"] {
        let mut client = refused(&served, header).await;
        let body: &[u8] = if header.starts_with('C') { b"{}" } else { b"2\r\n{}\r\n0\r\n\r\n" };
        client.write_all(body).await.unwrap();
        client.write_all(b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let said = said(&mut client).await;
        assert!(said.starts_with("HTTP/1.1 404 ") && said.ends_with("\r\n\r\nhello"), "{said}");
        assert!(!said.contains("connection: close"), "{said}");
        resume();
    }
}

#[tokio::test]
async fn a_refusal_says_that_the_connection_ends_where_too_much_of_the_body_is_to_come_or_nothing_comes() {
    let served = Served::new().await;
    for header in
        ["Content-Length: 1000000", "Content-Length: 2", "Content-Length: 2\r\nExpect: 100-continue"]
    {
        let mut client = refused(&served, header).await;
        let said = said(&mut client).await;
        assert!(
            said.starts_with("HTTP/1.1 404 ") && said.contains("\r\nconnection: close\r\n"),
            "{header}: {said}"
        );
        resume();
    }
}

#[tokio::test]
async fn a_connection_goes_on_after_a_body_in_chunks_that_was_asked_for_and_read() {
    let served = Served::new().await;
    let head = "POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n";
    let mut client = begun(&served, head).await;
    client.write_all(b"2\r\n{}\r\n0\r\n\r\n").await.unwrap();
    client.write_all(b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let said = said(&mut client).await;
    assert!(said.starts_with("HTTP/1.1 100 ") && said.contains("\r\n\r\nHTTP/1.1 204 "), "{said}");
    assert!(said.ends_with("\r\n\r\nhello") && !said.contains("connection: close"), "{said}");
}

/// Every idle connection holds this, besides the two buffers of 8 KiB that hyper reads and writes with.
#[tokio::test]
async fn a_connection_holds_little_room_for_itself() {
    let served = Served::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stream = TcpStream::connect(address).await.unwrap();
    let run = Arc::clone(&served.connections).run(stream, address, None);
    let size = size_of_val(&run);
    assert!(size <= 1536, "{size} bytes");
}

#[tokio::test]
async fn a_client_that_reads_nothing_of_its_answer_for_a_minute_is_cut_off() {
    let served = Served::new().await;
    let (mut client, run) = served.http1("/large").await;
    pause();
    let began = Instant::now();
    assert!(run.await.unwrap().is_err());
    // The time ran before the clock was ours.
    assert!((PATIENCE / 2..PATIENCE * 2).contains(&began.elapsed()), "{:?}", began.elapsed());
    let mut left = Vec::new();
    client.read_to_end(&mut left).await.unwrap();
    assert!(left.len() < LARGE, "{}", left.len());
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_the_whole_answer() {
    let served = Served::new().await;
    let (mut client, run) = served.http1("/large").await;
    pause();
    let mut all = Vec::new();
    let mut part = vec![0; 32 * 1024];
    loop {
        sleep(PATIENCE * 3 / 4).await;
        let read = client.read(&mut part).await.unwrap();
        if read == 0 {
            break;
        }
        all.extend_from_slice(&part[..read]);
    }
    assert!(all.len() > LARGE && run.await.unwrap().is_ok(), "{}", all.len());
}

#[tokio::test]
async fn a_client_whose_window_stays_closed_is_cut_off_though_it_answers_pings_and_asks_for_more() {
    let served = Served::new().await;
    for window in [0, 1000] {
        let mut sender = served.http2(window).await;
        let untaken = asked(&mut sender, "/large").await;
        let _also_untaken = asked(&mut sender, "/hello").await;
        pause();
        // Longer than a ping may take to be answered, and shorter by what ran before the clock was ours.
        sleep(PATIENCE * 11 / 12).await;
        assert!(!sender.is_closed(), "{window}");
        sleep(PATIENCE).await;
        assert!(sender.is_closed(), "{window}");
        assert!(untaken.into_body().collect().await.is_err(), "{window}: a part was taken for the whole");
        resume();
    }
}

#[tokio::test]
async fn a_stream_that_is_read_slowly_is_sent_whole() {
    let served = Served::new().await;
    let mut sender = served.http2(65_535).await;
    let mut body = asked(&mut sender, "/large").await.into_body();
    pause();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let taken = frame.unwrap().into_data().unwrap().len();
        length += taken;
        // What is left of a window comes in frames of a byte or two.
        if taken > 1024 {
            sleep(PATIENCE / 4).await;
        }
    }
    assert_eq!(length, LARGE);
}

#[tokio::test]
async fn an_answer_that_waits_for_what_it_is_made_of_is_not_cut_off() {
    let served = Served::new().await;
    let mut sender = served.http2(65_535).await;
    let streamed = asked(&mut sender, "/events").await;
    let (mut client, run) = served.http1("/events").await;
    pause();
    let all = streamed.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(all, "said said ");
    let mut left = Vec::new();
    client.read_to_end(&mut left).await.unwrap();
    assert!(left.ends_with(b"\r\n0\r\n\r\n") && run.await.unwrap().is_ok());
}
