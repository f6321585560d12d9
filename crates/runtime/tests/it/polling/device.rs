//! Device authorization as the device sees it (RFC 8628 §3.1, §3.2, §3.4, §3.5).

use serde_json::json;
use svc_db::system_sql;

use super::{
    CIBA, DEVICE_CODE, allow_device, ask, count, decide, enter, poll_ciba, poll_device, signed_in, start,
};
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn a_device_gets_tokens_after_its_person_allowed_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let answer =
        tv.post("/oauth/device/code", &[("scope", "openid profile offline_access")], &[]).await.expect(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let started = answer.json();
    let (device_code, user_code) =
        (started["device_code"].as_str().unwrap(), started["user_code"].as_str().unwrap());
    assert_eq!(device_code.len(), 43);
    let letters = user_code.bytes().filter(|byte| b"BCDFGHJKLMNPQRSTVWXZ".contains(byte)).count();
    assert_eq!((letters, user_code.len(), user_code.find('-')), (8, 9, Some(4)), "{user_code}");
    assert_eq!(started["verification_uri"], "https://id.test/oauth/device/verify");
    let complete = format!("https://id.test/oauth/device/verify?user_code={user_code}");
    assert_eq!(started["verification_uri_complete"], complete);
    assert_eq!((&started["expires_in"], &started["interval"]), (&json!(600), &json!(5)));
    let _ = poll_device(&tv, device_code).await.expect_problem(400, "authorization_pending");
    allow_device(&site, &ada, user_code).await;
    let tokens = poll_device(&tv, device_code).await.expect(200);
    assert_eq!(tokens.header("cache-control"), "no-store");
    let tokens = tokens.json();
    assert_eq!(tokens["scope"], "offline_access openid profile");
    assert_eq!(tokens["token_type"], "Bearer");
    let id = claims(tokens["id_token"].as_str().unwrap());
    assert_eq!((&id["sub"], &id["aud"], &id["amr"]), (&json!(ada.subject), &json!(tv.id), &json!(["pwd"])));
    let access = claims(tokens["access_token"].as_str().unwrap());
    assert_eq!((&access["sub"], &access["client_id"]), (&json!(ada.subject), &json!(tv.id)));
    let _ = tv.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200);
}

#[tokio::test]
async fn a_code_is_fetched_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    allow_device(&site, &ada, &started.user_code).await;
    let tokens = poll_device(&tv, &started.device_code).await.expect(200).json();
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "invalid_grant");
    let userinfo = site.call(svc_http::Method::GET, "/userinfo", tokens["access_token"].as_str(), None).await;
    let _ = userinfo.expect(200);
}

#[tokio::test]
async fn a_client_that_polls_too_fast_gets_slow_down_and_loses_nothing() {
    // The interval is watched by each process.
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    for wait in ["10", "15", "20"] {
        let hasty = poll_device(&tv, &started.device_code).await.expect_problem(400, "slow_down");
        assert_eq!(hasty.header("retry-after"), wait);
    }
    for _ in 0..17 {
        let hasty = poll_device(&tv, &started.device_code).await.expect_problem(400, "slow_down");
        assert!(hasty.header("retry-after").parse::<u32>().unwrap() <= 60);
    }
    h.advance(60);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    h.advance(30);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "slow_down");
    allow_device(&site, &ada, &started.user_code).await;
    let _ = poll_device(&tv, &started.device_code).await.expect(200);
}

#[tokio::test]
async fn a_poll_that_came_too_early_begins_the_longer_pause() {
    // The interval is watched by each process.
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let tv = site.public_app("tv").await;
    let started = start(&tv, "openid").await;
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    h.advance(4);
    let hasty = poll_device(&tv, &started.device_code).await.expect_problem(400, "slow_down");
    assert_eq!(hasty.header("retry-after"), "10");
    h.advance(9);
    let hasty = poll_device(&tv, &started.device_code).await.expect_problem(400, "slow_down");
    assert_eq!(hasty.header("retry-after"), "15");
    h.advance(15);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
}

#[tokio::test]
async fn polling_at_the_interval_is_never_too_fast_and_writes_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let tv = site.public_app("tv").await;
    let started = start(&tv, "openid").await;
    let before = records(&h).await;
    for _ in 0..20 {
        let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
        h.advance(5);
    }
    assert_eq!(records(&h).await, before);
}

/// How many rows each table has that a poll could write to.
async fn records(h: &Harness) -> [i64; 3] {
    [
        count(h, system_sql!("SELECT COUNT(*) AS number FROM audit_log")).await,
        count(h, system_sql!(
            "SELECT COUNT(*) AS number FROM (SELECT id FROM outbox UNION ALL SELECT id FROM events) recorded"
        )).await,
        count(
            h,
            system_sql!(
                "SELECT COUNT(*) AS number FROM device_codes WHERE interval_secs = 5 AND state = 'pending'"
            ),
        )
        .await,
    ]
}

#[tokio::test]
async fn a_denied_an_expired_and_an_unknown_code_are_told_apart() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let mut browser = signed_in(&site, &ada).await;
    let started = start(&tv, "openid").await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    let _ = decide(&mut browser, &page, "deny").await.expect(200);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "access_denied");
    let pending = start(&tv, "openid").await;
    let approved = start(&tv, "openid").await;
    allow_device(&site, &ada, &approved.user_code).await;
    h.advance(600);
    for code in [&pending.device_code, &approved.device_code, &started.device_code] {
        let _ = poll_device(&tv, code).await.expect_problem(400, "expired_token");
    }
    let _ = poll_device(&tv, &"A".repeat(43)).await.expect_problem(400, "invalid_grant");
    let _ = poll_device(&tv, "").await.expect_problem(400, "invalid_request");
    h.advance(2 * 86_400);
    h.run_jobs().await;
    let _ = poll_device(&tv, &pending.device_code).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_code_of_another_application_or_tenant_is_unknown() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let (tv, other, theirs) =
        (site.public_app("tv").await, site.public_app("other").await, acme.public_app("tv").await);
    let ada = site.user("ada").await;
    let started = start(&tv, "openid").await;
    let _ = poll_device(&other, &started.device_code).await.expect_problem(400, "invalid_grant");
    allow_device(&site, &ada, &started.user_code).await;
    let _ = poll_device(&other, &started.device_code).await.expect_problem(400, "invalid_grant");
    let _ = poll_device(&theirs, &started.device_code).await.expect_problem(400, "invalid_grant");
    let _ = poll_device(&tv, &started.device_code).await.expect(200);
}

#[tokio::test]
async fn one_kind_of_secret_never_passes_as_another() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let started = start(&app, "openid offline_access").await;
    let auth_req_id = ask(&app, "ada", &[]).await;
    let code = app.code(&ada).await.code;
    let _ = poll_ciba(&app, &started.device_code).await.expect_problem(400, "invalid_grant");
    for wrong in [&auth_req_id, &code] {
        let _ = poll_device(&app, wrong).await.expect_problem(400, "invalid_grant");
    }
    for secret in [&started.device_code, &auth_req_id] {
        let _ = app.refresh(secret).await.expect_problem(400, "invalid_grant");
        let form =
            [("grant_type", "authorization_code"), ("code", secret), ("redirect_uri", app.redirect_uri())];
        let _ = app.token(&form, &[]).await.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test]
async fn only_what_was_approved_is_granted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://notes.example", &["notes:read", "notes:write"]).await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let form = [("scope", "openid notes:read"), ("resource", "https://notes.example")];
    let started = tv.post("/oauth/device/code", &form, &[]).await.expect(200).json();
    allow_device(&site, &ada, started["user_code"].as_str().unwrap()).await;
    let poll = [("grant_type", DEVICE_CODE), ("device_code", started["device_code"].as_str().unwrap())];
    let wider = [("scope", "openid notes:read notes:write offline_access")];
    let tokens = tv.token(&poll, &wider).await.expect(200).json();
    assert_eq!(tokens["scope"], "notes:read openid");
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["aud"], "https://notes.example");
}

#[tokio::test]
async fn what_an_application_may_not_ask_for_it_cannot_ask_for_here() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let tv = site.public_app("tv").await;
    let asked = |form: &'static [(&'static str, &'static str)]| tv.post("/oauth/device/code", form, &[]);
    let _ = asked(&[("scope", "admin")]).await.expect_problem(400, "invalid_scope");
    let _ = asked(&[("resource", "https://nowhere.example")]).await.expect_problem(400, "invalid_target");
    let without = site
        .app_with("web", |configuration| configuration.grant_types = vec!["authorization_code".to_owned()])
        .await;
    let refused = without.post("/oauth/device/code", &[("scope", "openid")], &[]).await;
    let _ = refused.expect_problem(400, "unauthorized_client");
    let _ = poll_device(&without, &"A".repeat(43)).await.expect_problem(400, "unauthorized_client");
    let wrong = tv.post("/oauth/device/code", &[("client_secret", "guess")], &[]).await;
    let _ = wrong.expect_problem(401, "invalid_client");
}

#[tokio::test]
async fn a_public_application_cannot_fill_the_database() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let tv = site.public_app("tv").await;
    for _ in 0..100 {
        start(&tv, "openid").await;
    }
    let refused =
        tv.post("/oauth/device/code", &[("scope", "openid")], &[]).await.expect_problem(429, "rate_limited");
    assert!(!refused.header("retry-after").is_empty());
}

#[tokio::test]
async fn a_deployment_without_devices_offers_none() {
    let h = Harness::with(&[("SVC_DEVICE_AUTHORIZATION__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let metadata = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(metadata.get("device_authorization_endpoint"), None);
    assert!(!metadata["grant_types_supported"].as_array().unwrap().contains(&json!(DEVICE_CODE)));
    let _ =
        app.post("/oauth/device/code", &[("scope", "openid")], &[]).await.expect_problem(404, "not_found");
    let _ = poll_device(&app, &"A".repeat(43)).await.expect_problem(400, "unsupported_grant_type");
    let _ = site.browser().get("/oauth/device/verify").await.expect(404);
}

#[tokio::test]
async fn discovery_names_the_endpoints_and_grants() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let metadata = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(metadata["device_authorization_endpoint"], "https://id.test/oauth/device/code");
    assert_eq!(metadata["backchannel_authentication_endpoint"], "https://id.test/bc-authorize");
    assert_eq!(metadata["backchannel_token_delivery_modes_supported"], json!(["poll"]));
    assert_eq!(metadata["backchannel_user_code_parameter_supported"], false);
    for grant in [DEVICE_CODE, CIBA] {
        assert!(metadata["grant_types_supported"].as_array().unwrap().contains(&json!(grant)), "{metadata}");
    }
}

#[tokio::test]
async fn claims_that_a_device_asks_for_are_shown_told_and_remembered_as_consent() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let tv = site.app_with("tv", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    let asked = r#"{"userinfo":{"email":null},"id_token":{"name":null}}"#;
    let form = [("scope", "openid"), ("claims", asked)];
    let started = tv.post("/oauth/device/code", &form, &[]).await.expect(200).json();
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, started["user_code"].as_str().unwrap()).await.expect(200);
    for sentence in ["See your email address", "See your full name"] {
        assert!(page.body.contains(sentence), "{sentence}: {page:?}");
    }
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let tokens = poll_device(&tv, started["device_code"].as_str().unwrap()).await.expect(200).json();
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["name"], "ada of main");
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["userinfo_claims"], json!(["email"]));
    let silent = [("prompt", "none"), ("scope", "openid"), ("claims", asked)];
    let answer = browser.get(&tv.authorize_path(&tv.verifier(), &silent)).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[tokio::test]
async fn another_resource_at_the_token_endpoint_is_refused_and_costs_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (granted, other) = ("https://notes.example", "https://other.example");
    site.api(granted, &["notes:read"]).await;
    site.api(other, &["notes:read"]).await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let form = [("scope", "openid notes:read"), ("resource", granted)];
    let device = app.post("/oauth/device/code", &form, &[]).await.expect(200).json();
    allow_device(&site, &ada, device["user_code"].as_str().unwrap()).await;
    let auth_req_id = ask(&app, "ada", &form).await;
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    for form in [
        [("grant_type", DEVICE_CODE), ("device_code", device["device_code"].as_str().unwrap())],
        [("grant_type", CIBA), ("auth_req_id", &auth_req_id)],
    ] {
        let refused = app.token(&form, &[("resource", other)]).await;
        let _ = refused.expect_problem(400, "invalid_target");
        let tokens = app.token(&form, &[("resource", granted)]).await.expect(200).json();
        assert_eq!(claims(tokens["access_token"].as_str().unwrap())["aud"], granted);
    }
}
