//! Somebody else's web server on this machine: publishes documents, and counts how often they were fetched.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

type Documents = Arc<Mutex<BTreeMap<String, Document>>>;

/// A running server.
pub struct Publisher {
    origin: String,
    documents: Documents,
}

#[derive(Clone, Default)]
struct Document {
    head: String,
    body: String,
    fetched: u32,
}

impl Publisher {
    /// A server with nothing on it yet.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let documents = Documents::default();
        let shared = Arc::clone(&documents);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&shared)));
            }
        });
        Self { origin, documents }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Publishes JSON that may be kept for `max_age` seconds.
    pub fn publish(&self, path: &str, document: &Value, max_age: u32) {
        let head = format!("200 OK\r\ncontent-type: application/json\r\ncache-control: max-age={max_age}");
        self.answer_with(path, &head, &document.to_string());
    }

    /// Answers with a status line and headers as they are.
    pub fn answer_with(&self, path: &str, head: &str, body: &str) {
        let mut documents = self.documents.lock().unwrap();
        let document = documents.entry(path.to_owned()).or_default();
        (document.head, document.body) = (head.to_owned(), body.to_owned());
    }

    /// How often a path was asked for.
    pub fn fetched(&self, path: &str) -> u32 {
        self.documents.lock().unwrap().get(path).map_or(0, |document| document.fetched)
    }
}

async fn answer(mut stream: TcpStream, documents: Documents) {
    let mut request = Vec::new();
    let mut chunk = [0; 1024];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut chunk).await {
            Ok(read @ 1..) => request.extend_from_slice(&chunk[..read]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let found = documents.lock().unwrap().get_mut(&path).map(|document| {
        document.fetched += 1;
        document.clone()
    });
    let Document { head, body, .. } =
        found.unwrap_or_else(|| Document { head: "404 Not Found".to_owned(), ..Document::default() });
    let length = body.len();
    let reply = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    let _ = stream.write_all(reply.as_bytes()).await;
}
