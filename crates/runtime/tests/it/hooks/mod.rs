//! Hooks: as a resource, and at the points where they are asked.

mod failures;
mod modules;
mod post_first_factor;
mod pre_registration;
mod pre_token;
mod resource;

use serde_json::{Value, json};
use svc_http::Method;

use crate::backchannel_logout::LOOPBACK;
use crate::harness::publisher::{Posted, Publisher};
use crate::harness::{Answer, Harness, Site};
use crate::webhooks::{header, signed};

const HOOKS: &str = "/api/v1/hooks";
const NOTES: &str = "https://notes.example";

/// A call by an administrator.
async fn call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// A hook with its secret.
struct CreatedHook {
    path: String,
    secret: String,
}

/// A hook before tokens at a path of the receiver, with these further members.
async fn hook(site: &Site<'_>, server: &Publisher, path: &str, more: Value) -> CreatedHook {
    let mut body = json!({ "point": "pre_token", "url": server.url(path), "on_failure": "deny" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = call(site, Method::POST, HOOKS, Some(body)).await.expect(201).json();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    CreatedHook { path: format!("{HOOKS}/{}", text("id")), secret: text("secret") }
}

/// What a hook was asked, verified with its secret.
fn asked(posted: &Posted, secrets: &[&str]) -> Value {
    let body = signed(posted, secrets);
    assert_eq!(header(posted, "x-svc-event"), format!("hook.{}", body["point"].as_str().unwrap()));
    body
}

/// A service whose hooks may be on this machine, with a receiver there that allows everything at `/allow`.
async fn with_receiver() -> (Harness, Publisher) {
    with_receiver_and(&[]).await
}

/// The same with further settings.
async fn with_receiver_and(settings: &[(&str, &str)]) -> (Harness, Publisher) {
    let server = Publisher::start().await;
    answer(&server, "/allow", &json!({ "verdict": "allow" }));
    let settings = [&[LOOPBACK], settings].concat();
    (Harness::with(&settings).await, server)
}

fn answer(server: &Publisher, path: &str, body: &Value) {
    server.answer_with(path, "200 OK\r\ncontent-type: application/json", &body.to_string());
}

/// The entries of an action in the audit log.
async fn entries(site: &Site<'_>, action: &str) -> Vec<Value> {
    let path = format!("/api/v1/audit?action={action}");
    let list = call(site, Method::GET, &path, None).await.expect(200).json();
    list["data"].as_array().unwrap().clone()
}

/// A module that always answers this.
pub fn constant(answer: &str) -> Vec<u8> {
    let place = 1024_u64 << 32 | answer.len() as u64;
    let source = format!(
        r#"(module (memory (export "memory") 2) (data (i32.const 1024) {answer:?})
        (func (export "allocate") (param i32) (result i32) (i32.const 65536))
        (func (export "decide") (param i32 i32) (result i64) (i64.const {place})))"#
    );
    wat::parse_str(source).unwrap()
}
