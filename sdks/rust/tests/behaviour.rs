//! Guards, keys in an outage, repeats.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{HeaderMap, Request as HttpRequest, StatusCode};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde_json::{Value, json};
use svc_sdk::{
    Authentication, Claims, Client, ClientConfig, Flow, Keys, Management, Mcp, ProofKey, RemoteKeys, Request,
    Required, TokenSource, Verifier, VerifierConfig,
};
use tower::ServiceExt as _;

fn vectors() -> Value {
    let path = format!("{}/../vectors/access_tokens.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn config(file: &Value) -> VerifierConfig {
    let text = |name: &str| file[name].as_str().unwrap();
    let new = VerifierConfig::new(text("issuer"), text("audience"), text("tenant_id")).unwrap();
    VerifierConfig { keys: Keys::from_json(&file["jwks"]).unwrap(), now: || 1_800_000_000, ..new }
}

async fn serve(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    issuer
}

async fn whoami(Extension(claims): Extension<Claims>) -> String {
    claims.text("sub").unwrap().to_owned()
}

#[tokio::test]
async fn a_guarded_route_answers_with_status_and_challenge() {
    let file = vectors();
    let verifier = Arc::new(Verifier::new(config(&file)).unwrap());
    let mcp = Mcp::new(verifier, "https://api.example", &["orders:read"]).unwrap();
    let app = Router::new().route("/orders", get(whoami)).layer(mcp.protection.require(Required::scope("orders:read")));
    for case in file["cases"].as_array().unwrap() {
        if case["required"] != file["cases"][0]["required"] {
            continue;
        }
        let mut request = HttpRequest::builder().uri("/orders");
        for (name, value) in case["headers"].as_object().unwrap() {
            request = request.header(name, value.as_str().unwrap());
        }
        let answer = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(u64::from(answer.status().as_u16()), case["outcome"]["status"].as_u64().unwrap_or(200), "{}", case["name"]);
        let challenge = answer.headers().get("www-authenticate").map(|value| value.to_str().unwrap());
        match case["outcome"]["error"].as_str() {
            Some("missing_token") => assert_eq!(
                challenge.unwrap(),
                "Bearer scope=\"orders:read\", resource_metadata=\"https://api.example/.well-known/oauth-protected-resource\""
            ),
            Some(error @ ("insufficient_scope" | "invalid_token" | "invalid_dpop_proof")) => {
                assert!(challenge.unwrap().contains(&format!("error=\"{error}\"")));
            }
            _ => assert_eq!(challenge, None),
        }
    }
}

static CLOCK: AtomicI64 = AtomicI64::new(1_800_000_000);
static FETCHED: AtomicUsize = AtomicUsize::new(0);
static BROKEN: AtomicUsize = AtomicUsize::new(0);

#[tokio::test]
async fn keys_are_fetched_seldom_and_survive_an_outage() {
    let file = vectors();
    let jwks = file["jwks"].clone();
    let set = move || async move {
        FETCHED.fetch_add(1, Ordering::SeqCst);
        match BROKEN.load(Ordering::SeqCst) {
            0 => (StatusCode::OK, jwks.to_string()),
            1 => (StatusCode::INTERNAL_SERVER_ERROR, String::new()),
            _ => (StatusCode::OK, " ".repeat(300 * 1024)),
        }
    };
    let document = |headers: HeaderMap| async move {
        let issuer = format!("http://{}", headers["host"].to_str().unwrap());
        Json(json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/a"), "token_endpoint": format!("{issuer}/t"),
            "jwks_uri": format!("{issuer}/jwks"),
        }))
    };
    let app = Router::new().route("/jwks", get(set)).route("/.well-known/openid-configuration", get(document));
    let issuer = serve(app).await;
    let keys = RemoteKeys::with_clock(&issuer, || CLOCK.load(Ordering::SeqCst)).unwrap();
    let verifier = Verifier::new(VerifierConfig { keys: Keys::Remote(keys), ..config(&file) }).unwrap();
    let verify = async |name: &str| {
        let case = file["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap();
        let authorization = [case["headers"]["authorization"].as_str().unwrap()];
        let request = Request { authorization: &authorization, dpop: &[], method: "GET", url: "https://api.example/orders" };
        verifier.verify(request, &Required::scope("orders:read")).await
    };
    BROKEN.store(1, Ordering::SeqCst);
    assert_eq!(verify("an ES256 token").await.unwrap_err().status, 503);
    assert_eq!(verify("an ES256 token").await.unwrap_err().status, 503);
    assert_eq!(FETCHED.load(Ordering::SeqCst), 1);
    BROKEN.store(0, Ordering::SeqCst);
    CLOCK.fetch_add(31, Ordering::SeqCst);
    for _ in 0..20 {
        assert!(verify("an ES256 token").await.is_ok());
        assert_eq!(verify("an unknown kid").await.unwrap_err().status, 401);
    }
    assert_eq!(FETCHED.load(Ordering::SeqCst), 2);
    for (broken, count) in [(1, 3), (2, 4)] {
        BROKEN.store(broken, Ordering::SeqCst);
        CLOCK.fetch_add(3600, Ordering::SeqCst);
        assert!(verify("an ES256 token").await.is_ok());
        while FETCHED.load(Ordering::SeqCst) < count {
            tokio::task::yield_now().await;
        }
        assert!(verify("an ES256 token").await.is_ok());
    }
}

#[tokio::test]
async fn writes_carry_one_idempotency_key_and_are_repeated_where_safe() {
    static SEEN: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let answer = |headers: HeaderMap| async move {
        let mut seen = SEEN.lock().unwrap();
        seen.push(headers["idempotency-key"].to_str().unwrap().to_owned());
        if seen.len() == 2 {
            return (StatusCode::OK, [("x-request-id", "req-2")], Json(json!({"id": "org_1"})));
        }
        let problem = json!({"error": "temporarily_unavailable", "error_description": "later"});
        (StatusCode::SERVICE_UNAVAILABLE, [("x-request-id", "req-1")], Json(problem))
    };
    let app = Router::new()
        .route("/api/v1/organizations", post(answer))
        .route("/api/v1/organizations/{id}", axum::routing::patch(answer));
    let issuer = serve(app).await;
    let api = Management::new(&issuer, TokenSource::Static("canary".into())).unwrap();
    let made = api.organizations().create(&json!({"name": "A"}), None).await.unwrap();
    assert_eq!(made["id"], "org_1");
    let error = api.organizations().update("org_1", &json!({"name": "B"})).await.unwrap_err();
    assert_eq!((error.request_id.as_deref(), error.tenant.as_str()), (Some("req-1"), issuer.as_str()));
    let seen = SEEN.lock().unwrap();
    assert_eq!(seen.len(), 3);
    assert!(seen[0] == seen[1] && seen[1] != seen[2] && seen[0].len() == 43);
}

#[tokio::test]
async fn grants_show_no_secrets() {
    let document = |headers: HeaderMap| async move {
        let issuer = format!("http://{}", headers["host"].to_str().unwrap());
        Json(json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/a"), "token_endpoint": format!("{issuer}/t"),
            "jwks_uri": format!("{issuer}/jwks"),
        }))
    };
    let token = |headers: HeaderMap, body: String| async move {
        if body.contains("canary-bad") {
            return (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"})));
        }
        let proven = [headers.contains_key("authorization"), body.contains("client_secret="), body.contains("client_assertion="), headers.contains_key("dpop")];
        (StatusCode::OK, Json(json!({"access_token": "canary", "token_type": "Bearer", "expires_in": 60, "scope": format!("{proven:?}")})))
    };
    let app = Router::new().route("/t", post(token)).route("/.well-known/openid-configuration", get(document));
    let issuer = serve(app).await;
    let key = || ProofKey::generate().unwrap();
    let kinds = [
        (Authentication::Basic("canary".into()), None, "[true, false, false, false]"),
        (Authentication::Post("canary".into()), None, "[false, true, false, false]"),
        (Authentication::Key(key(), "k".into()), None, "[false, false, true, false]"),
        (Authentication::None, Some(key()), "[false, false, false, true]"),
    ];
    for (authentication, proof_key, proven) in kinds {
        let config = ClientConfig { issuer: issuer.clone(), client_id: "app".into(), authentication, proof_key };
        let client = Client::new(config).unwrap();
        let tokens = client.client_credentials("orders:read", Some("https://api.example")).await.unwrap();
        assert_eq!(tokens.scope.as_deref(), Some(proven));
        assert!(!format!("{tokens:?}").contains("canary"));
        let error = client.exchange_code(&Flow::start(), "canary-bad", "https://app.example/cb").await.unwrap_err();
        assert!(error.code == "invalid_grant" && !format!("{error} {error:?}").contains("canary"));
    }
}

/// Needs `SVC_DEV`, the line that `svc-runtime dev --json` printed.
#[tokio::test]
async fn tokens_of_the_running_server_verify() {
    let Ok(line) = std::env::var("SVC_DEV") else { return };
    let server: Value = serde_json::from_str(&line).unwrap();
    let issuer = server["issuer"].as_str().unwrap();
    let mut found = 0;
    for application in server["clients"].as_array().unwrap() {
        let Some(secret) = application["client_secret"].as_str() else { continue };
        let client = Client::new(ClientConfig {
            issuer: issuer.to_owned(),
            client_id: application["client_id"].as_str().unwrap().to_owned(),
            authentication: Authentication::Basic(secret.to_owned()),
            proof_key: None,
        });
        let client = client.unwrap();
        let Ok(tokens) = client.client_credentials("", None).await else { continue };
        found += 1;
        let payload = tokens.access_token.split('.').nth(1).unwrap();
        let payload = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, payload).unwrap();
        let claims: Value = serde_json::from_slice(&payload).unwrap();
        let text = |name: &str| claims[name].as_str().unwrap();
        let verifier = Verifier::new(VerifierConfig::new(issuer, text("aud"), text("tenant_id")).unwrap()).unwrap();
        let authorization = [format!("Bearer {}", tokens.access_token)];
        let authorization = [authorization[0].as_str()];
        let request = Request { authorization: &authorization, dpop: &[], method: "GET", url: "https://api.example/" };
        let system = Required { subject_types: vec!["system".into()], ..Required::scope("") };
        verifier.verify(request, &system).await.unwrap();
        assert_eq!(verifier.verify(request, &Required::scope("")).await.unwrap_err().status, 403);
        client.revoke(&tokens.access_token).await.unwrap();
    }
    assert!(found > 0, "no application got a token");
}
