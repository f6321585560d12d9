//! What may be pushed, by whom, and what is answered (RFC 9126 §2).

use serde_json::json;
use svc_db::{args, system_sql};
use svc_http::{Method, Request};

use super::{push, request, request_uri};
use crate::harness::Harness;
use crate::harness::client::Pairs;

#[tokio::test]
async fn a_push_gives_a_reference_that_lives_for_a_minute_and_is_stored_as_a_digest() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for client in [site.app("web").await, site.public_app("spa").await] {
        let answer = push(&client, &[]).await.expect(201);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("content-type").starts_with("application/json"));
        let body = answer.json();
        assert_eq!(body["expires_in"], json!(60));
        assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
        let reference =
            body["request_uri"].as_str().unwrap().strip_prefix("urn:ietf:params:oauth:request_uri:");
        assert_eq!(svc_keys::from_base64url(reference.unwrap()).unwrap().len(), 32);
    }
}

#[tokio::test]
async fn what_the_authorization_endpoint_would_refuse_is_refused_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let cases: &[(&str, Pairs<'_>)] = &[
        ("invalid_request", &[("request_uri", "urn:ietf:params:oauth:request_uri:x")]),
        ("invalid_request", &[("request_uri", "https://app.example/request")]),
        ("invalid_request", &[("redirect_uri", "")]),
        ("invalid_request", &[("redirect_uri", "https://evil.example/")]),
        ("invalid_request", &[("response_type", "")]),
        ("unsupported_response_type", &[("response_type", "token")]),
        ("invalid_request", &[("response_mode", "fragment")]),
        ("invalid_scope", &[("scope", "everything")]),
        ("invalid_target", &[("resource", "https://unknown.example")]),
        ("invalid_request", &[("code_challenge", ""), ("code_challenge_method", ""), ("nonce", "")]),
        ("invalid_request", &[("code_challenge_method", "plain")]),
        ("invalid_request", &[("code_challenge_method", "")]),
        ("invalid_request", &[("prompt", "none login")]),
        ("invalid_request", &[("max_age", "-1")]),
        ("invalid_request", &[("dpop_jkt", "short")]),
        ("request_not_supported", &[("request", "e30.e30.e30")]),
        ("invalid_request", &[("nonce", &"n".repeat(3000))]),
    ];
    for (error, changes) in cases {
        let answer = push(&client, changes).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (400, Some(*error)), "{changes:?}");
        assert_eq!(answer.header("cache-control"), "no-store", "{changes:?}");
    }
    let _ = push(&client, &[("ui_locales", "de"), ("display", "page"), ("unknown", "x")]).await.expect(201);
}

#[tokio::test]
async fn only_an_application_that_proves_itself_pushes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, globex) = (site.app("web").await, h.tenant("globex").await);
    let wrong = crate::harness::Client { secret: Some("wrong".to_owned()), ..client.clone() };
    let _ = push(&wrong, &[]).await.expect_problem(401, "invalid_client");
    let elsewhere = crate::harness::Client { site: globex, ..client.clone() };
    let _ = push(&elsewhere, &[]).await.expect_problem(401, "invalid_client");
    let query =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(request(&client, &[])).finish();
    let _ = site.get(&format!("/oauth/par?{query}")).await.expect_problem(405, "method_not_allowed");
    let _ = site.call(Method::PUT, "/oauth/par", None, None).await.expect_problem(405, "method_not_allowed");
    let json =
        Request::post("/oauth/par").header("host", &site.host).header("content-type", "application/json");
    let _ = h.send(json.body("{}".into()).unwrap()).await.expect_problem(415, "unsupported_media_type");
}

#[tokio::test]
async fn a_reference_is_of_no_use_as_another_kind_of_secret() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("web").await, site.user("ada").await);
    let reference = request_uri(&push(&client, &[]).await);
    let secret = reference.rsplit(':').next().unwrap();
    for stolen in [reference.as_str(), secret] {
        let as_code =
            [("grant_type", "authorization_code"), ("code", stolen), ("redirect_uri", client.redirect_uri())];
        let _ = client.token(&as_code, &[]).await.expect_problem(400, "invalid_grant");
        let _ = client.refresh(stolen).await.expect_problem(400, "invalid_grant");
    }
    let code = client.code(&ada).await;
    let path = super::with_reference(&client.id, &format!("urn:ietf:params:oauth:request_uri:{}", code.code));
    super::is_page(&site.browser().get(&path).await, "invalid_request_uri", "a code as reference");
}

#[tokio::test]
async fn a_parameter_that_no_endpoint_reads_is_not_kept() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let filler = "f".repeat(60_000);
    let _ = push(&client, &[("filler", &filler), ("ui_locales", "de")]).await.expect(201);
    let mut tx = h.app().db.read_system().await.unwrap();
    let kept = system_sql!("SELECT parameters FROM par_requests");
    let kept = tx.one(kept, args![]).await.unwrap().text("parameters").unwrap();
    assert!(kept.contains("ui_locales") && !kept.contains("filler"), "{kept}");
    assert!(kept.len() < 1_000, "{} bytes of {} were kept", kept.len(), filler.len());
}

#[tokio::test]
async fn a_return_address_that_is_not_registered_is_shown_with_those_that_are_to_developers() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let sent = format!("{}x", client.redirect_uri());
    let refused = push(&client, &[("redirect_uri", &sent)]).await.expect_problem(400, "invalid_request");
    let shown = format!("sent: {sent}; expected: {}", client.redirect_uri());
    assert!(refused.json()["detail"].as_str().unwrap().ends_with(&shown), "{refused:?}");
}
