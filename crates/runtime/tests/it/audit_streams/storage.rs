//! Storage that speaks the protocol of Amazon S3: it takes objects by signed addresses, and computes each signature itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

pub const REGION: &str = "eu-central-1";
pub const ACCESS_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
pub const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// A running storage.
pub struct Storage {
    pub port: u16,
    pub shelf: Arc<Mutex<Shelf>>,
}

#[derive(Default)]
pub struct Shelf {
    /// By host and path.
    pub objects: BTreeMap<String, Vec<u8>>,
    /// How each request was answered.
    pub answers: Vec<u16>,
    /// Stores the next object, and says nothing.
    pub is_silent_once: bool,
    /// Knows no conditions.
    pub is_simple: bool,
}

impl Storage {
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shelf = Arc::<Mutex<Shelf>>::default();
        let shared = Arc::clone(&shelf);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { port, shelf }
    }

    pub fn objects(&self) -> Vec<(String, Vec<u8>)> {
        self.shelf.lock().unwrap().objects.clone().into_iter().collect()
    }

    pub fn answers(&self) -> Vec<u16> {
        self.shelf.lock().unwrap().answers.clone()
    }
}

async fn serve(mut stream: TcpStream, shelf: Arc<Mutex<Shelf>>) {
    let mut request = Vec::new();
    let (head, body) = loop {
        let end = request.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let head = end.map(|end| String::from_utf8(request[..end].to_vec()).unwrap());
        if let (Some(end), Some(head)) = (end, head) {
            let body = request[end + 4..].to_vec();
            let length: usize = header(&head, "content-length").unwrap().parse().unwrap();
            if body.len() == length {
                break (head, body);
            }
        }
        if stream.read_buf(&mut request).await.unwrap() == 0 {
            return;
        }
    };
    let (status, is_silent) = shelf.lock().unwrap().put(&head, body);
    if !is_silent {
        let reply = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let _ = stream.write_all(reply.as_bytes()).await;
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    })
}

impl Shelf {
    fn put(&mut self, head: &str, body: Vec<u8>) -> (u16, bool) {
        let target = head.split(' ').nth(1).unwrap();
        let host = header(head, "host").unwrap();
        let url = Url::parse(&format!("http://{host}{target}")).unwrap();
        let name = format!("{}{}", url.host_str().unwrap(), url.path());
        let is_conditional = header(head, "if-none-match") == Some("*");
        let status = if !is_signed(head, &url) || !is_whole(head, &body) {
            403
        } else if is_conditional && self.is_simple {
            501
        } else if is_conditional && self.objects.contains_key(&name) {
            412
        } else {
            self.objects.insert(name, body);
            200
        };
        self.answers.push(status);
        (status, status == 200 && std::mem::take(&mut self.is_silent_once))
    }
}

fn is_whole(head: &str, body: &[u8]) -> bool {
    let checksum = svc_keys::from_base64(header(head, "x-amz-checksum-sha256").unwrap()).unwrap();
    checksum == svc_keys::sha256(body)
}

/// Signature Version 4 with the signature in the address.
fn is_signed(head: &str, url: &Url) -> bool {
    let query = url.query().unwrap_or_default();
    let value =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let (Some(date), Some(names), Some(signature)) =
        (value("X-Amz-Date"), value("X-Amz-SignedHeaders"), value("X-Amz-Signature"))
    else {
        return false;
    };
    let mut unsigned: Vec<_> =
        query.split('&').filter(|pair| !pair.starts_with("X-Amz-Signature=")).collect();
    unsigned.sort_unstable();
    let scope = format!("{}/{REGION}/s3/aws4_request", &date[..8]);
    let headers: String =
        names.split(';').map(|name| format!("{name}:{}\n", header(head, name).unwrap_or_default())).collect();
    let (path, query) = (url.path(), unsigned.join("&"));
    let canonical = format!("PUT\n{path}\n{query}\n{headers}\n{names}\nUNSIGNED-PAYLOAD");
    let digest = svc_keys::hex(svc_keys::sha256(canonical.as_bytes()));
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{digest}");
    let first = format!("AWS4{SECRET}").into_bytes();
    let key = scope.split('/').fold(first, |key, part| svc_keys::hmac_sha256(&key, part.as_bytes()).to_vec());
    let expected = svc_keys::hex(svc_keys::hmac_sha256(&key, text.as_bytes()));
    let covers = |name: &str| names.split(';').any(|signed| signed == name);
    let is_covered = covers("host")
        && covers("x-amz-checksum-sha256")
        && (header(head, "if-none-match").is_none() || covers("if-none-match"));
    is_covered && value("X-Amz-Credential") == Some(format!("{ACCESS_KEY}/{scope}")) && signature == expected
}
