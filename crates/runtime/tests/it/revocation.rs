//! Token revocation (RFC 7009).

use serde_json::json;
use svc_http::Method;

use crate::harness::Harness;

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
