//! The examples of the document are requests that the service takes; the harness holds its answers against the document.

use serde_json::Value;

use super::operations as documented;
use crate::harness::{Harness, Site};

const FORM: &str = "application/x-www-form-urlencoded";

async fn published(h: &Harness, site: &Site<'_>) -> Value {
    h.get(&site.host, "/openapi.json").await.expect(200).json()
}

/// The example of a JSON body: of its schema.
pub fn example<'a>(document: &'a Value, path: &str, method: &str) -> &'a Value {
    let content = document["paths"][path][method]["requestBody"]["content"].as_object().unwrap();
    let json = content.iter().find(|(media_type, _)| media_type.ends_with("json")).map(|(_, json)| json);
    let schema = json.and_then(|json| json["schema"]["$ref"].as_str()).unwrap_or_default();
    let example =
        document.pointer(schema.trim_start_matches('#')).and_then(|schema| schema["examples"].get(0));
    example.unwrap_or_else(|| panic!("{method} {path} has no example"))
}

#[tokio::test]
async fn every_example_of_a_form_has_what_its_endpoint_needs() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let (document, app) = (published(&h, &site).await, site.app("client").await);
    site.user("ada").await;
    let mut sent = 0;
    for (name, operation) in documented(&document) {
        let path = name.split_once(' ').unwrap().1;
        for example in examples_of_forms(operation) {
            // The authentication is this application's; all else is what the document says.
            let fields = example.as_object().unwrap().iter().filter(|(name, _)| *name != "client_id");
            let form: Vec<_> = fields.map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
            let answer = app.post(path, &form, &[]).await;
            sent += 1;
            if answer.status < 400 {
                continue;
            }
            let refusal = answer.json();
            let is_incomplete = refusal["error_description"].as_str().unwrap().contains("missing");
            let is_fitting = FITTING.contains(&refusal["error"].as_str().unwrap());
            assert!(is_fitting && !is_incomplete, "{path}: {example}: {refusal}");
        }
    }
    assert!(sent >= 12, "{sent} examples were sent");
}

/// The examples of what an authenticated application sends.
fn examples_of_forms(operation: &Value) -> Vec<&Value> {
    if !operation["security"][0]["client_secret_basic"].is_array() {
        return Vec::new();
    }
    let content = &operation["requestBody"]["content"][FORM];
    let several = content["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
    several.chain(content.get("example")).collect()
}

/// What an example is refused for: its codes, tokens and addresses belong to no one here.
const FITTING: &[&str] =
    &["invalid_grant", "invalid_request", "invalid_redirect_uri", "invalid_target", "expired_token"];
