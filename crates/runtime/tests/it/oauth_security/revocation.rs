//! Revocation ends what the caller was given, at once and everywhere, and nothing else (N42, N43).

use svc_http::Method;

use super::userinfo;
use crate::harness::client::Tokens;
use crate::harness::{Client, Harness, Site};

#[tokio::test]
async fn other_peoples_unknown_and_malformed_tokens_are_answered_alike_and_stay() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let strangers = [site.app("other").await, site.public_app("spa").await, globex.app("web").await];
    for stranger in &strangers {
        for token in
            [tokens.access_token(), tokens.refresh_token(), tokens.id_token(), "x", "a.b.c", &"A".repeat(43)]
        {
            for hint in ["", "access_token", "refresh_token", "nonsense"] {
                let form = [("token", token), ("token_type_hint", hint)];
                let answer = stranger.post("/oauth/revoke", &form, &[]).await.expect(200);
                assert_eq!(answer.body, "{}");
            }
        }
    }
    let mut wrong = app.clone();
    wrong.secret = Some("wrong".to_owned());
    let refused = wrong.post("/oauth/revoke", &[("token", tokens.refresh_token())], &[]).await;
    let _ = refused.expect_problem(401, "invalid_client");
    let _ = app.post("/oauth/revoke", &[], &[]).await.expect_problem(400, "invalid_request");
    let _ = userinfo(&site, tokens.access_token()).await.expect(200);
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn a_refresh_token_takes_its_whole_family_along() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for app in [site.app("web").await, site.public_app("spa").await] {
        for hint in ["", "access_token", "nonsense"] {
            let other = app.tokens(&ada).await;
            let first = app.tokens(&ada).await;
            let second = Tokens { response: app.refresh(first.refresh_token()).await.expect(200).json() };
            // A rotated member will do.
            let form = [("token", first.refresh_token()), ("token_type_hint", hint)];
            let _ = app.post("/oauth/revoke", &form, &[]).await.expect(200);
            let _ = app.post("/oauth/revoke", &form, &[]).await.expect(200);
            for tokens in [&first, &second] {
                let _ = userinfo(&site, tokens.access_token()).await.expect_problem(401, "invalid_token");
                let _ = app.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
            }
            let _ = userinfo(&site, other.access_token()).await.expect(200);
            let _ = app.refresh(other.refresh_token()).await.expect(200);
        }
    }
}

#[tokio::test]
async fn an_access_token_goes_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://notes.example", &["notes:read"]).await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let own = app.own_token("notes:read", "https://notes.example").await;
    for token in [tokens.access_token(), &own] {
        let _ = app
            .post("/oauth/revoke", &[("token", token), ("token_type_hint", "refresh_token")], &[])
            .await
            .expect(200);
        let told = app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200);
        assert_eq!(told.body, r#"{"active":false}"#);
    }
    let _ = userinfo(&site, tokens.access_token()).await.expect_problem(401, "invalid_token");
    let next = Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() };
    let _ = userinfo(&site, next.access_token()).await.expect(200);
}

#[tokio::test]
async fn our_own_api_refuses_a_revoked_token_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let audience = format!("{}/api", site.issuer());
    let token = app.own_token("applications:read", &audience).await;
    let path = "/api/v1/applications";
    let _ = site.call(Method::GET, path, Some(&token), None).await.expect(200);
    let _ = app.post("/oauth/revoke", &[("token", &token)], &[]).await.expect(200);
    let _ = site.call(Method::GET, path, Some(&token), None).await.expect_problem(401, "unauthorized");
}

#[tokio::test]
async fn another_node_and_a_restart_know_of_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let (access, refresh) = (app.tokens(&ada).await, app.tokens(&ada).await);
    let node = h.restarted().await;
    let there = Site { harness: &node, ..site.clone() };
    let app_there = Client { site: there.clone(), ..app.clone() };
    let _ = app_there.post("/oauth/revoke", &[("token", access.access_token())], &[]).await.expect(200);
    let _ = app_there.post("/oauth/revoke", &[("token", refresh.refresh_token())], &[]).await.expect(200);
    // One look of the background job, which runs every second.
    h.run_jobs().await;
    let late = h.restarted().await;
    let later = Site { harness: &late, ..site.clone() };
    for token in [access.access_token(), refresh.access_token()] {
        for node in [&site, &there, &later] {
            let _ = userinfo(node, token).await.expect_problem(401, "invalid_token");
        }
    }
}
