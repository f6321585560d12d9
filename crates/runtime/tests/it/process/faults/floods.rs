//! Floods of HTTP/2 frames and slow clients over TLS: their connections end, memory is bounded, others are served (F17).

use std::iter;
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{Ledger, rounds};
use crate::process::frames::{
    CONTINUATION, Connection, END_HEADERS, END_STREAM, HEADERS, RST_STREAM, beginning, frame, get_block,
    header,
};
use crate::process::person::SEED;
use crate::process::{Place, Service};

const JWKS: &str = "/.well-known/jwks.json";
/// The most of one flood that the other end takes, its buffers and those of the two systems included.
const MOST_BYTES: usize = 16 << 20;
const MOST_MEMORY_KIB: u64 = 256 * 1024;
/// How long a request of others may take meanwhile, on a busy machine.
const PROMPT: Duration = Duration::from_secs(5);

type Frames = Box<dyn Iterator<Item = Vec<u8>> + Send>;
type Flood = (&'static str, fn() -> Frames);

/// CONTINUATION frames do not end by themselves.
const FLOODS: [Flood; 5] = [
    ("HTTP/2: requests are reset as they are sent (rapid reset)", rapid_resets),
    ("HTTP/2: headers go on in CONTINUATION frames without end", continuations),
    ("HTTP/2: headers go on in empty CONTINUATION frames", empty_continuations),
    ("HTTP/2: requests with more headers than a client needs", too_many_headers),
    ("HTTP/2: a header of the dynamic table is repeated (HPACK bomb)", bombs),
];
/// Requests of a flood that ends.
const REQUESTS: usize = 200;
const RESETS: usize = 5000;

/// The numbers of a client's streams.
fn streams() -> impl Iterator<Item = u32> + Send {
    (1..0x7fff_ffff).step_by(2)
}

fn request(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, &get_block(JWKS))
}

fn rapid_resets() -> Frames {
    const CANCEL: [u8; 4] = [0, 0, 0, 8];
    let pair = |stream| [request(stream), frame(RST_STREAM, 0, stream, &CANCEL)].concat();
    Box::new(streams().take(RESETS).map(pair))
}

fn continuations() -> Frames {
    let piece: Vec<u8> = iter::repeat_n(header("x-a", &"a".repeat(100)), 150).flatten().collect();
    Box::new(endless(frame(CONTINUATION, 0, 1, &piece)))
}

fn empty_continuations() -> Frames {
    Box::new(endless(frame(CONTINUATION, 0, 1, &[])))
}

/// A request whose headers do not end.
fn endless(piece: Vec<u8>) -> impl Iterator<Item = Vec<u8>> + Send {
    iter::once(frame(HEADERS, END_STREAM, 1, &get_block(JWKS))).chain(iter::repeat(piece))
}

fn too_many_headers() -> Frames {
    let many: Vec<u8> = (0..700).flat_map(|number| header(&format!("x-{number}"), &"a".repeat(90))).collect();
    Box::new(streams().take(REQUESTS).map(move |stream| in_pieces(stream, &many)))
}

/// Each byte after the first request stands for a header of 4,000 bytes.
fn bombs() -> Frames {
    // Literal with incremental indexing, a new name; the length is an integer with a prefix of 7 bits.
    let indexed = [&[0x40, 3][..], b"x-a", &[0x7f, 0xa1, 0x1e], &[b'a'; 4000]].concat();
    let first = frame(HEADERS, END_STREAM | END_HEADERS, 1, &[get_block(JWKS), indexed].concat());
    // The first entry of the dynamic table.
    let bomb = vec![0xbe; 16_000];
    let bombs = streams().skip(1).take(REQUESTS).map(move |stream| in_pieces(stream, &bomb));
    Box::new(iter::once(first).chain(bombs))
}

/// A request with a long header block, which is sent in frames of 16,000 bytes.
fn in_pieces(stream: u32, headers: &[u8]) -> Vec<u8> {
    let mut frames = frame(HEADERS, END_STREAM, stream, &get_block(JWKS));
    let last = headers.len().div_ceil(16_000) - 1;
    for (number, piece) in headers.chunks(16_000).enumerate() {
        let flags = if number == last { END_HEADERS } else { 0 };
        frames.extend(frame(CONTINUATION, flags, stream, piece));
    }
    frames
}

#[tokio::test]
async fn a_flood_of_frames_ends_its_connection_and_keeps_no_other_client_waiting() {
    let place = Place::with_tls().await;
    place.populate(SEED).await;
    let service = place.serve_tls().await;
    let mut other = Connection::to(&place).await;
    other.send(&beginning()).await;
    for (name, frames) in FLOODS {
        let mut ledger = Ledger::of(name);
        for _ in 0..rounds(1).min(50) {
            let mut floods = JoinSet::new();
            for _ in 0..4 {
                let mut connection = Connection::to(&place).await;
                connection.send(&beginning()).await;
                floods.spawn(connection.floods(frames()));
            }
            let mut flooded = Vec::new();
            while !floods.is_empty() {
                is_served(&mut other).await;
                ledger.add("requests of others answered", 1);
                while let Some(ended) = floods.try_join_next() {
                    flooded.push(ended.unwrap());
                }
            }
            for flood in &flooded {
                assert!(flood.sent < MOST_BYTES, "{name}: {flood:?}");
                assert!(name.contains("reset") || flood.served <= 1, "{name}: {flood:?}");
            }
            is_small(&service, name);
            ledger.add("times", flooded.len());
            ledger.add("connections left open", 0);
            ledger.add("requests of others refused", 0);
        }
    }
    assert!(!service.log().contains("panicked"), "{}", service.log());
}

#[tokio::test]
async fn slow_clients_are_cut_off_over_tls_too() {
    let place = Place::with_tls().await;
    place.populate(SEED).await;
    let service = place.serve_tls().await;
    let mut ledger = Ledger::of("Clients say nothing, or never finish what they say, over TLS");
    let begun = [beginning(), frame(HEADERS, END_STREAM, 1, &get_block(JWKS))].concat();
    let mut waiting = JoinSet::new();
    for _ in 0..30 {
        let mut silent = TcpStream::connect(service.address).await.unwrap();
        waiting.spawn(async move { silent.read_to_end(&mut Vec::new()).await.map(drop).unwrap_or_default() });
        for said in [&b""[..], b"PRI * HTTP/2.0\r\n", &beginning(), &begun] {
            let mut connection = Connection::to(&place).await;
            connection.send(said).await;
            waiting.spawn(connection.closed());
        }
    }
    ledger.add("times", waiting.len());
    let mut other = Connection::to(&place).await;
    other.send(&beginning()).await;
    for _ in 0..20 {
        is_served(&mut other).await;
    }
    is_small(&service, "slow clients");
    // Ten seconds for a handshake, thirty for the first request, and what a busy machine needs.
    let cut_off = tokio::time::timeout(Duration::from_secs(45), waiting.join_all()).await;
    assert!(cut_off.is_ok(), "a connection without a request stays open");
    ledger.add("connections left open", 0);
}

async fn is_served(client: &mut Connection) {
    let asked = Instant::now();
    assert!(client.gets(JWKS).await);
    assert!(asked.elapsed() < PROMPT, "{:?}", asked.elapsed());
}

#[track_caller]
fn is_small(service: &Service, what: &str) {
    let resident = service.resident_kib();
    assert!(resident < MOST_MEMORY_KIB, "{what}: {resident} KiB");
}
