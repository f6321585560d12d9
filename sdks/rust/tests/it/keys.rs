//! Keys that are cached: few fetches, and none that an outage can spoil.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use serde_json::{Value, json};
use svc_sdk::{Error, Keys, RemoteKeys, Request, Required, Verifier, VerifierConfig};

use crate::vectors::{file, text};

static CLOCK: AtomicI64 = AtomicI64::new(1_800_000_000);
/// Another one, which is a day ahead at first.
static AHEAD: AtomicI64 = AtomicI64::new(1_800_086_400);

/// An issuer whose key set can be made to fail.
#[derive(Clone, Default)]
struct Sick {
    fetched: Arc<AtomicUsize>,
    how: Arc<AtomicUsize>,
}

impl Sick {
    async fn set(self) -> (axum::http::StatusCode, String) {
        self.fetched.fetch_add(1, Ordering::SeqCst);
        match self.how.load(Ordering::SeqCst) {
            0 => (axum::http::StatusCode::OK, file("access_tokens.json")["jwks"].to_string()),
            1 => (axum::http::StatusCode::INTERNAL_SERVER_ERROR, String::new()),
            2 => (axum::http::StatusCode::OK, " ".repeat(300 * 1024)),
            _ => std::future::pending().await,
        }
    }

    async fn issuer(&self) -> String {
        let document = |headers: HeaderMap| async move {
            let url = format!("http://{}", headers["host"].to_str().unwrap());
            let at = |path: &str| format!("{url}{path}");
            axum::Json(json!({
                "issuer": url, "authorization_endpoint": at("/a"), "token_endpoint": at("/t"), "jwks_uri": at("/jwks"),
            }))
        };
        let own = self.clone();
        let app = Router::new()
            .route("/jwks", get(move || own.clone().set()))
            .route("/.well-known/openid-configuration", get(document));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        url
    }
}

struct Api {
    file: Value,
    verifier: Verifier,
}

impl Api {
    async fn of(sick: &Sick, now: fn() -> i64) -> Self {
        let file = file("access_tokens.json");
        let keys = Keys::Remote(RemoteKeys::with_clock(&sick.issuer().await, now).unwrap());
        let config =
            VerifierConfig::new(text(&file, "issuer"), text(&file, "audience"), text(&file, "tenant_id"));
        let verifier =
            Verifier::new(VerifierConfig { keys, now: || 1_800_000_000, ..config.unwrap() }).unwrap();
        Self { file, verifier }
    }

    async fn verify(&self, name: &str) -> Result<(), Error> {
        let case = self.file["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap();
        let authorization = [case["headers"]["authorization"].as_str().unwrap()];
        let request = Request {
            authorization: &authorization,
            dpop: &[],
            method: "GET",
            url: "https://api.example/orders",
        };
        self.verifier.verify(request, &Required::scope("orders:read")).await.map(drop)
    }
}

#[tokio::test]
async fn keys_are_fetched_seldom_and_survive_an_outage() {
    let sick = Sick::default();
    let api = Api::of(&sick, || CLOCK.load(Ordering::SeqCst)).await;
    sick.how.store(1, Ordering::SeqCst);
    for _ in 0..2 {
        assert_eq!(api.verify("an ES256 token").await.unwrap_err().status, 503);
    }
    assert_eq!(sick.fetched.load(Ordering::SeqCst), 1, "not twice within the pause");
    sick.how.store(0, Ordering::SeqCst);
    // An issuer that starts later than the API is found within a second.
    CLOCK.fetch_add(1, Ordering::SeqCst);
    for _ in 0..20 {
        api.verify("an ES256 token").await.unwrap();
        assert_eq!(api.verify("an unknown kid").await.unwrap_err().status, 401);
    }
    assert_eq!(sick.fetched.load(Ordering::SeqCst), 2, "unknown keys cause no fetch each");
    for (how, count) in [(1, 3), (2, 4), (3, 5)] {
        sick.how.store(how, Ordering::SeqCst);
        CLOCK.fetch_add(301, Ordering::SeqCst);
        while sick.fetched.load(Ordering::SeqCst) < count {
            api.verify("an ES256 token").await.unwrap();
            tokio::task::yield_now().await;
        }
        api.verify("an ES256 token").await.unwrap();
    }
}

#[tokio::test]
async fn keys_are_fetched_again_although_the_clock_was_set_back() {
    let sick = Sick::default();
    let api = Api::of(&sick, || AHEAD.load(Ordering::SeqCst)).await;
    api.verify("an ES256 token").await.unwrap();
    assert_eq!(sick.fetched.load(Ordering::SeqCst), 1);
    AHEAD.store(1_800_000_000, Ordering::SeqCst);
    for _ in 0..20 {
        assert_eq!(api.verify("an unknown kid").await.unwrap_err().status, 401);
    }
    assert_eq!(sick.fetched.load(Ordering::SeqCst), 2, "a key that is new is found, by one fetch");
    AHEAD.fetch_sub(3_600, Ordering::SeqCst);
    while sick.fetched.load(Ordering::SeqCst) < 3 {
        api.verify("an ES256 token").await.unwrap();
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_key_set_that_hangs_is_given_up_and_a_caller_that_goes_away_harms_no_other() {
    let sick = Sick::default();
    sick.how.store(3, Ordering::SeqCst);
    let api = Api::of(&sick, || 1_800_000_000).await;
    let impatient = tokio::time::timeout(Duration::from_millis(200), api.verify("an ES256 token")).await;
    assert!(impatient.is_err());
    let error = api.verify("an ES256 token").await.unwrap_err();
    assert_eq!((error.status, error.code.as_str()), (503, "temporarily_unavailable"));
    assert_eq!(error.description, "the issuer's keys are out of reach (unanswered)");
    assert_eq!(sick.fetched.load(Ordering::SeqCst), 1);
}

#[test]
fn a_key_set_of_another_shape_is_refused() {
    let many: Vec<Value> = (0..51).map(|number| json!({"kid": number.to_string()})).collect();
    for set in [json!({}), json!({"keys": 7}), json!([]), json!({"keys": many})] {
        assert!(Keys::from_json(&set).is_err(), "{set}");
    }
    assert!(RemoteKeys::new("http://id.example").is_err(), "keys come over https");
}
