//! Refresh tokens in other hands, with other parameters, and at the end of their time (N29, N31).

use svc_http::Method;

use super::userinfo;
use crate::harness::client::{Tokens, claims};
use crate::harness::{Client, Harness};

const DAY: i64 = 86_400;

async fn with_changes(app: &Client<'_>, token: &str, changes: &[(&str, &str)]) -> crate::harness::Answer {
    app.token(&[("grant_type", "refresh_token"), ("refresh_token", token)], changes).await
}

#[tokio::test]
async fn no_other_application_can_use_it_and_it_survives_the_attempt() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let ada = site.user("ada").await;
    let strangers = [
        site.app("stranger").await,
        site.public_app("public").await,
        globex.app("web").await,
        globex.public_app("spa").await,
    ];
    for app in [site.app("web").await, site.public_app("spa").await] {
        let tokens = app.tokens(&ada).await;
        for stranger in &strangers {
            let _ = stranger.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
        }
        let mut elsewhere = app.clone();
        elsewhere.site = globex.clone();
        let _ = elsewhere.refresh(tokens.refresh_token()).await.expect_problem(401, "invalid_client");
        let _ = app.refresh(tokens.refresh_token()).await.expect(200);
    }
}

#[tokio::test]
async fn a_wider_scope_or_another_api_is_refused_and_spends_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for api in ["https://notes.example", "https://other.example"] {
        site.api(api, &["notes:read", "notes:write"]).await;
    }
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let asked = [("scope", "openid offline_access notes:read"), ("resource", "https://notes.example")];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    assert_eq!(claims(tokens.access_token())["aud"], "https://notes.example");
    for scope in [
        "openid offline_access notes:read notes:write",
        "notes:write",
        "address",
        "admin",
        "applications:write",
    ] {
        let answer = with_changes(&app, tokens.refresh_token(), &[("scope", scope)]).await;
        let _ = answer.expect_problem(400, "invalid_scope");
    }
    let own_api = format!("{}/api", site.issuer());
    for resource in ["https://other.example", site.issuer(), &own_api, "https://unknown.example"] {
        let answer = with_changes(&app, tokens.refresh_token(), &[("resource", resource)]).await;
        let _ = answer.expect_problem(400, "invalid_target");
    }
    let same = [("scope", "notes:read openid"), ("resource", "https://notes.example")];
    let narrowed = with_changes(&app, tokens.refresh_token(), &same).await.expect(200).json();
    assert_eq!(narrowed["scope"], "notes:read openid");
    assert_eq!(claims(narrowed["access_token"].as_str().unwrap())["aud"], "https://notes.example");
    // What was granted stays granted, not what was asked for last.
    let whole = app.refresh(narrowed["refresh_token"].as_str().unwrap()).await.expect(200).json();
    assert_eq!(whole["scope"], tokens.response["scope"]);
}

#[tokio::test]
async fn a_scope_that_the_application_lost_is_not_given_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let mut wanted = serde_json::to_value(&app.configuration).unwrap();
    wanted["scope"] = "openid email offline_access".into();
    let token = site.mint(|_| ());
    let path = format!("/api/v1/applications/{}", app.id);
    let _ = site.call(Method::PUT, &path, Some(&token), Some(wanted)).await.expect(200);
    let next = app.refresh(tokens.refresh_token()).await.expect(200).json();
    assert_eq!(next["scope"], "email offline_access openid");
}

#[tokio::test]
async fn sliding_ends_with_the_family() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for app in [site.app("web").await, site.public_app("spa").await] {
        let mut tokens = app.tokens(&ada).await;
        // Seven days for each token, thirty for all of them together.
        for days in [6, 6, 6, 6] {
            h.advance(days * DAY);
            tokens = Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() };
        }
        h.advance(6 * DAY - 1);
        tokens = Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() };
        h.advance(1);
        let _ = app.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
        let told = app.post("/oauth/introspect", &[("token", tokens.refresh_token())], &[]).await;
        if !app.configuration.token_endpoint_auth_method.has_secret() {
            continue;
        }
        assert_eq!(told.expect(200).json(), serde_json::json!({ "active": false }));
    }
}

#[tokio::test]
async fn one_that_was_not_used_ends_at_the_very_second() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for (seconds, status) in [(7 * DAY - 1, 200), (7 * DAY, 400)] {
        let tokens = app.tokens(&ada).await;
        h.advance(seconds);
        assert_eq!(app.refresh(tokens.refresh_token()).await.status, status, "{seconds}");
    }
}

#[tokio::test]
async fn a_new_id_token_tells_the_same_sign_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    h.advance(120);
    let next = Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() };
    let (before, after) = (claims(tokens.id_token()), claims(next.id_token()));
    for name in ["iss", "sub", "aud", "auth_time", "acr", "amr", "sid"] {
        assert_eq!(before[name], after[name], "{name}");
    }
    assert_eq!(after["iat"].as_i64().unwrap() - before["iat"].as_i64().unwrap(), 120);
    assert_eq!(after.get("nonce"), None);
    let _ = userinfo(&site, next.access_token()).await.expect(200);
}

#[tokio::test]
async fn access_in_absence_survives_signing_out_and_access_in_presence_does_not() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let offline = app.exchange(&app.code_in(&mut browser, &ada).await).await.expect(200).json();
    let code = app.code_with(&mut browser, &ada, &[("scope", "openid email")]).await;
    let online = app.exchange(&code).await.expect(200).json();
    let late = app.code_with(&mut browser, &ada, &[("scope", "openid email")]).await;
    let page = browser.get("/oauth/end-session").await.expect(200);
    let _ = browser.submit(&page, &[]).await.expect(200);
    let _ =
        userinfo(&site, online["access_token"].as_str().unwrap()).await.expect_problem(401, "invalid_token");
    let _ = userinfo(&site, offline["access_token"].as_str().unwrap()).await.expect(200);
    h.advance(1);
    // A code that was under way when its session ended yields nothing that works.
    let late = app.exchange(&late).await.json();
    let late = late["access_token"].as_str().unwrap_or("none").to_owned();
    let _ = userinfo(&site, &late).await.expect_problem(401, "invalid_token");
    let narrow =
        with_changes(&app, offline["refresh_token"].as_str().unwrap(), &[("scope", "openid email")]).await;
    let narrow = narrow.expect(200).json();
    let _ = userinfo(&site, narrow["access_token"].as_str().unwrap()).await.expect(200);
}
