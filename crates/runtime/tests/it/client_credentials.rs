//! Applications that act for themselves (RFC 6749 §4.4), and how they authenticate (RFC 6749 §2.3).

use svc_domain::apps::AuthMethod;

use crate::harness::Harness;
use crate::harness::client::claims;

const API: &str = "https://notes.example";
const FORM: &[(&str, &str)] =
    &[("grant_type", "client_credentials"), ("scope", "notes:read"), ("resource", API)];

#[tokio::test]
async fn an_application_gets_a_token_for_one_api_and_no_refresh_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read", "notes:write"]).await;
    let app = site.app("service").await;
    let tokens = app.token(FORM, &[]).await.expect(200).json();
    assert_eq!(tokens["scope"], "notes:read");
    assert_eq!(tokens.get("refresh_token"), None);
    assert_eq!(tokens.get("id_token"), None);
    let access = claims(tokens["access_token"].as_str().unwrap());
    assert_eq!(access["aud"], API);
    assert_eq!(access["sub"], app.id.as_str());
    assert_eq!(access["subject_type"], "system");
}

#[tokio::test]
async fn only_the_registered_method_authenticates() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    let app = site.app("service").await;
    let mut posting = app.clone();
    posting.configuration.token_endpoint_auth_method = AuthMethod::ClientSecretPost;
    let _ = posting.token(FORM, &[]).await.expect_problem(401, "invalid_client");
    let mut silent = app.clone();
    silent.configuration.token_endpoint_auth_method = AuthMethod::None;
    let _ = silent.token(FORM, &[]).await.expect_problem(401, "invalid_client");
    let mut guessing = app.clone();
    guessing.secret = Some("svc_cs_guessed".to_owned());
    let refused = guessing.token(FORM, &[]).await.expect_problem(401, "invalid_client");
    assert!(refused.header("www-authenticate").starts_with("Basic"), "{refused:?}");
    let _ = app.token(FORM, &[]).await.expect(200);
}

#[tokio::test]
async fn scopes_and_apis_that_are_not_its_own_are_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    let app = site.app("service").await;
    let refused = app.token(FORM, &[("scope", "notes:read notes:delete")]).await;
    let refused = refused.expect_problem(400, "invalid_scope").json();
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.contains("notes:delete") && !detail.contains("notes:read"), "{detail}");
    let _ = app
        .token(FORM, &[("resource", "https://unknown.example")])
        .await
        .expect_problem(400, "invalid_target");
    let _ =
        app.token(FORM, &[("grant_type", "password")]).await.expect_problem(400, "unsupported_grant_type");
    let limited = site.app_with("limited", |configuration| {
        configuration.grant_types = vec!["authorization_code".to_owned()];
    });
    let _ = limited.await.token(FORM, &[]).await.expect_problem(400, "unauthorized_client");
}

#[tokio::test]
async fn a_scope_of_another_api_than_the_named_one_is_refused_by_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let other = "https://other.example";
    site.api(API, &["notes:read"]).await;
    site.api(other, &["notes:write"]).await;
    let app = site.app("service").await;
    // Without a resource the token would be for the service itself.
    for resource in [other, ""] {
        let refused = app.token(FORM, &[("resource", resource)]).await.expect_problem(400, "invalid_scope");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("notes:read"), "{detail}");
    }
    let all = app.token(FORM, &[("resource", other), ("scope", "")]).await.expect(200).json();
    assert_eq!(all["scope"], "notes:write");
}

#[tokio::test]
async fn an_api_of_which_the_application_has_no_scope_is_no_target() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:admin"]).await;
    site.api("https://plain.example", &[]).await;
    let (app, own) = (
        site.app("service").await,
        site.app_with("own", |configuration| configuration.audience = Some(API.to_owned())).await,
    );
    let everything = [("grant_type", "client_credentials"), ("resource", API)];
    let _ = app.token(&everything, &[]).await.expect_problem(400, "invalid_target");
    // Its own API takes it without a scope, and one without scopes takes every application.
    for (app, resource) in [(&own, API), (&app, "https://plain.example")] {
        let tokens = app.token(&everything, &[("resource", resource)]).await.expect(200).json();
        assert_eq!(claims(tokens["access_token"].as_str().unwrap())["aud"], resource);
    }
}

#[tokio::test]
async fn another_tenants_application_is_unknown_here() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    acme.api(API, &["notes:read"]).await;
    globex.api(API, &["notes:read"]).await;
    let mut app = acme.app("service").await;
    app.site = globex.clone();
    let stranger = app.token(FORM, &[]).await.expect_problem(401, "invalid_client");
    app.id = "app_00000000000000000000000000".to_owned();
    let unknown = app.token(FORM, &[]).await.expect_problem(401, "invalid_client");
    assert_eq!(stranger.without_request_id(), unknown.without_request_id());
}
