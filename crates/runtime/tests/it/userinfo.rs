//! `UserInfo`: what scopes unlock, and for whom (OpenID Connect Core §5.3, §5.4).

use serde_json::json;
use svc_http::Method;

use crate::harness::Harness;

#[tokio::test]
async fn scopes_unlock_their_claims_and_no_others() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code_with(&mut site.browser(), &ada, &[("scope", "openid email")]).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    let answer = site.call(Method::GET, "/userinfo", tokens["access_token"].as_str(), None).await.expect(200);
    assert_eq!(answer.json(), json!({ "sub": ada.subject, "email": ada.email, "email_verified": true }));
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_missing_or_foreign_token_is_challenged() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let (app, ada) = (acme.app("web").await, acme.user("ada").await);
    let none = acme.get("/userinfo").await.expect(401);
    assert!(none.header("www-authenticate").starts_with("Bearer"), "{none:?}");
    assert!(!none.header("www-authenticate").contains("error="), "{none:?}");
    let tokens = app.tokens(&ada).await;
    let foreign = globex.call(Method::GET, "/userinfo", Some(tokens.access_token()), None).await;
    let _ = foreign.expect_problem(401, "invalid_token");
    h.advance(901 + 60);
    let late = acme.call(Method::GET, "/userinfo", Some(tokens.access_token()), None).await;
    assert!(
        late.expect_problem(401, "invalid_token")
            .header("www-authenticate")
            .contains("error=\"invalid_token\"")
    );
}

#[tokio::test]
async fn no_challenge_leads_to_the_metadata_of_an_api_whose_tokens_are_refused_here() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let described = site.get("/.well-known/oauth-protected-resource").await.expect(200).json();
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let asked = [("resource", described["resource"].as_str().unwrap())];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let of_api = app.exchange(&code).await.expect(200).json();
    for token in [None, Some("x"), of_api["access_token"].as_str()] {
        let refused = site.call(Method::GET, "/userinfo", token, None).await.expect(401);
        let challenge = refused.header("www-authenticate");
        assert!(challenge.starts_with("Bearer realm=\"https://id.test\""), "{challenge}");
        assert!(!challenge.contains("resource_metadata"), "{challenge}");
    }
}

#[tokio::test]
async fn an_application_has_no_userinfo() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://notes.example", &["notes:read"]).await;
    let token = site.app("service").await.own_token("notes:read", "https://notes.example").await;
    let answer = site.call(Method::GET, "/userinfo", Some(&token), None).await;
    assert!([401, 403].contains(&answer.status), "{answer:?}");
}
