//! What no application may say of itself (RFC 7591 §3.2.2, OpenID Connect Dynamic Client Registration §3.3).

use serde_json::{Value, json};
use svc_http::{Body, Request};

use super::{LOOPBACK, OPEN, metadata, register};
use crate::harness::Harness;
use crate::harness::publisher::Publisher;

#[tokio::test]
async fn addresses_that_could_run_or_leak_are_invalid_redirect_uris() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    for bad in [
        "https://a.example/cb#fragment",
        "https://a.example/cb#",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "http://a.example/cb",
        "https://good@evil.example/",
        "/relative",
        "",
    ] {
        for member in ["redirect_uris", "post_logout_redirect_uris"] {
            let answer = register(&site, None, &metadata(&json!({ member: [bad] }))).await;
            let _ = answer.expect_problem(400, "invalid_redirect_uri");
        }
    }
    let _ = register(&site, None, &metadata(&json!({ "redirect_uris": [] })))
        .await
        .expect_problem(400, "invalid_redirect_uri");
}

#[tokio::test]
async fn what_does_not_fit_or_is_not_offered_is_invalid_client_metadata() {
    const CIBA: &str = "urn:openid:params:grant-type:ciba";
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let private = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "AAAA" }] });
    for bad in [
        json!({ "initiate_login_uri": "http://a.example/login" }),
        json!({ "token_endpoint_auth_method": "client_secret_jwt" }),
        json!({ "token_endpoint_auth_method": "tls_client_auth" }),
        json!({ "token_endpoint_auth_method": "private_key_jwt" }),
        json!({ "id_token_signed_response_alg": "none" }),
        json!({ "id_token_signed_response_alg": "HS256" }),
        json!({ "request_object_signing_alg": "none" }),
        json!({ "default_max_age": -1 }),
        json!({ "default_acr_values": ["two words"] }),
        json!({ "default_acr_values": vec!["urn:svc:aal2-or-so"; 11] }),
        json!({ "id_token_encrypted_response_alg": "RSA-OAEP" }),
        json!({ "grant_types": ["implicit"], "response_types": ["id_token"] }),
        json!({ "grant_types": ["password"] }),
        json!({ "grant_types": ["client_credentials"] }),
        json!({ "response_types": ["code id_token"] }),
        json!({ "grant_types": ["authorization_code", CIBA], "backchannel_token_delivery_mode": "ping" }),
        json!({ "jwks": private }),
        json!({ "jwks": {} }),
        json!({ "jwks": { "keys": [] }, "jwks_uri": "https://a.example/jwks" }),
        json!({ "redirect_uris": "https://a.example/cb" }),
        json!({ "client_name": "x".repeat(200) }),
        json!({ "client_name": "two\nlines" }),
        json!({ "scope": "op\"enid" }),
    ] {
        let answer = register(&site, None, &metadata(&bad)).await;
        let text = format!("{bad}: {answer:?}");
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (400, Some("invalid_client_metadata")),
            "{text}"
        );
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn the_member_that_does_not_fit_is_named_and_what_was_sent_there_is_not_shown() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    for (member, sent, expected) in [
        ("redirect_uris", json!("sent-here"), "an array"),
        ("redirect_uris", json!(["https://a.example/cb", { "sent-here": 1 }]), "a string"),
        ("jwks_uri", json!(["sent-here"]), "a string"),
        ("default_max_age", json!("sent-here"), "a whole number from 0 to 4294967295"),
        ("require_auth_time", json!("sent-here"), "a boolean"),
        ("token_endpoint_auth_method", json!("sent-here"), "one of `none`, `client_secret_post`"),
        ("id_token_signed_response_alg", json!("sent-here"), "one of `ES256`"),
    ] {
        let answer = register(&site, None, &metadata(&json!({ member: sent }))).await;
        let answer = answer.expect_problem(400, "invalid_client_metadata");
        let told = answer.json()["error_description"].as_str().unwrap().to_owned();
        assert!(told.starts_with(&format!("{member}: expected {expected}")), "{told}");
        assert!(!answer.body.contains("sent-here"), "{answer:?}");
    }
}

#[tokio::test]
async fn an_application_learns_which_grants_it_gets_and_demands_nothing_that_is_not_offered() {
    const DEVICE: &str = "urn:ietf:params:oauth:grant-type:device_code";
    let off = ("SVC_OIDC__DISABLED_CAPABILITIES", r#"["device", "dpop", "par", "jar"]"#);
    let h = Harness::with(&[OPEN, off]).await;
    let site = h.tenant("main").await;
    let both = metadata(&json!({ "grant_types": ["authorization_code", DEVICE] }));
    let told = register(&site, None, &both).await.expect(201).json();
    assert_eq!(told["grant_types"], json!(["authorization_code"]));
    for bad in [
        json!({ "grant_types": [DEVICE], "response_types": [] }),
        json!({ "dpop_bound_access_tokens": true }),
        json!({ "require_pushed_authorization_requests": true }),
        json!({ "require_signed_request_object": true, "jwks_uri": "https://notebook.example/jwks" }),
    ] {
        let answer = register(&site, None, &metadata(&bad)).await;
        let answer = answer.expect_problem(400, "invalid_client_metadata");
        assert!(answer.body.contains("offered here"), "{bad}: {answer:?}");
    }
}

#[tokio::test]
async fn pages_of_the_application_are_web_addresses() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    for member in ["client_uri", "logo_uri", "policy_uri", "tos_uri"] {
        for bad in ["javascript:alert(1)", "data:text/html,x", "http://a.example/", "ftp://a.example/"] {
            let answer = register(&site, None, &metadata(&json!({ member: bad }))).await;
            let _ = answer.expect_problem(400, "invalid_client_metadata");
        }
    }
}

#[tokio::test]
async fn what_we_would_call_is_public_and_the_refusal_says_no_more() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let mut answers = Vec::new();
    for member in ["jwks_uri", "sector_identifier_uri", "logo_uri", "backchannel_logout_uri"] {
        for bad in [
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://[::ffff:7f00:1]/x",
            "https://169.254.169.254/latest",
            "https://10.0.0.1/x",
            "https://100.64.0.1/x",
            "https://[fd00::1]/x",
            "https://0.0.0.0/x",
            "https://2130706433/x",
            "https://0177.0.0.1/x",
            "https://localhost/x",
            "https://a.example:22/x",
            "http://a.example/x",
            "gopher://a.example/x",
            "file:///etc/passwd",
        ] {
            let answer = register(&site, None, &metadata(&json!({ member: bad }))).await;
            answers.push(answer.expect_problem(400, "invalid_client_metadata").json()["detail"].clone());
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn a_sector_lists_every_redirect_uri() {
    let h = Harness::with(&[OPEN, LOOPBACK]).await;
    let site = h.tenant("main").await;
    let publisher = Publisher::start().await;
    publisher.publish("/sector", &json!(["https://a.example/cb", "https://b.example/cb"]), 0);
    publisher.publish("/object", &json!({ "redirect_uris": [] }), 0);
    publisher.answer_with("/moved", &format!("302 Found\r\nlocation: {}", publisher.url("/sector")), "");
    let asked = |path: &str, uris: Value| {
        metadata(&json!({ "sector_identifier_uri": publisher.url(path), "redirect_uris": uris }))
    };
    let both = json!(["https://a.example/cb", "https://b.example/cb"]);
    let told = register(&site, None, &asked("/sector", both.clone())).await.expect(201).json();
    assert_eq!(told["sector_identifier_uri"], publisher.url("/sector"));
    let lacking = json!(["https://a.example/cb", "https://evil.example/cb"]);
    for (path, uris) in
        [("/sector", lacking), ("/object", both.clone()), ("/moved", both.clone()), ("/nothing", both)]
    {
        let _ =
            register(&site, None, &asked(path, uris)).await.expect_problem(400, "invalid_client_metadata");
    }
}

#[tokio::test]
async fn bodies_that_are_no_json_object_are_refused() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let deep = "[".repeat(10_000);
    for (kind, body) in [
        ("application/json", "[]"),
        ("application/json", "{"),
        ("application/json", r#"{"client_name":"a","client_name":"b"}"#),
        ("application/json", deep.as_str()),
        ("application/x-www-form-urlencoded", "client_name=a"),
    ] {
        let request =
            Request::post("/oauth/register").header("host", &site.host).header("content-type", kind);
        let answer = h.send(request.body(Body::from(body.to_owned())).unwrap()).await;
        let _ = answer.expect_problem(400, "invalid_client_metadata");
    }
}
