//! Signed backchannel requests (OpenID CIBA §7.1.1): every fault is an `invalid_request`.

use serde_json::{Value, json};
use svc_keys::Algorithm;

use super::{CIBA, decide, signed_in};
use crate::client_keys::{Keyed, changed};
use crate::harness::{Answer, Harness};

fn request(app: &Keyed<'_>, changes: &[(&str, Value)]) -> Value {
    let h = app.client.site.harness;
    let now = h.operator().now.as_secs();
    let usual = json!({
        "iss": app.client.id, "aud": app.client.site.issuer(), "exp": now + 60, "iat": now, "nbf": now,
        "jti": svc_keys::token(&*h.app().entropy),
        "scope": "openid", "login_hint": "ada", "binding_message": "W4SCT", "requested_expiry": 30,
    });
    changed(usual, changes)
}

async fn send(app: &Keyed<'_>, claims: &Value) -> Answer {
    let object = app.signer.sign(&app.signer.header(), claims);
    app.post_honestly("/bc-authorize", &[("request", &object)]).await
}

#[tokio::test]
async fn a_signed_request_counts_with_everything_inside() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (Keyed::new(&site, "web", Algorithm::Es256).await, site.user("ada").await);
    let started = send(&app, &request(&app, &[])).await.expect(200).json();
    assert_eq!(started["expires_in"], 30);
    let aud = ("aud", json!(["https://other.example", site.issuer()]));
    let text = send(&app, &request(&app, &[("requested_expiry", json!("40")), aud])).await.expect(200).json();
    assert_eq!(text["expires_in"], 40);
    let mut browser = signed_in(&site, &ada).await;
    for _ in 0..2 {
        let page = browser.get("/auth/approvals").await.expect(200);
        assert!(page.body.contains("W4SCT"), "{}", page.body);
        let _ = decide(&mut browser, &page, "allow").await.expect(200);
    }
    let form = [("grant_type", CIBA), ("auth_req_id", started["auth_req_id"].as_str().unwrap())];
    let _ = app.post_honestly("/oauth/token", &form).await.expect(200);
}

#[tokio::test]
async fn an_object_says_everything_about_itself() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "web", Algorithm::Es256).await;
    let now = h.operator().now.as_secs();
    for name in ["iss", "aud", "exp", "iat", "nbf", "jti"] {
        let lacking = send(&app, &request(&app, &[(name, Value::Null)])).await;
        let _ = lacking.expect_problem(400, "invalid_request");
    }
    for (name, bad) in [
        ("iss", json!("somebody")),
        ("aud", json!("https://other.example")),
        ("aud", json!(["https://other.example", "invalid"])),
        ("aud", json!([])),
        ("exp", json!(now - 1)),
        ("exp", json!(now + 7200)),
        ("exp", json!("soon")),
        ("nbf", json!(now + 120)),
        ("nbf", json!(now - 7200)),
        ("iat", json!(now + 120)),
        ("iat", json!("now")),
        ("jti", json!(7)),
        ("jti", json!("")),
        ("sub", json!("x")),
        ("request", json!("x")),
        ("acr_values", json!("urn:svc:aal2")),
        ("requested_expiry", json!(5)),
        ("requested_expiry", json!({ "a": 1 })),
        ("login_hint", Value::Null),
    ] {
        let refused = send(&app, &request(&app, &[(name, bad.clone())])).await;
        assert_eq!(
            (refused.status, &refused.json()["error"]),
            (400, &json!("invalid_request")),
            "{name} {bad}"
        );
    }
}

#[tokio::test]
async fn an_object_is_used_once_and_nothing_is_added_to_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other) = (
        Keyed::new(&site, "web", Algorithm::Es256).await,
        Keyed::new(&site, "other", Algorithm::Es256).await,
    );
    let claims = request(&app, &[]);
    let _ = send(&app, &claims).await.expect(200);
    let _ = send(&app, &claims).await.expect_problem(400, "invalid_request");
    let object = app.signer.sign(&app.signer.header(), &request(&app, &[]));
    for more in [("scope", "openid profile"), ("login_hint", "eve"), ("binding_message", "x")] {
        let refused = app.post_honestly("/bc-authorize", &[("request", &object), more]).await;
        let _ = refused.expect_problem(400, "invalid_request");
    }
    let foreign = other.post_honestly("/bc-authorize", &[("request", &object)]).await;
    let _ = foreign.expect_problem(400, "invalid_request");
    for garbage in ["x", "e30.e30.", "eyJhbGciOiJub25lIn0.e30."] {
        let refused = app.post_honestly("/bc-authorize", &[("request", garbage)]).await;
        let _ = refused.expect_problem(400, "invalid_request");
    }
    let _ = app.post_honestly("/bc-authorize", &[("request", &object)]).await.expect(200);
}

#[tokio::test]
async fn an_application_that_signs_always_signs_and_one_without_keys_cannot() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let strict = Keyed::with(&site, "strict", Algorithm::Es256, |configuration| {
        configuration.require_signed_request_object = true;
    })
    .await;
    let unsigned = strict.post_honestly("/bc-authorize", &[("scope", "openid"), ("login_hint", "ada")]).await;
    let _ = unsigned.expect_problem(400, "invalid_request");
    let _ = send(&strict, &request(&strict, &[])).await.expect(200);
    let keyless = site.app("keyless").await;
    let refused = keyless.post("/bc-authorize", &[("request", "e30.e30.x")], &[]).await;
    let _ = refused.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn requests_here_are_signed_by_the_algorithm_that_is_registered_for_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ours, other) = (Some(Algorithm::Es256), Some(Algorithm::Ps256));
    for (name, own, general, status) in
        [("own", ours, other, 200), ("other", other, ours, 400), ("general", None, other, 400)]
    {
        let app = Keyed::with(&site, name, Algorithm::Es256, |configuration| {
            configuration.backchannel_authentication_request_signing_alg = own;
            configuration.request_object_signing_alg = general;
        });
        let app = app.await;
        assert_eq!(send(&app, &request(&app, &[])).await.status, status, "{name}");
    }
}

#[tokio::test]
async fn an_assertion_may_be_meant_for_the_issuer_the_token_endpoint_or_this_endpoint() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "web", Algorithm::Es256).await;
    let form = [("scope", "openid"), ("login_hint", "ada")];
    for path in ["", "/oauth/token", "/bc-authorize"] {
        let audience = json!(format!("{}{path}", site.issuer()));
        let _ = app.post("/bc-authorize", &form, &app.assertion(&[("aud", audience)])).await.expect(200);
    }
    let elsewhere = app.assertion(&[("aud", json!(format!("{}/oauth/par", site.issuer())))]);
    let _ = app.post("/bc-authorize", &form, &elsewhere).await.expect_problem(401, "invalid_client");
}
