//! Webhooks: subscriptions, deliveries signed by `svc-webhook-v1`, their history, and the log of events behind them.

mod certificates;
mod delivery;
mod events;
mod health;
mod replay;
mod subscriptions;

use serde_json::{Value, json};
use svc_http::Method;

use crate::backchannel_logout::LOOPBACK;
use crate::harness::publisher::{Posted, Publisher};
use crate::harness::{Answer, Harness, Site};

const WEBHOOKS: &str = "/api/v1/webhooks";

/// A call by an administrator.
async fn call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// A subscription with its secret.
pub struct Subscription {
    id: String,
    secret: String,
}

impl Subscription {
    /// A subscription of `site` to `event_type`, posted to `url`; what happened before is behind it.
    pub async fn new(site: &Site<'_>, url: &str, event_type: &str) -> Self {
        site.harness.run_jobs().await;
        let body = json!({ "url": url, "event_types": [event_type] });
        let made = call(site, Method::POST, WEBHOOKS, Some(body)).await.expect(201).json();
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        Self { id: text("id"), secret: text("secret") }
    }

    fn path(&self, below: &str) -> String {
        format!("{WEBHOOKS}/{}{below}", self.id)
    }

    async fn read(&self, site: &Site<'_>) -> Value {
        call(site, Method::GET, &self.path(""), None).await.expect(200).json()
    }

    /// It is posted to another address from now on.
    async fn move_to(&self, site: &Site<'_>, url: &str) {
        let _ = call(site, Method::PATCH, &self.path(""), Some(json!({ "url": url }))).await.expect(200);
    }

    /// Its deliveries, newest first.
    pub async fn deliveries(&self, site: &Site<'_>) -> Vec<Value> {
        self.deliveries_in(site, "").await
    }

    /// Those that a query finds.
    async fn deliveries_in(&self, site: &Site<'_>, query: &str) -> Vec<Value> {
        let path = self.path(&format!("/deliveries{query}"));
        let list = call(site, Method::GET, &path, None).await.expect(200).json();
        list["data"].as_array().unwrap().clone()
    }

    /// What came to a path, each verified with the secret.
    fn received(&self, server: &Publisher, path: &str) -> Vec<Value> {
        server.requests(path).iter().map(|posted| verified(posted, &[&self.secret])).collect()
    }
}

/// A person of the tenant is suspended: one event of type `tenant_user.suspended`, and perhaps others.
pub async fn suspend(site: &Site<'_>, name: &str) {
    let person = site.user(name).await;
    let path = format!("/api/v1/tenant-users/{}/suspend", person.id);
    let _ = call(site, Method::POST, &path, None).await.expect(200);
}

/// Takes something from a tenant, or gives it back, on every node.
pub async fn withdraw(site: &Site<'_>, update: &'static str) {
    let mut tx = site.harness.app().db.begin_system().await.unwrap();
    tx.execute(svc_db::SystemSql::new(update), svc_db::args![site.tenant.id]).await.unwrap();
    tx.commit().await.unwrap();
    for app in site.harness.apps() {
        app.services.tenants.forget();
    }
}

pub fn header<'a>(posted: &'a Posted, name: &str) -> &'a str {
    let line = posted.head.lines().find_map(|line| line.split_once(": ").filter(|(key, _)| *key == name));
    line.unwrap_or_else(|| panic!("no {name}: {}", posted.head)).1
}

/// The event of a request whose signatures are those of these secrets, in this order.
pub fn verified(posted: &Posted, secrets: &[&str]) -> Value {
    let body = signed(posted, secrets);
    assert_eq!(body["type"], header(posted, "x-svc-event"));
    body
}

/// The body of a request whose signatures are those of these secrets, in this order.
pub fn signed(posted: &Posted, secrets: &[&str]) -> Value {
    assert!(posted.head.starts_with("POST "), "{}", posted.head);
    assert_eq!(header(posted, "content-type"), "application/json");
    assert_eq!(header(posted, "x-svc-signature-suite"), "svc-webhook-v1");
    assert_eq!(header(posted, "x-svc-signature-max-age"), "300");
    let [timestamp, event, delivery] =
        ["x-svc-timestamp", "x-svc-event", "x-svc-delivery"].map(|name| header(posted, name));
    let mut signed = format!("svc-webhook-v1\n{timestamp}\n300\n{event}\n{delivery}\n").into_bytes();
    signed.extend_from_slice(&posted.bytes);
    let sign = |secret: &&str| svc_keys::hex(svc_keys::hmac_sha256(secret.as_bytes(), &signed));
    let expected: Vec<_> = secrets.iter().map(|secret| format!("sha256={}", sign(secret))).collect();
    assert_eq!(header(posted, "x-svc-signature-256"), expected.join(","));
    serde_json::from_slice(&posted.bytes).unwrap()
}

/// A service whose webhooks may go to this machine, with a receiver there that takes everything at `/events`.
pub async fn with_receiver() -> (Harness, Publisher) {
    with_receiver_and(&[]).await
}

/// The same, with more settings.
async fn with_receiver_and(settings: &[(&str, &str)]) -> (Harness, Publisher) {
    let server = Publisher::start().await;
    server.answer_with("/events", "200 OK", "");
    (Harness::with(&[&[LOOPBACK], settings].concat()).await, server)
}
