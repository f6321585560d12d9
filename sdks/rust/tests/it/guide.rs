//! Every block of docs/packages/rust.md is a part of `notes.rs`, letter by letter, and all of that runs here.

use std::sync::Arc;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, Request, Response};
use serde_json::{Value, json};
use svc_sdk::{Keys, Refused, Verifier, VerifierConfig};
use tower::ServiceExt as _;

use crate::issuer::{Issuer, key, ok, problem, signed, tokens};
use crate::notes::{admin, connections, events, machine, protect, sign_in, tools};

fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

#[test]
fn the_blocks_of_the_page_are_the_tested_code() {
    let page = include_str!("../../../../docs/packages/rust.md");
    let code: Vec<String> = include_str!("notes.rs").lines().map(|line| line.trim().to_owned()).collect();
    let code = code.join("\n");
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 6);
    for block in &blocks {
        let block: Vec<&str> = block.trim().lines().map(str::trim).collect();
        assert!(code.contains(&block.join("\n")), "{}", block.join("\n"));
    }
    assert_eq!(
        page.matches("```").count(),
        2 * (blocks.len() + 1),
        "beside them stands only how it is installed"
    );
}

fn token(issuer: &str, audience: &str, scope: &str) -> String {
    let claims = json!({
        "iss": issuer, "aud": audience, "sub": "usr_1", "tenant_id": "tnt_1", "scope": scope, "exp": now() + 60,
        "client_id": "app_1", "subject_type": "human",
    });
    signed(&json!({"alg": "ES256", "kid": "k1", "typ": "at+jwt"}), &claims)
}

async fn ask(app: &Router, method: &str, path: &str, token: Option<&str>) -> (u16, Response<Body>) {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let answer = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    (answer.status().as_u16(), answer)
}

#[tokio::test]
async fn the_api_lets_a_good_token_of_its_tenant_through() {
    let issuer = Issuer::start(|_| problem(404, "not_found")).await;
    let good = token(&issuer.url, "https://api.example", "notes:read");
    let app = protect::api(&issuer.url, "tnt_1").unwrap();
    let (status, answer) = ask(&app, "GET", "/notes", Some(&good)).await;
    let body = axum::body::to_bytes(answer.into_body(), 1000).await.unwrap();
    assert_eq!((status, &*body), (200, &b"Notes of usr_1"[..]));
    assert_eq!(ask(&app, "GET", "/notes", None).await.0, 401);
    let other = protect::api(&issuer.url, "tnt_2").unwrap();
    assert_eq!(ask(&other, "GET", "/notes", Some(&good)).await.0, 403);
}

#[tokio::test]
async fn a_person_signs_in() {
    let issuer = Issuer::start(|seen| {
        let url = format!("http://{}", seen.header("host"));
        let claims = json!({"iss": url, "aud": "app_1", "sub": "usr_1", "exp": now() + 60, "iat": now(), "nonce": seen.form()["code"]});
        let id_token = signed(&json!({"alg": "ES256", "kid": "k1"}), &claims);
        ok(json!({"access_token": "at", "token_type": "Bearer", "id_token": id_token}))
    })
    .await;
    let client = sign_in::application(&issuer.url, "secret").unwrap();
    let (flow, address) = sign_in::start(&client).await.unwrap();
    assert!(address.contains(&flow.state));
    let back = format!("/callback?code={}&state={}&iss={}", flow.nonce, flow.state, issuer.url);
    assert_eq!(sign_in::finish(&client, &flow, &back).await.unwrap().unwrap().subject(), "usr_1");
    let missing = sign_in::finish(&client, &flow, "/callback?code=c").await;
    assert_eq!(missing.unwrap_err(), Refused::Callback("missing_state"));
}

#[tokio::test]
async fn a_machine_asks_for_tokens_and_manages_its_tenant() {
    let issuer = Issuer::start(|seen| match seen.path.as_str() {
        "/token" => tokens(),
        "/api/v1/webhooks" => ok(json!({"id": "whk_1"})),
        _ => ok(json!({"data": [{"id": "usr_1"}], "next_cursor": null})),
    })
    .await;
    let client = machine::machine(&issuer.url, crate::proofs::PEM).unwrap();
    assert_eq!(machine::token(&client).await.unwrap().expires_in, 60);
    assert!(issuer.seen()[0].form().contains_key("client_assertion"));
    let api = admin::admin(&issuer.url, client).unwrap();
    assert_eq!(admin::subscribe(&api, 7).await.unwrap()["id"], "whk_1");
    assert_eq!(admin::people(&api).await.unwrap(), ["usr_1"]);
    let seen = issuer.seen();
    let subscribed = seen.iter().find(|seen| seen.path == "/api/v1/webhooks").unwrap();
    assert_eq!(subscribed.header("idempotency-key"), "subscribe-7");
}

#[tokio::test]
async fn a_program_sends_by_its_own_client() {
    let issuer =
        Issuer::start(|seen| if seen.path == "/token" { tokens() } else { ok(json!({"id": "whk_1"})) }).await;
    let http = connections::http().unwrap();
    let api = connections::subscriber(&issuer.url, "secret", &http).unwrap();
    assert_eq!(admin::subscribe(&api, 8).await.unwrap()["id"], "whk_1");
    assert!(issuer.seen().iter().all(|seen| seen.header("user-agent") == "shop/1.0"));
}

#[tokio::test]
async fn an_event_that_could_not_be_kept_is_asked_for_again() {
    let (verifier, body) = (events::receiver("secret"), Bytes::from_static(b"{}"));
    let at = now().to_string();
    let head = format!("svc-webhook-v1\n{at}\n300\ntenant_user.created\ndlv_1\n{{}}");
    let tag: String = sign(&Key::new(HMAC_SHA256, b"secret"), head.as_bytes())
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let headers: HeaderMap = [
        ("x-svc-signature-suite", "svc-webhook-v1".to_owned()),
        ("x-svc-signature-256", format!("sha256={tag}")),
        ("x-svc-signature-max-age", "300".to_owned()),
        ("x-svc-timestamp", at),
        ("x-svc-event", "tenant_user.created".to_owned()),
        ("x-svc-delivery", "dlv_1".to_owned()),
    ]
    .into_iter()
    .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
    .collect();
    let tampered = Bytes::from_static(b"{} ");
    assert_eq!(events::receive(&verifier, &headers, tampered, |_, _| panic!("not signed")).await, 400);
    assert_eq!(events::receive(&verifier, &headers, body.clone(), |_, _| false).await, 503);
    assert_eq!(events::receive(&verifier, &headers, body, |delivery, _| delivery.id == "dlv_1").await, 204);
}

#[tokio::test]
async fn a_tool_that_needs_more_says_which_scope() {
    let config = VerifierConfig::new("https://id.example", "https://tools.example/mcp", "tnt_1").unwrap();
    let keys = Keys::from_json(&json!({"keys": [key().1]})).unwrap();
    let verifier = Arc::new(Verifier::new(VerifierConfig { keys, ..config }).unwrap());
    let app = tools::server(verifier).unwrap();
    let (status, answer) = ask(&app, "GET", "/.well-known/oauth-protected-resource/mcp", None).await;
    let document = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
    let document: Value = serde_json::from_slice(&document).unwrap();
    assert_eq!((status, document["resource"].as_str()), (200, Some("https://tools.example/mcp")));
    let of = |scope| token("https://id.example", "https://tools.example/mcp", scope);
    let (status, answer) = ask(&app, "POST", "/mcp", Some(&of("notes:read"))).await;
    assert_eq!(status, 403);
    let challenge = answer.headers()["www-authenticate"].to_str().unwrap();
    assert!(
        challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"notes:write\"")
    );
    assert_eq!(ask(&app, "POST", "/mcp", Some(&of("notes:read notes:write"))).await.0, 200);
}
