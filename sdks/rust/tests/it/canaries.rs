//! Nothing that is confidential shows up in what can be printed.

use std::fmt::Debug;

use serde_json::{Value, json};
use svc_sdk::{
    Authentication, Call, Client, ClientConfig, Error, Flow, Management, ProofKey, TokenSource,
    WebhookVerifier, callback,
};

use crate::issuer::{Issuer, SECRET};

fn check(shown: &dyn Debug) {
    let shown = format!("{shown:?} {shown:#?}");
    assert!(!shown.contains("canary"), "{shown}");
}

#[tokio::test]
async fn printing_what_holds_secrets_shows_none() {
    let issuer = Issuer::start(|_| crate::issuer::tokens()).await;
    let client = issuer.client();
    check(&client.client_credentials("", None).await.unwrap());
    check(&client.exchange_code(&Flow::start("https://app.example/cb"), "canary-code-8").await.unwrap());
    check(&client);
    let ways = [Authentication::Basic(SECRET.into()), Authentication::Post(SECRET.into())];
    ways.into_iter().for_each(|way| check(&ClientConfig::new(&issuer.url, "app", way)));
    check(&Authentication::Key(ProofKey::generate().unwrap(), "k".into()));
    let flow = Flow {
        state: "canary-1".into(),
        nonce: "canary-2".into(),
        verifier: "canary-3".into(),
        ..Flow::default()
    };
    check(&flow);
    check(&WebhookVerifier::new(vec!["canary-webhook".into()]));
    check(&Management::new(&issuer.url, TokenSource::Static("canary-token".into())).unwrap());
    check(&TokenSource::Static("canary-token".into()));
    check(&TokenSource::credentials(client, "", None));
    check(&Call {
        body: Some(json!({"password": "canary"})),
        query: vec![("q".into(), "canary".into())],
        ..Call::default()
    });
}

/// An answer that repeats all that it was sent.
async fn echo() -> Issuer {
    Issuer::start(|seen| {
        let heard = format!("{} {} {:?}", seen.body, seen.header("authorization"), seen.form());
        (400, vec![], json!({"error": "invalid_request", "error_description": heard}))
    })
    .await
}

#[tokio::test]
async fn an_issuer_that_repeats_what_it_was_sent_puts_none_of_it_into_the_error() {
    let issuer = echo().await;
    let config = ClientConfig::new(&issuer.url, "app", Authentication::Post(SECRET.into()));
    let client = Client::new(config).unwrap();
    let flow = Flow { verifier: "canary-verifier-1".into(), ..Flow::start("https://app.example/cb") };
    let errors: Vec<Error> = vec![
        client.exchange_code(&flow, "canary-code-1").await.unwrap_err(),
        client.refresh("canary-refresh-1").await.unwrap_err(),
        client.exchange_token("canary-subject-1", "https://api.example", "").await.unwrap_err(),
        client.revoke("canary-token-1").await.unwrap_err(),
        client.userinfo("canary-access-1", None).await.unwrap_err(),
    ];
    let api = Management::new(&issuer.url, TokenSource::Static("canary-token-2".into())).unwrap();
    let mut errors = errors;
    errors.push(api.resource::<Value>("/api/v1/x").find("y").await.unwrap_err());
    for error in errors {
        let shown = format!("{error} {error:?}");
        assert!(error.code == "invalid_request" && !shown.contains("canary"), "{shown}");
        assert!(shown.contains("[redacted]"));
    }
}

#[tokio::test]
async fn a_line_of_a_log_stays_one_line_whatever_an_issuer_says() {
    let issuer = Issuer::start(|_| {
        let said = "a\r\nERROR b\u{1b}[2J\u{85}c";
        (400, vec![], json!({"error": "invalid\n_grant", "error_description": said}))
    })
    .await;
    let error = issuer.client().refresh("refresh-1").await.unwrap_err();
    assert_eq!((&*error.code, &*error.description), ("invalid _grant", "a ERROR b [2J c"));
    let answer = "/cb?state=s&iss=https://id.example&error=access_denied%0A&error_description=a%0D%0Ab";
    let refused = callback(answer, "s", "https://id.example").unwrap_err();
    assert_eq!(refused.to_string(), "access_denied: a b (tenant https://id.example)");
}

#[tokio::test]
async fn an_issuer_that_is_not_there_is_an_error_without_the_address() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let config = ClientConfig::new(&format!("http://{free}"), "app", Authentication::Basic(SECRET.into()));
    let error = Client::new(config).unwrap().refresh("canary-refresh").await.unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("unanswered", 0));
    assert!(!format!("{error} {error:?}").contains("canary"));
}
