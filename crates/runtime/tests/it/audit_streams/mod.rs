//! Streams of the audit log: what real receivers get, in order and at least once, and what becomes of those that take nothing.

mod health;
mod records;
mod s3;
mod storage;
mod syslog;
mod webhook;

use serde_json::{Value, json};
use svc_http::Method;

use crate::backchannel_logout::LOOPBACK;
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Harness, Site};

const STREAMS: &str = "/api/v1/audit/streams";

/// A call by an administrator.
async fn call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// A stream with its secret, where one was made.
struct Stream {
    id: String,
    secret: String,
}

impl Stream {
    /// A stream of what happens from now on; that it was made is the first of it.
    async fn new(site: &Site<'_>, destination: Value, secret: Option<&str>) -> Self {
        site.harness.run_jobs().await;
        let mut body = json!({ "name": "Security team", "destination": destination });
        if let Some(secret) = secret {
            body["secret"] = json!(secret);
        }
        let made = call(site, Method::POST, STREAMS, Some(body)).await.expect(201).json();
        let text = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
        Self { id: text("id"), secret: text("secret") }
    }

    fn path(&self, below: &str) -> String {
        format!("{STREAMS}/{}{below}", self.id)
    }

    async fn read(&self, site: &Site<'_>) -> Value {
        call(site, Method::GET, &self.path(""), None).await.expect(200).json()
    }
}

/// A role is made: an entry with its id as the target.
async fn happen(site: &Site<'_>, name: &str) -> String {
    let made = call(site, Method::POST, "/api/v1/roles", Some(json!({ "name": name }))).await.expect(201);
    made.json()["id"].as_str().unwrap().to_owned()
}

/// All entries of the log from a position on, as the audit API shows them, oldest first.
async fn log(site: &Site<'_>, after: i64) -> Vec<Value> {
    let export = call(site, Method::GET, "/api/v1/audit/export", None).await.expect(200).body;
    let mut entries: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    entries.retain(|entry| entry["position"].as_i64().is_some_and(|position| position > after));
    entries.sort_by_key(|entry| entry["position"].as_i64());
    entries
}

/// A service whose streams may go to this machine, with a receiver there that takes everything at `/audit`.
async fn with_receiver() -> (Harness, Publisher) {
    let server = Publisher::start().await;
    server.answer_with("/audit", "200 OK", "");
    (Harness::with(&[LOOPBACK]).await, server)
}
