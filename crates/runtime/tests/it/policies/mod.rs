//! Policies: written, versioned, tried, and asked over the decision API (OpenID `AuthZEN` Authorization API 1.0).

mod deciding;
mod hostile;
mod records;
mod searching;
mod trials;

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Answer, Site};

const POLICIES: &str = "/api/v1/policies";
/// Everybody may read documents.
const READERS: &str = "permit(principal, action == Action::\"read\", resource is document);";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// Makes a policy; returns its document.
async fn policy(site: &Site<'_>, status: &str, text: &str) -> Value {
    let new = json!({ "name": format!("A policy {status}"), "status": status, "text": text });
    send(site, Method::POST, POLICIES, Some(new)).await.expect(201).json()
}

fn path_of(policy: &Value) -> String {
    format!("{POLICIES}/{}", policy["id"].as_str().unwrap())
}

/// What a question about a document is answered.
async fn ask(site: &Site<'_>, who: &str, action: &str, context: Value) -> Value {
    ask_about(site, who, action, json!({ "type": "document", "id": "42" }), context).await
}

async fn ask_about(site: &Site<'_>, who: &str, action: &str, resource: Value, context: Value) -> Value {
    let question = json!({
        "subject": { "type": "user", "id": who }, "action": { "name": action }, "resource": resource, "context": context
    });
    send(site, Method::POST, "/access/v1/evaluation", Some(question)).await.expect(200).json()
}
