//! Every vector that the server's own code has made.

use std::sync::Arc;
use std::sync::Mutex;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::routing::get;
use base64::Engine as _;
use serde_json::{Value, json};
use svc_sdk::{
    Keys, Management, MemoryReplays, Metadata, Refused, Request, Required, TokenSource, Verifier,
    VerifierConfig, WebhookVerifier, callback, verify_challenge,
};

const NOW: i64 = 1_800_000_000;

pub fn file(name: &str) -> Value {
    let path = format!("{}/../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.get("now").is_none_or(|now| *now == NOW));
    file
}

fn cases(file: &Value) -> &Vec<Value> {
    file["cases"].as_array().unwrap()
}

pub fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

#[test]
fn pkce() {
    for case in cases(&file("pkce.json")) {
        let valid = verify_challenge(text(case, "code_verifier"), text(case, "code_challenge"));
        assert_eq!(json!(valid), case["valid"], "{}", case["name"]);
    }
}

#[test]
fn callbacks() {
    for case in cases(&file("callback.json")) {
        let outcome =
            match callback(text(case, "url"), text(case, "expected_state"), text(case, "expected_issuer")) {
                Ok(code) => json!({"code": code}),
                Err(Refused::Callback(why)) => json!({"refused": why}),
                Err(Refused::Server(error)) => json!({"error": error.code}),
            };
        assert_eq!(outcome, case["outcome"], "{}", case["name"]);
    }
}

#[test]
fn discovery() {
    for case in cases(&file("discovery.json")) {
        let document = case["document"].to_string();
        let is_ok = Metadata::parse(text(case, "issuer"), document.as_bytes()).is_ok();
        assert_eq!(is_ok, case["outcome"] == "ok", "{}", case["name"]);
    }
}

pub fn verifier(file: &Value) -> Verifier {
    let new =
        VerifierConfig::new(text(file, "issuer"), text(file, "audience"), text(file, "tenant_id")).unwrap();
    let keys = Keys::from_json(&file["jwks"]).unwrap();
    let leeway_secs = file["leeway_secs"].as_i64().unwrap();
    let replays = Arc::new(MemoryReplays::with_clock(1000, || NOW));
    Verifier::new(VerifierConfig { keys, replays, leeway_secs, now: || NOW, ..new }).unwrap()
}

pub fn required(case: &Value) -> Required {
    let list = |value: &Value| -> Option<Vec<String>> {
        Some(value.as_array()?.iter().map(|item| item.as_str().unwrap().to_owned()).collect())
    };
    let asked = &case["required"];
    Required {
        scope: text(asked, "scope").to_owned(),
        subject_types: list(&asked["subject_types"]).unwrap(),
        allow_delegation: asked["allow_delegation"] == true,
        actors: list(&asked["actors"]),
        require_dpop: asked["dpop"] == "required",
    }
}

#[tokio::test]
async fn access_tokens() {
    let file = file("access_tokens.json");
    let verifier = verifier(&file);
    for case in cases(&file) {
        let header = |name: &str| -> Vec<&str> { case["headers"][name].as_str().into_iter().collect() };
        let (authorization, dpop) = (header("authorization"), header("dpop"));
        let (method, url) = (text(case, "method"), text(case, "url"));
        let request = Request { authorization: &authorization, dpop: &dpop, method, url };
        let outcome = match verifier.verify(request, &required(case)).await {
            Ok(claims) => json!({"claims": claims.into_map()}),
            Err(error) => {
                let shown = format!("{error} {error:?}");
                let parts =
                    authorization.iter().flat_map(|value| value.split('.')).filter(|part| part.len() > 40);
                parts.for_each(|part| assert!(!shown.contains(part), "{}", case["name"]));
                json!({"error": error.code, "status": error.status})
            }
        };
        assert_eq!(outcome, case["outcome"], "{}", case["name"]);
    }
}

#[tokio::test]
async fn webhooks() {
    let file = file("webhooks.json");
    let deliveries = Arc::new(MemoryReplays::with_clock(1000, || NOW));
    for case in cases(&file) {
        let secrets =
            case["secrets"].as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect();
        let verifier = WebhookVerifier {
            max_age_secs: file["max_age_ceiling_secs"].as_u64().unwrap(),
            deliveries: Some(deliveries.clone()),
            now: || NOW,
            ..WebhookVerifier::new(secrets)
        };
        let headers = case["headers"].as_object().unwrap();
        let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap()));
        let body = base64::engine::general_purpose::STANDARD.decode(text(case, "body_base64")).unwrap();
        let outcome = match verifier.verify(headers, &body).await {
            Ok(delivery) => json!({"ok": {"event": delivery.event, "delivery_id": delivery.id}}),
            Err(refusal) => json!({"refused": refusal.name()}),
        };
        assert_eq!(outcome, case["outcome"], "{}", case["name"]);
    }
}

type Pages = Arc<Mutex<(Vec<Value>, Vec<String>)>>;

async fn page(State(pages): State<Pages>, RawQuery(query): RawQuery) -> Json<Value> {
    let mut pages = pages.lock().unwrap();
    let number = pages.1.len();
    pages.1.push(format!("?{}", query.unwrap_or_default()));
    Json(pages.0[number].clone())
}

#[tokio::test]
async fn pagination() {
    for case in cases(&file("pagination.json")) {
        let pages: Pages = Arc::new(Mutex::new((case["pages"].as_array().unwrap().clone(), Vec::new())));
        let app = axum::Router::new().route("/api/v1/things", get(page)).with_state(Arc::clone(&pages));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        let api = Management::new(&issuer, TokenSource::Static("t".into())).unwrap();
        let mut list = api.list::<Value>("/api/v1/things", &[("limit", &case["limit"].to_string())]);
        let mut items = Vec::new();
        while let Some(item) = list.next().await.unwrap() {
            items.push(item);
        }
        server.abort();
        assert_eq!(json!(items), case["items"], "{}", case["name"]);
        assert_eq!(json!(pages.lock().unwrap().1), case["requests"], "{}", case["name"]);
    }
}
