//! Introspection answers the entitled alone, and the same for every token that is not alive (N40, N41).

use serde_json::json;
use svc_http::Method;

use super::{FORM, raw};
use crate::harness::Harness;
use crate::harness::client::{self, Tokens};

const API: &str = "https://notes.example";
const INACTIVE: &str = r#"{"active":false}"#;

#[tokio::test]
async fn a_caller_that_does_not_authenticate_learns_nothing() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, spa, ada) = (site.app("web").await, site.public_app("spa").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let mut wrong = app.clone();
    wrong.secret = Some("wrong".to_owned());
    let mut elsewhere = app.clone();
    elsewhere.site = globex.clone();
    for token in [tokens.access_token(), tokens.refresh_token(), tokens.id_token(), "x"] {
        for client in [&spa, &wrong, &elsewhere] {
            let answer = client.post("/oauth/introspect", &[("token", token)], &[]).await;
            let _ = answer.expect_problem(401, "invalid_client");
        }
        let answer = raw(&site, "/oauth/introspect", &[FORM], format!("token={token}")).await;
        let _ = answer.expect_problem(401, "invalid_client");
        let bearer = format!("Bearer {}", tokens.access_token());
        let headers = [FORM, ("authorization", bearer.as_bytes())];
        let answer = raw(&site, "/oauth/introspect", &headers, format!("token={token}")).await;
        let _ = answer.expect_problem(401, "invalid_client");
    }
}

#[tokio::test]
async fn everything_that_is_not_alive_or_not_the_callers_is_told_in_the_same_bytes() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, other, ada) = (site.app("web").await, site.app("other").await, site.user("ada").await);
    let foreign = globex.app("web").await.tokens(&globex.user("ada").await).await;
    let expired = app.tokens(&ada).await;
    h.advance(901);
    let revoked = app.tokens(&ada).await;
    let _ = app.post("/oauth/revoke", &[("token", revoked.refresh_token())], &[]).await.expect(200);
    let rotated = app.tokens(&ada).await;
    let successor = Tokens { response: app.refresh(rotated.refresh_token()).await.expect(200).json() };
    let others = other.tokens(&ada).await;
    let elsewhere = site.mint(|claims| claims["iss"] = json!("https://evil.example"));
    for token in [
        expired.access_token(),
        revoked.access_token(),
        revoked.refresh_token(),
        rotated.refresh_token(),
        foreign.access_token(),
        foreign.refresh_token(),
        others.access_token(),
        others.refresh_token(),
        successor.id_token(),
        &elsewhere,
        "x",
        "a.b.c",
        "...",
        &"A".repeat(43),
        &"A".repeat(20_000),
        "\u{202e}",
        "' OR 1=1",
    ] {
        for hint in ["", "access_token", "refresh_token", "nonsense"] {
            let form = [("token", token), ("token_type_hint", hint)];
            let told = app.post("/oauth/introspect", &form, &[]).await.expect(200);
            assert_eq!(told.body, INACTIVE, "{token}");
            assert_eq!(told.header("cache-control"), "no-store");
        }
    }
    for hint in ["", "access_token", "refresh_token", "nonsense"] {
        for token in [successor.access_token(), successor.refresh_token()] {
            let form = [("token", token), ("token_type_hint", hint)];
            let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
            assert_eq!(told["active"], true, "a wrong hint does no harm");
        }
    }
    let _ = app.post("/oauth/introspect", &[], &[]).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn the_api_that_a_token_is_for_learns_of_it_and_no_other_does() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, server, other) = (site.app("web").await, site.app("server").await, site.app("other").await);
    site.api(API, &["notes:read"]).await;
    site.api("https://other.example", &["notes:read"]).await;
    answers_for(&site, API, &server.id).await;
    answers_for(&site, "https://other.example", &other.id).await;
    let token = app.own_token("notes:read", API).await;
    let told = server.post("/oauth/introspect", &[("token", &token)], &[]).await.expect(200).json();
    assert_eq!((&told["active"], &told["aud"]), (&json!(true), &json!(API)));
    let told = other.post("/oauth/introspect", &[("token", &token)], &[]).await.expect(200);
    assert_eq!(told.body, INACTIVE);
}

#[tokio::test]
async fn who_answers_for_an_api_named_as_the_issuer_learns_nothing_of_tokens_for_no_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, server, ada) = (site.app("web").await, site.app("server").await, site.user("ada").await);
    // None can be made with this name, but a tenant may have one when it moves to a domain.
    let issuer = site.issuer().to_owned();
    site.api(&issuer, &["notes:read"]).await;
    answers_for(&site, &issuer, &server.id).await;
    let tokens = app.tokens(&ada).await;
    assert_eq!(client::claims(tokens.access_token())["aud"], issuer);
    let form = [("token", tokens.access_token())];
    assert_eq!(server.post("/oauth/introspect", &form, &[]).await.expect(200).body, INACTIVE);
    assert_eq!(app.post("/oauth/introspect", &form, &[]).await.expect(200).json()["active"], true);
}

/// Makes an application the resource server of an API.
async fn answers_for(site: &crate::harness::Site<'_>, api: &str, client_id: &str) {
    let token = site.mint(|_| ());
    let all = site.call(Method::GET, "/api/v1/apis", Some(&token), None).await.expect(200).json();
    let found = all["data"].as_array().unwrap().iter().find(|found| found["identifier"] == api).unwrap();
    let path = format!("/api/v1/apis/{}", found["id"].as_str().unwrap());
    let wanted =
        json!({ "name": api, "scopes": [{ "name": "notes:read" }], "resource_servers": [client_id] });
    let _ = site.call(Method::PUT, &path, Some(&token), Some(wanted)).await.expect(200);
}
