//! How requests are sent: by the caller's client, within the caller's limits.

use std::time::{Duration, Instant};

use reqwest::header::{HeaderMap, HeaderValue, PROXY_AUTHORIZATION};
use reqwest::redirect::Policy;
use serde_json::json;
use svc_sdk::{
    Authentication, Client, ClientConfig, Error, Http, Keys, Management, RemoteKeys, Request, Required,
    TokenSource, Verifier, VerifierConfig,
};
use tokio::net::TcpListener;

use crate::issuer::{Answer, Issuer, Seen, ok, problem, signed, tokens};

/// A machine that takes connections and answers nothing.
async fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

fn client(issuer: &str, http: &Http) -> Client {
    let new = ClientConfig::new(issuer, "app", Authentication::None);
    Client::new(ClientConfig { http: http.clone(), ..new }).unwrap()
}

#[tokio::test]
async fn a_request_takes_no_longer_than_it_may() {
    let (_listener, url) = silent().await;
    let http = Http { timeout: Duration::from_millis(50), attempts: 1, ..Http::default() };
    let begun = Instant::now();
    assert_eq!(client(&url, &http).metadata().await.unwrap_err().code, "unanswered");
    let api = Management::with_http(&url, TokenSource::Static("t".into()), &http).unwrap();
    assert_eq!(api.organizations().find("org_1").await.unwrap_err().code, "unanswered");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn keys_are_waited_for_no_longer_than_they_may_take() {
    let (_listener, url) = silent().await;
    let http = Http { keys_timeout: Duration::from_millis(50), ..Http::default() };
    let keys = Keys::Remote(RemoteKeys::with_http(&url, &http).unwrap());
    let config = VerifierConfig::new(&url, "https://api.example", "tnt_1").unwrap();
    let verifier = Verifier::new(VerifierConfig { keys, ..config }).unwrap();
    let token = signed(&json!({"alg": "ES256", "kid": "k1", "typ": "at+jwt"}), &json!({}));
    let authorization = format!("Bearer {token}");
    let authorization = [authorization.as_str()];
    let request =
        Request { authorization: &authorization, dpop: &[], method: "GET", url: "https://api.example/" };
    let begun = Instant::now();
    let error = verifier.verify(request, &Required::scope("")).await.unwrap_err();
    assert_eq!((error.status, error.code.as_str()), (503, "temporarily_unavailable"));
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

/// How often a call is sent whose answer is always the same.
async fn times(http: &Http, answer: Answer) -> (usize, Error) {
    let issuer = Issuer::start(move |_| answer.clone()).await;
    let api = Management::with_http(&issuer.url, TokenSource::Static("t".into()), http).unwrap();
    let error = api.organizations().find("org_1").await.unwrap_err();
    (issuer.seen().len(), error)
}

#[tokio::test]
async fn a_call_is_sent_as_often_and_waits_as_long_as_the_caller_says() {
    for (attempts, wanted) in [(0, 1), (1, 1), (2, 2)] {
        let http = Http { attempts, ..Http::default() };
        assert_eq!(times(&http, problem(503, "temporarily_unavailable")).await.0, wanted, "{attempts}");
    }
    let (status, _, body) = problem(429, "rate_limited");
    let later = (status, vec![("retry-after", "1".to_owned())], body);
    let http = Http { longest_wait: Duration::ZERO, ..Http::default() };
    let (sent, error) = times(&http, later).await;
    assert_eq!((sent, error.retry_after), (1, Some(Duration::from_secs(1))), "it is for the caller to wait");
}

#[tokio::test]
async fn everything_is_sent_by_the_client_of_the_caller() {
    let issuer =
        Issuer::start(|seen| if seen.path == "/token" { tokens() } else { ok(json!({"id": "org_1"})) }).await;
    let own = reqwest::Client::builder().user_agent("shop/1.0").redirect(Policy::none()).build().unwrap();
    let http = Http { client: Some(own), ..Http::default() };
    let source = TokenSource::credentials(client(&issuer.url, &http), "", None);
    let api = Management::with_http(&issuer.url, source, &http).unwrap();
    api.organizations().find("org_1").await.unwrap();
    let agents: Vec<_> = issuer.seen().iter().map(|seen| seen.header("user-agent").to_owned()).collect();
    assert_eq!(agents, ["shop/1.0", "shop/1.0"]);
}

#[tokio::test]
async fn what_a_client_that_follows_redirects_brings_from_elsewhere_is_refused() {
    let moved = |seen: &Seen| match seen.path.as_str() {
        "/elsewhere" => tokens(),
        _ => (307, vec![("location", "/elsewhere".to_owned())], json!({})),
    };
    let issuer = Issuer::start(moved).await;
    let follows = Http { client: Some(reqwest::Client::new()), ..Http::default() };
    for (http, code) in [(follows, "invalid_answer"), (Http::default(), "http_307")] {
        let error = client(&issuer.url, &http).refresh("canary-refresh-1").await.unwrap_err();
        assert_eq!((error.code.as_str(), error.tenant.as_str()), (code, issuer.url.as_str()));
        let api = Management::with_http(&issuer.url, TokenSource::Static("t".into()), &http).unwrap();
        assert_eq!(api.organizations().find("org_1").await.unwrap_err().code, code);
    }
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_the_callers_fault_and_is_not_tried_again() {
    let issuer = Issuer::start(|_| ok(json!({"id": "org_1"}))).await;
    let api = Management::new(&issuer.url, TokenSource::Static("t".into())).unwrap();
    let error = api.organizations().create(&json!({}), Some("a\nb")).await.unwrap_err();
    assert_eq!((error.code.as_str(), error.tenant.as_str()), ("client_error", issuer.url.as_str()));
    assert!(issuer.seen().is_empty());
}

#[test]
fn the_headers_of_the_callers_client_are_not_printed() {
    let mut headers = HeaderMap::new();
    headers.insert(PROXY_AUTHORIZATION, HeaderValue::from_static("canary"));
    let own = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let http = Http { client: Some(own), ..Http::default() };
    let config = ClientConfig {
        http: http.clone(),
        ..ClientConfig::new("https://id.example", "app", Authentication::None)
    };
    for text in [format!("{http:?}"), format!("{config:?}")] {
        assert!(text.contains("30s") && !text.contains("canary"), "{text}");
    }
}
