//! What a backchannel authentication request may not carry (OpenID CIBA §7.1, §13).

use svc_http::Method;

use crate::harness::{Answer, Harness};

const FORM: [(&str, &str); 2] = [("scope", "openid"), ("login_hint", "ada")];

#[tokio::test]
async fn unsupported_parameters_are_refused_by_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for name in [
        "login_hint_token",
        "id_token_hint",
        "client_notification_token",
        "client_notification_endpoint",
        "user_code",
        "acr_values",
        "request_uri",
    ] {
        let refused =
            app.post("/bc-authorize", &FORM, &[(name, "x")]).await.expect_problem(400, "invalid_request");
        assert!(refused.json()["error_description"].as_str().unwrap().contains(name), "{refused:?}");
    }
}

/// OpenID CIBA §13 knows three members and no others.
#[track_caller]
fn is_of_the_standard(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(code)), "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json", "{answer:?}");
    let document = answer.json();
    let members: Vec<_> = document.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["error", "error_description", "error_uri"], "{answer:?}");
}

#[tokio::test]
async fn whatever_refuses_a_request_uses_the_members_of_the_standard() {
    let h = Harness::in_one_process(&[("SVC_SERVER__ENDPOINT_THROTTLE", "3")]).await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let huge = "h".repeat(200_000);
    let too_large = app.post("/bc-authorize", &FORM, &[("login_hint", &huge)]).await;
    is_of_the_standard(&too_large, 413, "payload_too_large");
    let no_hint = app.post("/bc-authorize", &[("scope", "openid")], &[]).await;
    is_of_the_standard(&no_hint, 400, "invalid_request");
    let stranger = site.call(Method::POST, "/bc-authorize", None, None).await;
    assert!((400..500).contains(&stranger.status), "{stranger:?}");
    is_of_the_standard(&stranger, stranger.status, stranger.json()["error"].as_str().unwrap());
    is_of_the_standard(&app.post("/bc-authorize", &FORM, &[]).await, 429, "rate_limited");

    let h = Harness::with(&[("SVC_OIDC__DISABLED_CAPABILITIES", "[\"ciba\"]")]).await;
    let site = h.tenant("main").await;
    is_of_the_standard(&site.app("web").await.post("/bc-authorize", &FORM, &[]).await, 404, "not_found");
    is_of_the_standard(&site.get("/bc-authorize").await, 404, "not_found");
    let h = Harness::new().await;
    let offered = h.tenant("main").await.get("/bc-authorize").await;
    is_of_the_standard(&offered, 405, "method_not_allowed");
}

#[tokio::test]
async fn there_is_exactly_one_hint() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let _ =
        app.post("/bc-authorize", &[("scope", "openid")], &[]).await.expect_problem(400, "invalid_request");
    for (name, value) in [("id_token_hint", "e30.e30.x"), ("login_hint_token", "x")] {
        let two = app.post("/bc-authorize", &FORM, &[(name, value)]).await;
        let _ = two.expect_problem(400, "invalid_request");
        let other = app.post("/bc-authorize", &[("scope", "openid"), (name, value)], &[]).await;
        let _ = other.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn the_expiry_is_a_number_within_bounds() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for good in ["10", "600"] {
        let started =
            app.post("/bc-authorize", &FORM, &[("requested_expiry", good)]).await.expect(200).json();
        assert_eq!(started["expires_in"].as_i64().unwrap().to_string(), good);
    }
    for bad in ["9", "601", "0", "-30", "30.5", "soon", "1e2", "9999999999999999999999"] {
        let refused = app.post("/bc-authorize", &FORM, &[("requested_expiry", bad)]).await;
        let _ = refused.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_binding_message_can_be_read_and_compared() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let long = "x".repeat(101);
    for bad in ["a\nb", "a\u{202E}b", "a\u{2067}b", "a\u{200B}b", "a\u{1b}[31mb", "\u{E0041}", long.as_str()]
    {
        let refused = app.post("/bc-authorize", &FORM, &[("binding_message", bad)]).await;
        let _ = refused.expect_problem(400, "invalid_binding_message");
    }
    let _ = app.post("/bc-authorize", &FORM, &[("binding_message", &long[..100])]).await.expect(200);
}

#[tokio::test]
async fn scopes_are_those_of_the_application_and_openid_is_among_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app_with("web", |configuration| configuration.scope = "openid".parse().unwrap()).await;
    for bad in ["openid profile", "profile", "openid \u{7f}"] {
        let refused = app.post("/bc-authorize", &FORM, &[("scope", bad)]).await;
        let _ = refused.expect_problem(400, "invalid_scope");
    }
    let unsaid = app.post("/bc-authorize", &[("login_hint", "ada")], &[]).await;
    let unsaid = unsaid.expect_problem(400, "invalid_request").json();
    assert_eq!(unsaid["error_description"], "the parameter scope is missing");
    let nowhere = app.post("/bc-authorize", &FORM, &[("resource", "https://nowhere.example")]).await;
    let _ = nowhere.expect_problem(400, "invalid_target");
}

#[tokio::test]
async fn claims_are_well_formed_and_ask_for_nothing_that_takes_a_sign_in_here() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for bad in [
        "{",
        r#"{"userinfo":[]}"#,
        r#"{"id_token":{"acr":{"essential":true,"value":"urn:svc:aal1"}}}"#,
        r#"{"id_token":{"sub":{"value":"somebody"}}}"#,
    ] {
        for (path, form) in [("/bc-authorize", &FORM[..]), ("/oauth/device/code", &FORM[..1])] {
            let refused = app.post(path, form, &[("claims", bad)]).await;
            let _ = refused.expect_problem(400, "invalid_request");
        }
    }
    let fine = r#"{"id_token":{"acr":{"value":"urn:svc:aal2"},"auth_time":{"essential":true}}}"#;
    let _ = app.post("/bc-authorize", &FORM, &[("claims", fine)]).await.expect(200);
}
