//! Backchannel authentication as the application sees it (OpenID CIBA §7, §10, §11).

use serde_json::json;

use super::{ask, decide, poll_ciba, signed_in};
use crate::harness::client::claims;
use crate::harness::{Client, Harness, Person};

async fn answer(app: &Client<'_>, person: &Person, decision: &str) {
    let mut browser = signed_in(&app.site, person).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, decision).await.expect(200);
}

#[tokio::test]
async fn an_application_gets_tokens_after_the_person_it_named_approved() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let form = [("scope", "openid profile offline_access"), ("login_hint", "ADA@main.example ")];
    let started = app.post("/bc-authorize", &form, &[("binding_message", "W4SCT")]).await.expect(200);
    assert_eq!(started.header("cache-control"), "no-store");
    let started = started.json();
    let auth_req_id = started["auth_req_id"].as_str().unwrap();
    assert_eq!(auth_req_id.len(), 43);
    assert_eq!((&started["expires_in"], &started["interval"]), (&json!(120), &json!(5)));
    let _ = poll_ciba(&app, auth_req_id).await.expect_problem(400, "authorization_pending");
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    for text in
        ["Application web", "W4SCT", "See your profile", "id=\"phishing-warning\"", "id=\"approval-allow-0\""]
    {
        assert!(page.body.contains(text), "{text} in {}", page.body);
    }
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    assert!(browser.get("/auth/approvals").await.body.contains("id=\"approvals-none\""));
    let tokens = poll_ciba(&app, auth_req_id).await.expect(200).json();
    assert_eq!(tokens["scope"], "offline_access openid profile");
    let id = claims(tokens["id_token"].as_str().unwrap());
    assert_eq!(
        (&id["sub"], &id["aud"], &id["acr"]),
        (&json!(ada.subject), &json!(app.id), &json!("urn:svc:aal1"))
    );
    let _ = app.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200);
    let _ = poll_ciba(&app, auth_req_id).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_denied_an_expired_and_an_unknown_request_are_told_apart() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other, ada) = (site.app("web").await, site.app("other").await, site.user("ada").await);
    let denied = ask(&app, "ada", &[]).await;
    answer(&app, &ada, "deny").await;
    let _ = poll_ciba(&app, &denied).await.expect_problem(400, "access_denied");
    let pending = ask(&app, "ada", &[("requested_expiry", "30")]).await;
    let _ = poll_ciba(&other, &pending).await.expect_problem(400, "invalid_grant");
    let _ = poll_ciba(&app, &"A".repeat(43)).await.expect_problem(400, "invalid_grant");
    let _ = poll_ciba(&app, "").await.expect_problem(400, "invalid_request");
    h.advance(29);
    let _ = poll_ciba(&app, &pending).await.expect_problem(400, "authorization_pending");
    h.advance(1);
    let _ = poll_ciba(&app, &pending).await.expect_problem(400, "expired_token");
}

#[tokio::test]
async fn twenty_fast_polls_leave_the_request_usable() {
    // The interval is watched by each process.
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let auth_req_id = ask(&app, "ada", &[]).await;
    let _ = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "authorization_pending");
    for _ in 0..20 {
        let hasty = poll_ciba(&app, &auth_req_id).await.expect_problem(400, "slow_down");
        assert!(!hasty.header("retry-after").is_empty());
    }
    answer(&app, &ada, "allow").await;
    let _ = poll_ciba(&app, &auth_req_id).await.expect(200);
}

#[tokio::test]
async fn public_applications_and_those_without_the_grant_cannot_ask() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let form = [("scope", "openid"), ("login_hint", "ada")];
    let spa = site.public_app("spa").await;
    let _ = spa.post("/bc-authorize", &form, &[]).await.expect_problem(400, "unauthorized_client");
    let _ = poll_ciba(&spa, &"A".repeat(43)).await.expect_problem(400, "unauthorized_client");
    let without = site
        .app_with("web", |configuration| configuration.grant_types = vec!["authorization_code".to_owned()])
        .await;
    let _ = without.post("/bc-authorize", &form, &[]).await.expect_problem(400, "unauthorized_client");
    let app = site.app("service").await;
    let guessing = Client { secret: Some("guess".to_owned()), ..app };
    let refused = guessing.post("/bc-authorize", &form, &[]).await.expect_problem(401, "invalid_client");
    assert!(refused.header("www-authenticate").starts_with("Basic realm="), "{refused:?}");
}

#[tokio::test]
async fn no_one_is_worn_down_by_requests() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    site.user("ada").await;
    for hint in ["ada", "nobody"] {
        for _ in 0..30 {
            ask(&app, hint, &[]).await;
        }
        let form = [("scope", "openid"), ("login_hint", hint)];
        let _ = app.post("/bc-authorize", &form, &[]).await.expect_problem(429, "rate_limited");
    }
}
