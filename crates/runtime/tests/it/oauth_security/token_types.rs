//! One kind of token never passes as another (N33).

use serde_json::json;
use svc_domain::tokens::access_token::SubjectType;
use svc_http::Method;
use svc_keys::{Algorithm, Typ};

use super::userinfo;
use crate::harness::Harness;

const ROUTE: &str = "/api/v1/applications";

#[tokio::test]
async fn only_a_refresh_token_refreshes_and_only_a_code_is_a_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    for other in [tokens.access_token(), tokens.id_token(), app.secret.as_deref().unwrap(), &app.id] {
        let _ = app.refresh(other).await.expect_problem(400, "invalid_grant");
        let form =
            [("grant_type", "authorization_code"), ("code", other), ("redirect_uri", app.redirect_uri())];
        let _ = app.token(&form, &[]).await.expect_problem(400, "invalid_grant");
    }
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn only_an_access_token_gives_access() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let good = serde_json::to_vec(&crate::harness::client::claims(tokens.access_token())).unwrap();
    let ring = h.app().services.keys.ring_of_deployment();
    let logout = ring.held(Algorithm::Es256).unwrap().sign(Typ::LogoutToken, &good).unwrap();
    let id = ring.held(Algorithm::Es256).unwrap().sign(Typ::Jwt, &good).unwrap();
    for other in [tokens.id_token(), tokens.refresh_token(), &logout, &id, app.secret.as_deref().unwrap()] {
        let _ = userinfo(&site, other).await.expect_problem(401, "invalid_token");
        let _ = site.call(Method::GET, ROUTE, Some(other), None).await.expect_problem(401, "unauthorized");
        if other != tokens.refresh_token() {
            let told = app.post("/oauth/introspect", &[("token", other)], &[]).await.expect(200).json();
            assert_eq!(told, json!({ "active": false }));
        }
    }
    let _ = userinfo(&site, tokens.access_token()).await.expect(200);
}

#[tokio::test]
async fn an_access_token_is_no_hint_and_opens_its_audience_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let mut browser = site.sign_in(&app, &ada).await;
    let path =
        app.authorize_path(&app.verifier(), &[("prompt", "none"), ("id_token_hint", tokens.access_token())]);
    super::is_told(&browser.get(&path).await, &app, "invalid_request", "an access token as hint");
    // A token for people's claims is none for the management API.
    let _ = site
        .call(Method::GET, ROUTE, Some(tokens.access_token()), None)
        .await
        .expect_problem(401, "unauthorized");
}

#[tokio::test]
async fn guests_have_claims_as_people_have_and_agents_and_systems_none() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for (subject_type, status) in [
        (SubjectType::Human, 200),
        (SubjectType::Agent, 403),
        (SubjectType::System, 403),
        (SubjectType::Anonymous, 200),
    ] {
        let token = site.mint(|claims| {
            claims["sub"] = json!(ada.subject);
            claims["aud"] = json!(site.issuer());
            claims["scope"] = json!("openid");
            claims["subject_type"] = json!(subject_type);
        });
        assert_eq!(userinfo(&site, &token).await.status, status, "{subject_type:?}");
    }
}
