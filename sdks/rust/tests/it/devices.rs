//! A device that waits (RFC 8628), on a clock that the test moves.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::issuer::{Answer, Issuer, ok, problem, tokens};

async fn device_of(answers: &'static [&'static str]) -> (Issuer, Result<svc_sdk::Tokens, svc_sdk::Error>) {
    let asked = AtomicUsize::new(0);
    let issuer = Issuer::start(move |seen| -> Answer {
        if seen.path == "/device" {
            return ok(json!({
                "device_code": "canary-device-1", "user_code": "ABCD-EFGH", "verification_uri": "https://id.example/device",
                "expires_in": 12, "interval": 1,
            }));
        }
        assert_eq!(seen.form()["device_code"], "canary-device-1");
        match answers.get(asked.fetch_add(1, Ordering::SeqCst)) {
            Some(&"") => tokens(),
            Some(&"temporarily_unavailable") => problem(503, "temporarily_unavailable"),
            Some(&"rate_limited") => problem(429, "rate_limited"),
            Some(&"busy") => {
                let (status, _, body) = problem(503, "temporarily_unavailable");
                (status, vec![("retry-after", "6".to_owned())], body)
            }
            Some(code) => problem(400, code),
            None => problem(400, "authorization_pending"),
        }
    })
    .await;
    let client = issuer.client();
    let device = client.start_device("openid").await.unwrap();
    assert_eq!(device.user_code, "ABCD-EFGH");
    assert!(!format!("{device:?}").contains("canary"));
    let decided = client.await_device(&device).await;
    (issuer, decided)
}

#[tokio::test]
async fn a_device_asks_for_the_api_that_its_token_is_for() {
    let issuer = Issuer::start(|_| -> Answer {
        ok(json!({
            "device_code": "canary-device-1", "user_code": "ABCD-EFGH", "verification_uri": "https://id.example/device",
            "expires_in": 12,
        }))
    })
    .await;
    let extra = [("resource", "https://api.example"), ("organization", "acme")];
    issuer.client().start_device_with("notes:read", &extra).await.unwrap();
    let form = issuer.seen()[0].form();
    assert_eq!(form["scope"], "notes:read");
    assert_eq!(form["resource"], "https://api.example");
    assert_eq!(form["organization"], "acme");
}

#[tokio::test]
async fn a_device_waits_until_the_person_has_decided() {
    let (issuer, decided) = device_of(&["authorization_pending", ""]).await;
    assert_eq!(decided.unwrap().expires_in, 60);
    assert_eq!(issuer.seen().len(), 3);
}

#[tokio::test]
async fn an_answer_that_decides_nothing_does_not_end_the_waiting() {
    let (issuer, decided) = device_of(&["temporarily_unavailable", "rate_limited", ""]).await;
    assert_eq!(decided.unwrap().expires_in, 60);
    assert_eq!(issuer.seen().len(), 4);
}

#[tokio::test]
async fn a_pause_that_is_asked_for_once_is_made_once() {
    // After one second, six more, and one more: another pause of six would be beyond the end of the code.
    let (issuer, decided) = device_of(&["busy", "authorization_pending", ""]).await;
    assert_eq!(decided.unwrap().expires_in, 60);
    assert_eq!(issuer.seen().len(), 4);
}

#[tokio::test]
async fn a_refusal_ends_the_waiting() {
    let (issuer, decided) = device_of(&["access_denied"]).await;
    assert_eq!(decided.unwrap_err().code, "access_denied");
    assert_eq!(issuer.seen().len(), 2);
}

#[tokio::test]
async fn a_device_that_is_told_to_slow_down_asks_less_often_until_its_code_ends() {
    let started = std::time::Instant::now();
    let (issuer, decided) = device_of(&["slow_down"]).await;
    assert_eq!(decided.unwrap_err().code, "expired_token");
    // After one second, and after six more.
    assert_eq!(issuer.seen().len(), 3);
    assert!(started.elapsed().as_secs() >= 6);
}

#[tokio::test]
async fn a_code_and_a_wait_without_end_overflow_no_clock() {
    let issuer = Issuer::start(|seen| -> Answer {
        if seen.path == "/device" {
            return ok(json!({
                "device_code": "canary-device-1", "user_code": "ABCD-EFGH", "verification_uri": "https://id.example/device",
                "expires_in": u64::MAX, "interval": 1,
            }));
        }
        let (status, _, body) = problem(400, "authorization_pending");
        (status, vec![("retry-after", u64::MAX.to_string())], body)
    })
    .await;
    let client = issuer.client();
    let device = client.start_device("openid").await.unwrap();
    assert_eq!(client.await_device(&device).await.unwrap_err().code, "expired_token");
}
