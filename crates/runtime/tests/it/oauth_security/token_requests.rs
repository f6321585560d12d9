//! Token requests that no honest application sends: grants, content types, places of parameters, scopes (N23–N25).

use svc_http::{Body, Method, Request};

use super::{FORM, raw};
use crate::harness::Harness;
use crate::harness::client::basic;

const API: &str = "https://notes.example";

#[tokio::test]
async fn grants_that_do_not_exist_or_are_not_allowed_are_refused_by_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for grant in [
        "",
        "password",
        "implicit",
        "AUTHORIZATION_CODE",
        "authorization_code ",
        "code",
        "refresh_token client_credentials",
        "urn:ietf:params:oauth:grant-type:saml2-bearer",
        "\u{0}",
        "<script>",
    ] {
        let answer = app
            .token(&[("grant_type", grant), ("username", "ada"), ("password", "correct horse ada")], &[])
            .await;
        let error = if grant.contains('\0') { "invalid_request" } else { "unsupported_grant_type" };
        let answer = answer.expect_problem(400, error);
        assert!(!answer.body.contains("correct horse") && !answer.body.contains("<script>"), "{answer:?}");
    }
    let nameless = app.token(&[("scope", "openid")], &[]).await.expect_problem(400, "unsupported_grant_type");
    assert_eq!(nameless.json()["detail"], "the parameter grant_type is missing");
    let names: Vec<_> = svc_auth::grant_types().map(|grant| grant.name).collect();
    for (number, allowed) in names.iter().enumerate() {
        let grants = vec![(*allowed).to_owned()];
        let limited = site
            .app_with(&format!("limited{number}"), |configuration| configuration.grant_types = grants)
            .await;
        for other in names.iter().filter(|other| *other != allowed) {
            let form = [("grant_type", *other), ("code", "x"), ("refresh_token", "x")];
            let _ = limited.token(&form, &[]).await.expect_problem(400, "unauthorized_client");
        }
    }
}

#[tokio::test]
async fn a_parameter_that_is_missing_is_named_in_the_same_words_everywhere() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for (path, form, missing) in [
        ("/oauth/token", &[("grant_type", "authorization_code")][..], "code"),
        ("/oauth/token", &[("grant_type", "refresh_token")], "refresh_token"),
        ("/oauth/introspect", &[("token", "")], "token"),
        ("/oauth/revoke", &[], "token"),
    ] {
        let refused = app.post(path, form, &[]).await.expect_problem(400, "invalid_request");
        assert_eq!(refused.json()["detail"], format!("the parameter {missing} is missing"), "{path}");
    }
}

#[tokio::test]
async fn only_a_posted_form_is_a_token_request() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    let app = site.app("web").await;
    let secret = app.secret.as_deref().unwrap();
    let authorization = basic(&app.id, secret);
    let authorization = ("authorization", authorization.as_bytes());
    let form = format!("grant_type=client_credentials&scope=notes%3Aread&resource={API}");
    let json = r#"{"grant_type":"client_credentials"}"#;
    for (kind, body) in [
        ("application/json", json),
        ("text/plain", &form),
        ("multipart/form-data; boundary=x", &form),
        ("application/x-www-form-urlencoded-x", &form),
        ("", &form),
    ] {
        let headers = [("content-type", kind.as_bytes()), authorization];
        let answer = raw(&site, "/oauth/token", &headers, body.to_owned()).await;
        let _ = answer.expect_problem(415, "unsupported_media_type");
    }
    let _ = raw(&site, "/oauth/token", &[authorization], form.clone()).await.expect(415);
    for method in [Method::GET, Method::PUT, Method::DELETE, Method::PATCH] {
        let request = Request::builder()
            .method(method.clone())
            .uri(format!("/oauth/token?{form}"))
            .header("host", &site.host);
        let request = request.header("authorization", authorization.1).body(Body::empty()).unwrap();
        let _ = h.send(request).await.expect_problem(405, "method_not_allowed");
    }
    for query in [form.clone(), format!("client_id={}&client_secret={secret}", app.id), "x=1".to_owned()] {
        let answer = raw(&site, &format!("/oauth/token?{query}"), &[FORM, authorization], form.clone()).await;
        let answer = answer.expect_problem(400, "invalid_request");
        assert!(!answer.body.contains(secret), "{answer:?}");
    }
    let charset = ("content-type", &b"application/x-www-form-urlencoded; charset=UTF-8"[..]);
    let answer = raw(&site, "/oauth/token", &[charset, authorization, ("accept", b"image/png")], form).await;
    let _ = answer.expect(200);
}

#[tokio::test]
async fn an_application_acting_for_itself_gets_its_own_scopes_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read", "notes:write", "notes:admin"]).await;
    let app = site.app("service").await;
    let form = [("grant_type", "client_credentials"), ("resource", API)];
    for scope in [
        "notes:admin",
        "notes:read notes:admin",
        "openid",
        "offline_access",
        "notes:read openid",
        "profile",
        "email",
        "NOTES:READ",
        "notes:*",
        "notes:read,notes:write",
        "\u{6e}otes:reаd",
        "notes:read\u{0}",
        "a\"b",
        "a\\b",
        "ä",
        "a\tb",
    ] {
        let answer = app.token(&form, &[("scope", scope)]).await;
        let error = if scope.contains('\0') { "invalid_request" } else { "invalid_scope" };
        let _ = answer.expect_problem(400, error);
    }
    let tokens = app.token(&form, &[("scope", "notes:read")]).await.expect(200).json();
    let mut members: Vec<_> = tokens.as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, ["access_token", "expires_in", "scope", "token_type"]);
    // Asking for nothing gives what the application has at this API, and nothing that concerns a person.
    let tokens = app.token(&form, &[]).await.expect(200).json();
    assert_eq!(tokens["scope"], "notes:read notes:write");
}

#[tokio::test]
async fn a_public_application_never_acts_for_itself() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    let app = site.public_app("spa").await;
    let form = [("grant_type", "client_credentials"), ("resource", API), ("scope", "notes:read")];
    let _ = app.token(&form, &[]).await.expect_problem(400, "unauthorized_client");
    // Nor can one be registered that would.
    let token = site.mint(|_| ());
    let wanted = serde_json::json!({
        "name": "Both", "token_endpoint_auth_method": "none", "grant_types": ["client_credentials"]
    });
    let answer = site.call(Method::POST, "/api/v1/applications", Some(&token), Some(wanted)).await;
    let _ = answer.expect_problem(400, "invalid_client_metadata");
}

#[tokio::test]
async fn enormous_scopes_and_bodies_are_refused_early() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(API, &["notes:read"]).await;
    let app = site.app("service").await;
    let form = [("grant_type", "client_credentials"), ("resource", API)];
    let many: Vec<String> = (0..10_000).map(|number| format!("s{number}")).collect();
    let some: Vec<String> = (0..101).map(|number| format!("s{number}")).collect();
    for (scope, status) in [
        (some.join(" "), 400),
        ("x".repeat(4097), 400),
        ("notes:read ".repeat(400), 400),
        (many.join(" "), 400),
        ("x".repeat(1 << 20), 413),
    ] {
        let error = if status == 413 { "payload_too_large" } else { "invalid_scope" };
        let _ = app.token(&form, &[("scope", &scope)]).await.expect_problem(status, error);
    }
    let parameters: Vec<String> = (0..200).map(|number| format!("p{number}=1")).collect();
    let authorization = basic(&app.id, app.secret.as_deref().unwrap());
    let headers = [FORM, ("authorization", authorization.as_bytes())];
    let _ = raw(&site, "/oauth/token", &headers, parameters.join("&"))
        .await
        .expect_problem(400, "invalid_request");
    // Repetition and additional spaces mean nothing.
    let tokens = app.token(&form, &[("scope", "notes:read  notes:read ")]).await.expect(200).json();
    assert_eq!(tokens["scope"], "notes:read");
}

#[tokio::test]
async fn bytes_that_are_no_form_are_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let authorization = basic(&app.id, app.secret.as_deref().unwrap());
    let headers = [FORM, ("authorization", authorization.as_bytes())];
    for body in [&b"grant_type=\xff"[..], b"grant_type=%ff", b"grant_type=%", b"grant_type=%00", b"\0\0\0"] {
        let answer = raw(&site, "/oauth/token", &headers, body.to_vec()).await;
        let _ = answer.expect_problem(400, "invalid_request");
    }
}
