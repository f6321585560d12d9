//! What the log tells of people, and that a secret in the log of any test fails it.

use svc_http::{Body, Request};

use crate::harness::Harness;

/// The lines that hold every text.
fn lines(h: &Harness, texts: &[&str]) -> Vec<String> {
    let log = h.log();
    log.lines().filter(|line| texts.iter().all(|text| line.contains(text))).map(str::to_owned).collect()
}

#[tokio::test]
async fn sign_ins_are_told_with_what_was_proven_and_refusals_with_their_reason() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("app").await, site.user("ada").await);
    let _ = client.tokens(&ada).await;
    let told = lines(&h, &["svc::sign_in", "signed in"]);
    assert_eq!(told.len(), 1, "{}", h.log());
    for text in ["INFO", "request_id=", &format!("tenant_user={}", ada.id), "amr=\"pwd\""] {
        assert!(told[0].contains(text), "{text}: {told:?}");
    }
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&client.verifier(), &[])).await.expect(200);
    let _ = browser.submit(&page, &[("username", "ada"), ("password", "a guess that is wrong")]).await;
    let told = lines(&h, &["svc::sign_in", "reason="]);
    assert_eq!(told.len(), 1, "{}", h.log());
    for text in ["INFO", "request_id=", "method=\"password\"", "reason=\"credentials\""] {
        assert!(told[0].contains(text), "{text}: {told:?}");
    }
    assert!(!h.log().contains("ada@") && !h.log().contains("a guess"), "{}", h.log());
}

#[tokio::test]
async fn a_mail_of_development_is_told_by_receiver_and_subject_and_never_by_its_link() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    let _ = browser.submit(&page, &[("username", "ada")]).await;
    let mail = h.mails().await.remove(0);
    let told = lines(&h, &["svc::mail"]);
    assert_eq!(told.len(), 1, "{}", h.log());
    for text in ["INFO", &format!("to={:?}", ada.email), &format!("subject={:?}", mail.subject)] {
        assert!(told[0].contains(text), "{text}: {told:?}");
    }
    let link = mail.links.iter().find_map(|link| link.split("token=").nth(1)).unwrap();
    assert!(!h.log().contains(link), "{}", h.log());
}

/// A request with a secret, after which the service logs or says in a span what `leak` does with it.
async fn leaks(leak: impl FnOnce(&str)) {
    let h = Harness::in_one_process(&[]).await;
    h.tenant("main").await;
    let request = Request::get("/userinfo").header("host", "id.test");
    let request = request.header("authorization", "Bearer canary-of-a-leaked-token");
    let _ = h.send(request.body(Body::empty()).unwrap()).await;
    leak("canary-of-a-leaked-token");
}

#[tokio::test]
#[should_panic(expected = "secrets are in the log")]
async fn a_secret_in_a_line_of_any_level_fails_its_test() {
    leaks(|secret| tracing::trace!(target: "svc::request", "the token is {secret}")).await;
}

#[tokio::test]
#[should_panic(expected = "secrets are in the log")]
async fn a_secret_in_the_field_of_a_span_fails_its_test() {
    leaks(|secret| drop(tracing::trace_span!(target: "svc::request", "request", token = secret))).await;
}

#[tokio::test]
#[should_panic(expected = "secrets are in the log")]
async fn a_secret_that_a_span_learns_later_fails_its_test() {
    leaks(|secret| {
        let span = tracing::trace_span!(target: "svc::request", "request", token = tracing::field::Empty);
        span.record("token", secret);
    })
    .await;
}
