//! The middleware, as a router of axum uses it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request as HttpRequest, Response, StatusCode};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::{Value, json};
use svc_sdk::{Claims, Error, Mcp, Protection, ReplayStore, Required, Verifier, VerifierConfig};
use tower::ServiceExt as _;

use crate::vectors::{file, text, verifier};

async fn whoami(Extension(claims): Extension<Claims>) -> String {
    claims.subject().to_owned()
}

fn guarded() -> (Router, Mcp) {
    let verifier = Arc::new(verifier(&file("access_tokens.json")));
    let mcp = Mcp::new(verifier, "https://api.example", &["orders:read"]).unwrap();
    let own = mcp.clone();
    let app = Router::new()
        .route("/orders", get(whoami))
        .layer(mcp.protection.require(Required::scope("orders:read")))
        .route(&mcp.path, get(async move || own.metadata::<Body>()));
    (app, mcp)
}

async fn ask(app: &Router, path: &str, headers: &[(&str, &str)]) -> (StatusCode, String, String) {
    let request =
        headers.iter().fold(HttpRequest::builder().uri(path), |all, (name, value)| all.header(*name, *value));
    let answer = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let challenge = answer.headers().get("www-authenticate").map(|value| value.to_str().unwrap().to_owned());
    let status = answer.status();
    let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    (status, challenge.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
}

fn case<'a>(file: &'a Value, name: &str) -> &'a Value {
    file["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap()
}

/// What is verified of a good token of the vectors.
async fn claims(name: &str) -> Claims {
    let file = file("access_tokens.json");
    let case = case(&file, name);
    let authorization = [text(&case["headers"], "authorization")];
    let dpop: Vec<_> = case["headers"].get("dpop").and_then(Value::as_str).into_iter().collect();
    let (method, url) = (text(case, "method"), text(case, "url"));
    let request = svc_sdk::Request { authorization: &authorization, dpop: &dpop, method, url };
    verifier(&file).verify(request, &crate::vectors::required(case)).await.unwrap()
}

#[tokio::test]
async fn every_vector_gets_its_status_and_challenge_and_no_answer_shows_the_token() {
    let (app, _) = guarded();
    let file = file("access_tokens.json");
    let usual = &file["cases"][0]["required"];
    for case in file["cases"].as_array().unwrap().iter().filter(|case| case["required"] == *usual) {
        let headers: Vec<_> = case["headers"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (&**name, value.as_str().unwrap()))
            .collect();
        let (status, challenge, body) = ask(&app, "/orders", &headers).await;
        let name = text(case, "name");
        assert_eq!(u64::from(status.as_u16()), case["outcome"]["status"].as_u64().unwrap_or(200), "{name}");
        match case["outcome"]["error"].as_str() {
            Some("missing_token") => assert_eq!(
                challenge,
                "Bearer scope=\"orders:read\", resource_metadata=\"https://api.example/.well-known/oauth-protected-resource\""
            ),
            Some(error @ ("insufficient_scope" | "invalid_token")) => {
                let authorization = text(&case["headers"], "authorization");
                let scheme = if authorization.starts_with("DPoP ") { "DPoP" } else { "Bearer" };
                assert!(challenge.starts_with(&format!("{scheme} error=\"{error}\"")), "{name}: {challenge}");
            }
            Some(error @ "invalid_dpop_proof") => {
                assert!(challenge.starts_with(&format!("DPoP error=\"{error}\"")), "{name}: {challenge}");
                assert!(challenge.contains("algs=\"ES256 EdDSA Ed25519 PS256\""));
            }
            _ => assert_eq!(challenge, "", "{name}"),
        }
        let parts = headers.iter().flat_map(|(_, value)| value.split('.')).filter(|part| part.len() > 40);
        parts.for_each(|part| assert!(!body.contains(part) && !challenge.contains(part), "{name}"));
    }
}

#[tokio::test]
async fn two_authorization_fields_are_none() {
    let (app, _) = guarded();
    let file = file("access_tokens.json");
    let good = text(&file["cases"][0]["headers"], "authorization");
    assert_eq!(ask(&app, "/orders", &[("authorization", good)]).await.0, 200);
    let twice = [("authorization", good), ("authorization", good)];
    assert_eq!(ask(&app, "/orders", &twice).await.0, 401);
}

#[tokio::test]
async fn an_mcp_server_tells_where_its_tokens_come_from_and_which_scope_is_missing() {
    let (app, mcp) = guarded();
    assert_eq!(mcp.path, "/.well-known/oauth-protected-resource");
    let (status, _, body) = ask(&app, &mcp.path, &[]).await;
    let document: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (status.as_u16(), document["authorization_servers"][0].as_str()),
        (200, Some("https://id.example"))
    );
    assert_eq!(document["scopes_supported"][0], "orders:read");
    let refusal: Response<Body> =
        mcp.protection.insufficient_scope(&claims("an ES256 token").await, "orders:write");
    assert_eq!(refusal.status(), 403);
    let challenge = refusal.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.starts_with("Bearer error=\"insufficient_scope\""), "{challenge}");
    assert!(
        challenge.contains("scope=\"orders:write\"") && challenge.contains("resource_metadata="),
        "{challenge}"
    );
}

#[tokio::test]
async fn a_handler_that_needs_more_challenges_by_the_scheme_of_its_request() {
    let (_, mcp) = guarded();
    let bound = claims("a DPoP token with its proof").await;
    let refusal: Response<Body> = mcp.protection.insufficient_scope(&bound, "orders:write");
    let challenge = refusal.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.starts_with("DPoP error=\"insufficient_scope\""), "{challenge}");
    assert!(
        challenge.contains("scope=\"orders:write\"")
            && challenge.contains("algs=\"ES256 EdDSA Ed25519 PS256\""),
        "{challenge}"
    );
}

#[tokio::test]
async fn a_refusal_stays_one_whatever_the_scope_is() {
    let (_, mcp) = guarded();
    let refusal: Response<Body> =
        mcp.protection.insufficient_scope(&claims("an ES256 token").await, "a\r\nb\"c");
    assert_eq!(refusal.status(), 403);
    let challenge = refusal.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.contains("scope=\"a''b'c\""), "{challenge}");
}

#[tokio::test]
async fn the_metadata_is_where_a_client_computes_it_from_the_resource() {
    let file = file("access_tokens.json");
    let cases = [
        ("https://api.example", ""),
        ("https://api.example/", ""),
        ("https://api.example/mcp", "/mcp"),
        ("https://api.example/mcp/", "/mcp/"),
    ];
    for (resource, path) in cases {
        let config = VerifierConfig::new(text(&file, "issuer"), resource, text(&file, "tenant_id")).unwrap();
        let mcp = Mcp::new(Arc::new(Verifier::new(config).unwrap()), "https://api.example", &[]).unwrap();
        assert_eq!(mcp.path, format!("/.well-known/oauth-protected-resource{path}"), "{resource}");
    }
}

#[tokio::test]
async fn a_refusal_is_a_problem_with_the_members_that_clients_of_oauth_read() {
    let (app, _) = guarded();
    let (_, _, body) = ask(&app, "/orders", &[]).await;
    let problem: Value = serde_json::from_str(&body).unwrap();
    let description = "an access token is required";
    let wanted = json!({
        "type": "about:blank", "status": 401, "title": "Unauthorized", "detail": description, "error": "missing_token",
        "error_description": description,
    });
    assert_eq!(problem, wanted);
}

#[tokio::test]
async fn a_list_without_elements_is_left_out_of_the_metadata() {
    let verifier = Arc::new(verifier(&file("access_tokens.json")));
    let document = Mcp::new(verifier, "https://api.example", &[]).unwrap().metadata::<Body>();
    let body = axum::body::to_bytes(document.into_body(), 1 << 20).await.unwrap();
    let document: Value = serde_json::from_slice(&body).unwrap();
    assert!(document.get("scopes_supported").is_none(), "{document}");
}

#[test]
fn a_configuration_that_accepts_too_much_is_refused() {
    for (issuer, audience, tenant) in
        [("http://id.example", "a", "t"), ("https://id.example", "", "t"), ("https://id.example", "a", "")]
    {
        let made = VerifierConfig::new(issuer, audience, tenant).and_then(Verifier::new);
        assert!(made.is_err(), "{issuer} {audience} {tenant}");
    }
    let verifier = || Arc::new(verifier(&file("access_tokens.json")));
    assert!(Mcp::new(verifier(), "https://other.example", &[]).is_err());
    assert!(Mcp::new(verifier(), "https://api.exam", &[]).is_err());
    let _ = Protection::new(verifier(), "https://api.example/");
}

#[tokio::test]
async fn a_proof_at_an_api_without_an_origin_is_refused_for_that() {
    let file = file("access_tokens.json");
    let case = case(&file, "a DPoP token with its proof");
    let (authorization, dpop) = ([text(&case["headers"], "authorization")], [text(&case["headers"], "dpop")]);
    for url in ["", "/orders", "api.example/orders"] {
        let method = text(case, "method");
        let request = svc_sdk::Request { authorization: &authorization, dpop: &dpop, method, url };
        let judged = verifier(&file).verify(request, &crate::vectors::required(case)).await;
        let error = judged.unwrap_err();
        assert_eq!(error.code, "invalid_dpop_proof");
        assert!(error.description.contains("origin"), "{url}: {error}");
    }
}

struct Lost;

impl ReplayStore for Lost {
    fn note<'a>(
        &'a self,
        _: &'a str,
        _: i64,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + 'a>> {
        Box::pin(std::future::ready(Err(Error::new(0, "lost", "no connection"))))
    }
}

#[tokio::test]
async fn a_store_of_proofs_that_fails_lets_none_pass() {
    let file = file("access_tokens.json");
    let case = case(&file, "a DPoP token with its proof");
    let keys = svc_sdk::Keys::from_json(&file["jwks"]).unwrap();
    let new = VerifierConfig::new(text(&file, "issuer"), text(&file, "audience"), text(&file, "tenant_id"))
        .unwrap();
    let verifier =
        Verifier::new(VerifierConfig { keys, replays: Arc::new(Lost), now: || 1_800_000_000, ..new })
            .unwrap();
    let (authorization, dpop) = ([text(&case["headers"], "authorization")], [text(&case["headers"], "dpop")]);
    let (method, url) = (text(case, "method"), text(case, "url"));
    let request = svc_sdk::Request { authorization: &authorization, dpop: &dpop, method, url };
    assert_eq!(verifier.verify(request, &crate::vectors::required(case)).await.unwrap_err().status, 503);
}
