//! A foreign web server on this machine: publishes documents, takes what is posted, and counts how often it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A running server.
pub struct Publisher {
    origin: String,
    desk: Arc<Desk>,
}

#[derive(Default)]
struct Desk {
    documents: Mutex<BTreeMap<String, Document>>,
    asked: Notify,
}

#[derive(Clone, Default)]
struct Document {
    head: String,
    body: String,
    /// The path that must have been asked for before this one is answered.
    after: Option<String>,
    fetched: u32,
    /// The heads of all requests.
    heads: Vec<String>,
    posted: Vec<Posted>,
}

/// What was posted.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The request line and the headers.
    pub head: String,
    /// The content.
    pub content: String,
    /// The same byte for byte.
    pub bytes: Vec<u8>,
}

impl Publisher {
    /// A server with nothing on it yet.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let desk = Arc::<Desk>::default();
        let shared = Arc::clone(&desk);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&shared)));
            }
        });
        Self { origin, desk }
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
        let mut documents = self.desk.documents.lock().unwrap();
        let document = documents.entry(path.to_owned()).or_default();
        (document.head, document.body) = (head.to_owned(), body.to_owned());
    }

    /// Leaves `path` unanswered until `other` has been asked for.
    pub fn answer_after(&self, path: &str, other: &str) {
        let mut documents = self.desk.documents.lock().unwrap();
        documents.entry(path.to_owned()).or_default().after = Some(other.to_owned());
    }

    /// Returns once a path has been asked for.
    pub async fn asked(&self, path: &str) {
        self.desk.wait_for(path).await;
    }

    /// Asks for a path from here.
    pub fn ask(&self, path: &str) {
        self.desk.take(path, "", None);
    }

    /// The request lines and headers of what has asked for a path, oldest first.
    pub fn heads(&self, path: &str) -> Vec<String> {
        let documents = self.desk.documents.lock().unwrap();
        documents.get(path).map(|document| document.heads.clone()).unwrap_or_default()
    }

    /// How often a path was asked for.
    pub fn fetched(&self, path: &str) -> u32 {
        self.desk.fetched(path)
    }

    /// The content of what has been posted to a path, oldest first.
    pub fn posted(&self, path: &str) -> Vec<String> {
        self.requests(path).into_iter().map(|posted| posted.content).collect()
    }

    /// What has been posted to a path, oldest first.
    pub fn requests(&self, path: &str) -> Vec<Posted> {
        let documents = self.desk.documents.lock().unwrap();
        documents.get(path).map(|document| document.posted.clone()).unwrap_or_default()
    }
}

impl Desk {
    fn fetched(&self, path: &str) -> u32 {
        self.documents.lock().unwrap().get(path).map_or(0, |document| document.fetched)
    }

    /// Notes a request, and gives what it is answered with.
    fn take(&self, path: &str, head: &str, posted: Option<Posted>) -> Document {
        let mut documents = self.documents.lock().unwrap();
        let Some(document) = documents.get_mut(path) else {
            return Document { head: "404 Not Found".to_owned(), ..Document::default() };
        };
        document.fetched += 1;
        document.heads.push(head.to_owned());
        document.posted.extend(posted);
        self.asked.notify_waiters();
        document.clone()
    }

    async fn wait_for(&self, path: &str) {
        loop {
            let mut asked = std::pin::pin!(self.asked.notified());
            asked.as_mut().enable();
            if self.fetched(path) > 0 {
                return;
            }
            asked.await;
        }
    }
}

async fn answer(mut stream: TcpStream, desk: Arc<Desk>) {
    let Some((head, content)) = read(&mut stream).await else { return };
    let (method, rest) = head.split_once(' ').unwrap_or_default();
    let path = rest.split(' ').next().unwrap_or_default();
    let posted = (method == "POST").then(|| Posted {
        head: head.clone(),
        content: String::from_utf8_lossy(&content).into_owned(),
        bytes: content,
    });
    let Document { head, body, after, .. } = desk.take(path, &head, posted);
    if let Some(other) = after {
        desk.wait_for(&other).await;
    }
    let length = body.len();
    let reply = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    let _ = stream.write_all(reply.as_bytes()).await;
}

/// The head and the content of a request.
pub async fn read(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut request = Vec::new();
    let mut chunk = [0; 1024];
    loop {
        if let Some(end) = request.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let (head, content) = (String::from_utf8_lossy(&request[..end]), &request[end + 4..]);
            let length = head.to_ascii_lowercase().split("content-length: ").nth(1).map_or(0, |rest| {
                rest.split("\r\n").next().and_then(|text| text.parse().ok()).unwrap_or_default()
            });
            if content.len() >= length {
                return Some((head.into_owned(), content.to_vec()));
            }
        }
        match stream.read(&mut chunk).await {
            Ok(read @ 1..) => request.extend_from_slice(&chunk[..read]),
            _ => return None,
        }
    }
}
