//! Token introspection (RFC 7662).

use serde_json::json;

use crate::harness::Harness;

#[tokio::test]
async fn an_application_learns_the_state_of_its_own_tokens() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let active =
        app.post("/oauth/introspect", &[("token", tokens.access_token())], &[]).await.expect(200).json();
    assert_eq!(active["active"], true);
    assert_eq!(active["sub"], ada.subject.as_str());
    assert_eq!(active["client_id"], app.id.as_str());
    let refresh =
        app.post("/oauth/introspect", &[("token", tokens.refresh_token())], &[]).await.expect(200).json();
    assert_eq!(refresh["active"], true);
    h.advance(901 + 60);
    let late =
        app.post("/oauth/introspect", &[("token", tokens.access_token())], &[]).await.expect(200).json();
    assert_eq!(late, json!({ "active": false }));
}

#[tokio::test]
async fn a_refresh_token_ends_when_it_ends_and_not_when_its_family_does() {
    let h = Harness::with(&[("SVC_JWT__REFRESH_TOKEN_LIFETIME_HUMAN_SECS", "3600")]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let begun = h.operator().now.as_secs();
    let tokens = app.tokens(&ada).await;
    let state =
        async |token: &str| app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
    assert_eq!(state(tokens.refresh_token()).await["exp"], begun + 3600);
    h.advance(1800);
    let next = app.refresh(tokens.refresh_token()).await.expect(200).json();
    let next = next["refresh_token"].as_str().unwrap();
    let told = state(next).await;
    assert_eq!((told["exp"].as_i64(), told["iat"].as_i64()), (Some(begun + 1800 + 3600), Some(begun)));
    h.advance(3599);
    assert_eq!(state(next).await["active"], true);
    h.advance(1);
    assert_eq!(state(next).await, json!({ "active": false }));
}

#[tokio::test]
async fn others_and_public_applications_learn_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other, spa) = (site.app("web").await, site.app("other").await, site.public_app("spa").await);
    let tokens = app.tokens(&site.user("ada").await).await;
    for token in [tokens.access_token(), tokens.refresh_token(), "unknown", "a.b.c"] {
        let told = other.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
        assert_eq!(told, json!({ "active": false }), "{token}");
    }
    let refused = spa.post("/oauth/introspect", &[("token", tokens.access_token())], &[]).await;
    let _ = refused.expect_problem(401, "invalid_client");
}
