//! Token revocation (RFC 7009).

use serde_json::json;
use svc_http::Method;

use crate::harness::{Client, Harness, Site};

#[tokio::test]
async fn a_revoked_refresh_token_takes_its_access_tokens_along() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let _ = site.call(Method::GET, "/userinfo", Some(tokens.access_token()), None).await.expect(200);
    let _ = app.post("/oauth/revoke", &[("token", tokens.refresh_token())], &[]).await.expect(200);
    let _ = app.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let told =
        app.post("/oauth/introspect", &[("token", tokens.access_token())], &[]).await.expect(200).json();
    assert_eq!(told, json!({ "active": false }));
    let _ = site
        .call(Method::GET, "/userinfo", Some(tokens.access_token()), None)
        .await
        .expect_problem(401, "invalid_token");
}

#[tokio::test]
async fn unknown_tokens_and_those_of_others_are_answered_alike_and_stay() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other, ada) = (site.app("web").await, site.app("other").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let unknown = other.post("/oauth/revoke", &[("token", "unknown")], &[]).await.expect(200);
    let foreign = other.post("/oauth/revoke", &[("token", tokens.refresh_token())], &[]).await.expect(200);
    assert_eq!(unknown.body, foreign.body);
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn a_revocation_that_is_repeated_leaves_one_record() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let (single, family) = (app.tokens(&ada).await, app.tokens(&ada).await);
    for _ in 0..2 {
        for token in [single.access_token(), family.refresh_token(), family.access_token()] {
            let again = app.post("/oauth/revoke", &[("token", token)], &[]).await.expect(200);
            assert_eq!(again.body, "{}");
        }
    }
    let token = site.mint(|_| ());
    let path = "/api/v1/audit?action=token.revoked";
    let entries = site.call(Method::GET, path, Some(&token), None).await.expect(200).json();
    assert_eq!(entries["data"].as_array().unwrap().len(), 2, "{entries}");
}

async fn is_active(app: &Client<'_>, harness: &Harness, token: &str) -> bool {
    let app = Client { site: Site { harness, ..app.site.clone() }, ..app.clone() };
    app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json()["active"] == true
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_and_back_revives_no_revoked_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let (single, family, kept) = (app.tokens(&ada).await, app.tokens(&ada).await, app.tokens(&ada).await);
    for token in [single.access_token(), family.refresh_token()] {
        let _ = app.post("/oauth/revoke", &[("token", token)], &[]).await.expect(200);
    }
    let started_ahead = h.jump_ahead_and_back().await;
    let started_after = h.restarted().await;
    for harness in [&h, &started_ahead, &started_after] {
        assert!(!is_active(&app, harness, single.access_token()).await);
        assert!(!is_active(&app, harness, family.access_token()).await);
        assert!(is_active(&app, harness, kept.access_token()).await, "only expiry was suspended");
    }
    let _ = app.refresh(kept.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn revocations_are_forgotten_when_the_clock_has_gone_on_for_a_day() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let app = site.app("service").await;
    let token = app.own_token("", "").await;
    let _ = app.post("/oauth/revoke", &[("token", &token)], &[]).await.expect(200);
    let stored = async || {
        let mut tx = h.app().db.read_system().await.unwrap();
        let count = svc_db::SystemSql::new("SELECT COUNT(*) AS count FROM revocations");
        tx.one(count, &[]).await.unwrap().int("count").unwrap()
    };
    h.run_jobs().await;
    assert_eq!(stored().await, 1);
    h.advance(86_400);
    h.run_jobs().await;
    assert_eq!(stored().await, 0);
}
