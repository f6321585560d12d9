//! Asking (RFC 9396 §2, §3, §5): what is taken at every endpoint, and what is refused by its own name.

use serde_json::{Value, json};
use svc_keys::Algorithm;

use super::{ACCOUNTS, BANK, PAYMENT, World, account, asking, carried, client, payment};
use crate::client_keys::Keyed;
use crate::harness::client::claims;
use crate::harness::{Code, Harness};
use crate::{par, polling};

#[tokio::test]
async fn what_was_asked_for_in_detail_is_in_token_answer_and_introspection() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let asked = json!([payment("123.50", "Merchant"), account(&["read"])]);
    let response = world.tokens(&world.web, &asked).await;
    assert_eq!(response["authorization_details"], asked);
    assert_eq!(carried(&response), asked);
    for token in ["access_token", "refresh_token"] {
        let form = [("token", response[token].as_str().unwrap())];
        let state = world.web.post("/oauth/introspect", &form, &[]).await.expect(200).json();
        assert_eq!((&state["active"], &state["authorization_details"]), (&json!(true), &asked), "{token}");
    }
    let refreshed = super::refresh(&world.web, &response, &[]).await.expect(200).json();
    assert_eq!((&refreshed["authorization_details"], carried(&refreshed)), (&asked, asked.clone()));
}

#[tokio::test]
async fn a_token_without_details_does_not_mention_them() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let response = world.tokens(&world.web, &json!([])).await;
    assert_eq!((response.get("authorization_details"), carried(&response)), (None, Value::Null));
}

#[tokio::test]
async fn what_does_not_fit_is_refused_at_the_application() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let other = world.site.app("other").await;
    let many = Value::Array(vec![account(&[]); 21]);
    let with = |name: &str, value: Value| {
        let mut detail = payment("1.00", "Merchant");
        detail[name] = value;
        json!([detail]).to_string()
    };
    let fits = json!([payment("1.00", "Merchant")]).to_string();
    for (app, details) in [
        (&world.web, "x".to_owned()),
        (&world.web, "{}".to_owned()),
        (&world.web, r#"[{"type":"bank.accounts","type":"bank.accounts"}]"#.to_owned()),
        (&world.web, json!([{ "actions": ["read"] }]).to_string()),
        (&world.web, json!([{ "type": "unknown" }]).to_string()),
        (&world.web, json!([{ "type": PAYMENT }]).to_string()),
        (&world.web, json!([payment("1", "Merchant")]).to_string()),
        (&world.web, with("extra", json!(1))),
        (&world.web, with("locations", json!(["https://elsewhere.example"]))),
        (&world.web, with("locations", json!(BANK))),
        (&world.web, with("creditorName", json!("x".repeat(4096)))),
        (&world.web, many.to_string()),
        (&other, fits.clone()),
    ] {
        let mut browser = world.site.browser();
        let changes = [("resource", BANK), ("scope", "openid"), ("authorization_details", details.as_str())];
        let answer = browser.get(&app.authorize_path(&app.verifier(), &changes)).await;
        let error = answer.redirect_param("error");
        assert_eq!(error.as_deref(), Some("invalid_authorization_details"), "{details}");
    }
    let about_nothing = [("authorization_details", fits.as_str())];
    let answer =
        world.site.browser().get(&world.web.authorize_path(&world.web.verifier(), &about_nothing)).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_authorization_details"));
    let located = with("locations", json!([BANK]));
    let page =
        world.site.browser().get(&world.web.authorize_path(&world.web.verifier(), &asking(&located))).await;
    assert!(page.expect(200).body.contains("login-submit"));
}

#[tokio::test]
async fn a_pushed_request_carries_them_and_is_refused_at_once() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let challenge = svc_keys::pkce::s256(par::VERIFIER);
    let form = [
        ("response_type", "code"),
        ("redirect_uri", world.web.redirect_uri()),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
    ];
    let bad = json!([payment("1", "Merchant")]).to_string();
    let refused = world.web.post("/oauth/par", &form, &asking(&bad)).await;
    let _ = refused.expect_problem(400, "invalid_authorization_details");
    let good = json!([payment("1.00", "Merchant")]).to_string();
    let pushed = world.web.post("/oauth/par", &form, &asking(&good)).await.expect(201).json();
    let path = par::with_reference(&world.web.id, pushed["request_uri"].as_str().unwrap());
    let mut browser = world.site.browser();
    let page = browser.get(&path).await.expect(200);
    let fields = [("username", world.ada.username.as_str()), ("password", world.ada.password.as_str())];
    let code = browser.submit(&page, &fields).await.redirect_param("code").unwrap();
    let code = Code { code, verifier: par::VERIFIER.to_owned() };
    let response = world.web.exchange(&code).await.expect(200).json();
    assert_eq!(carried(&response), json!([payment("1.00", "Merchant")]));
}

#[tokio::test]
async fn a_signed_request_carries_them_as_an_array() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let app = Keyed::with(&world.site, "signing", Algorithm::Es256, |configuration| {
        configuration.authorization_details_types = vec![PAYMENT.to_owned()];
    })
    .await;
    let asked = json!([payment("1.00", "Merchant")]);
    let own = [("authorization_details", asked.clone())];
    let claims = par::object_of(&app.client, &[("resource", BANK), ("scope", "openid")], &own);
    let object = app.signer.sign(&app.signer.header(), &claims);
    let path = format!("/oauth/authorize?client_id={}&request={object}", app.client.id);
    let answer = par::signing_in(&mut world.site.browser(), &path, &world.ada).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("code", &answer.redirect_param("code").unwrap()),
        ("redirect_uri", app.client.redirect_uri()),
        ("code_verifier", par::VERIFIER),
    ];
    let response = app.post_honestly("/oauth/token", &form).await.expect(200).json();
    assert_eq!(carried(&response), asked);
}

#[tokio::test]
async fn devices_and_backchannel_requests_ask_in_detail_too() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let asked = json!([payment("9.99", "Merchant")]);
    let text = asked.to_string();
    let started = world.shop.post("/oauth/device/code", &[], &asking(&text)).await.expect(200).json();
    polling::allow_device(&world.site, &world.ada, started["user_code"].as_str().unwrap()).await;
    let polled = polling::poll_device(&world.shop, started["device_code"].as_str().unwrap()).await;
    assert_eq!(carried(&polled.expect(200).json()), asked);
    let auth_req_id = polling::ask(&world.shop, "ada", &asking(&text)).await;
    let mut browser = polling::signed_in(&world.site, &world.ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = polling::decide(&mut browser, &page, "allow").await.expect(200);
    assert_eq!(carried(&polling::poll_ciba(&world.shop, &auth_req_id).await.expect(200).json()), asked);
    let bad = json!([{ "type": ACCOUNTS, "actions": "read" }]).to_string();
    for path in ["/oauth/device/code", "/bc-authorize"] {
        let refused = world.shop.post(path, &[("login_hint", "ada")], &asking(&bad)).await;
        let _ = refused.expect_problem(400, "invalid_authorization_details");
    }
}

#[tokio::test]
async fn an_application_of_its_own_asks_at_the_token_endpoint() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let asked = json!([account(&["read"])]);
    let text = asked.to_string();
    let own = [("grant_type", "client_credentials"), ("resource", BANK), ("scope", "bank:use")];
    let response = world.web.token(&own, &[("authorization_details", &text)]).await.expect(200).json();
    assert_eq!((&response["authorization_details"], carried(&response)), (&asked, asked.clone()));
    assert_eq!(claims(response["access_token"].as_str().unwrap())["subject_type"], "system");
    let plain = world.web.token(&own, &[]).await.expect(200).json();
    assert_eq!(carried(&plain), Value::Null);
    let other = world.site.app_with("other", |app| app.scope = world.web.configuration.scope.clone()).await;
    let bad = json!([payment("1", "Merchant")]).to_string();
    for (app, details) in [(&other, text.as_str()), (&world.web, bad.as_str()), (&world.web, "[1]")] {
        let refused = app.token(&own, &[("authorization_details", details)]).await;
        let _ = refused.expect_problem(400, "invalid_authorization_details");
    }
}

#[tokio::test]
async fn where_the_deployment_does_not_offer_it_nothing_of_it_works() {
    let h = Harness::with(&[("SVC_OIDC__AUTHORIZATION_DETAILS", "false")]).await;
    let world = World::new(&h).await;
    let text = json!([account(&["read"])]).to_string();
    let page = world.web.authorize_path(&world.web.verifier(), &asking(&text));
    let answer = world.site.browser().get(&page).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_authorization_details"));
    let own = [("grant_type", "client_credentials"), ("resource", BANK), ("scope", "bank:use")];
    let refused = world.web.token(&own, &[("authorization_details", &text)]).await;
    let _ = refused.expect_problem(400, "invalid_authorization_details");
    let document = world.site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document.get("authorization_details_types_supported"), None);
}

#[tokio::test]
async fn the_deepest_object_that_is_taken_makes_a_token_that_can_be_read() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let nested = (0..7).fold(json!("x"), |inner, _| json!([inner]));
    let asked = json!([{ "type": ACCOUNTS, "deep": nested }]);
    let response = world.tokens(&world.web, &asked).await;
    let form = [("token", response["access_token"].as_str().unwrap())];
    let state = world.web.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(state["authorization_details"], asked);
}

#[tokio::test]
async fn a_type_counts_only_as_long_as_application_and_api_go_by_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let asked = json!([payment("1.00", "Merchant"), account(&["read"])]);
    let response = world.tokens(&world.web, &asked).await;
    let fewer = client(&world.site, "fewer", true).await;
    let path = format!("/api/v1/applications/{}", world.web.id);
    let token = world.site.mint(|_| ());
    let mut configuration = serde_json::to_value(&world.web.configuration).unwrap();
    configuration["authorization_details_types"] = json!([ACCOUNTS]);
    let changed = world.site.call(svc_http::Method::PUT, &path, Some(&token), Some(configuration)).await;
    let _ = changed.expect(200);
    let refreshed = super::refresh(&world.web, &response, &[]).await.expect(200).json();
    assert_eq!(carried(&refreshed), json!([account(&["read"])]));
    assert_eq!(carried(&world.tokens(&fewer, &asked).await), asked);
}
