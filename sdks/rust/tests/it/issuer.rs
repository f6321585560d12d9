//! An issuer of the test's own: it serves its metadata and keys, and answers the rest as the test says.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use svc_sdk::{Authentication, Client, ClientConfig};

/// The status of an answer that never comes: the connection ends instead.
pub const SILENT: u16 = 0;

pub const SECRET: &str = "canary-secret-5d1f";

/// A request as the issuer saw it.
#[derive(Clone)]
pub struct Seen {
    pub method: String,
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

impl Seen {
    /// The fields of a form.
    pub fn form(&self) -> HashMap<String, String> {
        let url = reqwest::Url::parse(&format!("http://x/?{}", self.body)).unwrap();
        url.query_pairs().into_owned().collect()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// Status, headers and body of an answer.
pub type Answer = (u16, Vec<(&'static str, String)>, Value);

pub struct Issuer {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Issuer {
    pub async fn start(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (log, answer) = (Arc::clone(&seen), Arc::new(answer));
        let handler = move |request: Request| {
            let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
            async move {
                let seen = read(request).await;
                let (status, headers, body) = own(&seen).unwrap_or_else(|| answer(&seen));
                log.lock().unwrap().push(seen);
                if status == SILENT {
                    panic!("the connection ends without an answer");
                }
                let response = Response::builder().status(status).header("x-request-id", "req-1");
                let response =
                    headers.into_iter().fold(response, |all, (name, value)| all.header(name, value));
                response.body(Body::from(body.to_string())).unwrap()
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
        Self { url, seen }
    }

    /// The requests for anything but metadata and keys.
    pub fn seen(&self) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap();
        seen.iter()
            .filter(|seen| !seen.path.contains("well-known") && seen.path != "/jwks")
            .cloned()
            .collect()
    }

    /// A client with a secret.
    pub fn client(&self) -> Client {
        Client::new(ClientConfig::new(&self.url, "app", Authentication::Basic(SECRET.into()))).unwrap()
    }
}

async fn read(request: Request) -> Seen {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    Seen {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

fn own(seen: &Seen) -> Option<Answer> {
    let url = format!("http://{}", seen.header("host"));
    let at = |path: &str| format!("{url}{path}");
    let document = json!({
        "issuer": url, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
        "jwks_uri": at("/jwks"), "userinfo_endpoint": at("/userinfo"), "revocation_endpoint": at("/revoke"),
        "end_session_endpoint": at("/logout"),
        "device_authorization_endpoint": at("/device"), "pushed_authorization_request_endpoint": at("/par"),
    });
    match seen.path.as_str() {
        "/.well-known/openid-configuration" => Some((200, vec![], document)),
        "/jwks" => Some((200, vec![], json!({"keys": [key().1]}))),
        _ => None,
    }
}

/// The key of the issuer, and its public half.
pub fn key() -> (&'static EcdsaKeyPair, Value) {
    static PAIR: std::sync::OnceLock<EcdsaKeyPair> = std::sync::OnceLock::new();
    let pair = PAIR.get_or_init(|| EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap());
    let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
    let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
    (pair, json!({"kty": "EC", "crv": "P-256", "kid": "k1", "use": "sig", "alg": "ES256", "x": x, "y": y}))
}

pub fn signed(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let input = format!("{}.{}", part(header), part(claims));
    let signature = key().0.sign(&SystemRandom::new(), input.as_bytes()).unwrap();
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(signature))
}

pub fn problem(status: u16, code: &str) -> Answer {
    (status, vec![], json!({"error": code, "error_description": "what the server says"}))
}

pub fn ok(body: Value) -> Answer {
    (200, vec![], body)
}

pub fn tokens() -> Answer {
    ok(
        json!({"access_token": "canary-access-77aa", "refresh_token": "canary-refresh-41", "token_type": "Bearer", "expires_in": 60}),
    )
}
