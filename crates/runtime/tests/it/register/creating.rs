//! POST `/oauth/register` (RFC 7591 §3).

use futures_util::future::join_all;
use serde_json::json;
use svc_domain::apps::Configuration;
use svc_http::Method;

use super::{BY_TOKEN, LOOPBACK, OPEN, Registered, administer, call, metadata, register};
use crate::harness::Harness;
use crate::harness::publisher::Publisher;
use crate::par;

#[tokio::test]
async fn a_registered_application_signs_people_in() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let answer =
        register(&site, None, &metadata(&json!({ "logo_uri": "https://notebook.example/logo.png" }))).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let registered = Registered::of(&site, answer.expect(201).json());
    let told = &registered.response;
    assert_eq!(told["client_secret_expires_at"], 0);
    assert_eq!(told["client_id_issued_at"], h.operator().now.as_secs());
    assert_eq!(told["scope"], "email offline_access openid phone profile");
    assert_eq!(told["subject_type"], "pairwise");
    assert_eq!(told["id_token_signed_response_alg"], "RS256");
    for ours in ["first_party", "name", "type", "profile"] {
        assert!(told.get(ours).is_none(), "{ours} in {told}");
    }
    let person = site.user("ada").await;
    let tokens = registered.client.tokens(&person).await;
    assert_eq!(registered.client.refresh(tokens.refresh_token()).await.status, 200);
}

#[tokio::test]
async fn what_is_left_out_gets_its_default_and_unknown_members_are_ignored() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let least = json!({ "redirect_uris": ["https://a.example/cb"], "tenant_id": "tnt_x", "client_name#de": "Heft", "jwks": null });
    let told = register(&site, None, &least).await.expect(201).json();
    assert_eq!(told["grant_types"], json!(["authorization_code"]));
    assert_eq!(told["response_types"], json!(["code"]));
    assert_eq!(told["token_endpoint_auth_method"], "client_secret_basic");
    assert_eq!(told["client_name"], "a.example");
    assert!(told["scope"].as_str().unwrap().contains("openid") && told.get("tenant_id").is_none());
    assert!(!told["scope"].as_str().unwrap().contains("offline_access"), "it cannot refresh");
}

#[tokio::test]
async fn what_an_application_prefers_of_sign_ins_is_kept_and_given_back() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let preferred = json!({
        "default_max_age": 300, "require_auth_time": true, "default_acr_values": ["urn:svc:aal2", "phr"]
    });
    let registered = Registered::new(&site, &preferred).await;
    let read = registered.manage(Method::GET, None).await.expect(200).json();
    for (name, value) in preferred.as_object().unwrap() {
        assert_eq!((&registered.response[name], &read[name]), (value, value), "{name}");
    }
    let without = registered.metadata(&json!({}));
    let replaced = registered.manage(Method::PUT, Some(&without)).await.expect(200).json();
    assert!(replaced.get("default_max_age").is_none(), "{replaced}");
    assert!(replaced.get("default_acr_values").is_none(), "{replaced}");
    assert_eq!(replaced["require_auth_time"], false);
}

#[tokio::test]
async fn an_application_learns_how_it_gets_the_tokens_of_backchannel_authentication() {
    const CIBA: &str = "urn:openid:params:grant-type:ciba";
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    for (grant, mode) in [(CIBA, json!("poll")), ("refresh_token", json!(null))] {
        let asked = json!({
            "grant_types": ["authorization_code", grant], "backchannel_token_delivery_mode": "poll",
            "backchannel_authentication_request_signing_alg": "ES256",
        });
        let told = register(&site, None, &metadata(&asked)).await.expect(201).json();
        assert_eq!(told["backchannel_token_delivery_mode"], mode, "{grant}");
        assert_eq!(told["backchannel_authentication_request_signing_alg"], "ES256", "{grant}");
    }
}

#[tokio::test]
async fn an_empty_text_says_nothing() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let uris = ["https://a.example/cb"];
    let least = register(&site, None, &json!({ "redirect_uris": uris })).await.expect(201).json();
    let empty = json!({
        "redirect_uris": uris, "client_name": "", "application_type": "", "token_endpoint_auth_method": "",
        "scope": "", "client_uri": "", "logo_uri": "", "policy_uri": "", "tos_uri": "", "jwks_uri": "",
        "sector_identifier_uri": "", "initiate_login_uri": "", "software_id": "", "software_version": "",
    });
    let told = register(&site, None, &empty).await.expect(201).json();
    let members = |told: &serde_json::Value| told.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(members(&told), members(&least));
    for name in ["client_name", "application_type", "token_endpoint_auth_method", "scope"] {
        assert_eq!(told[name], least[name], "{name}");
    }
}

#[tokio::test]
async fn an_address_on_the_device_makes_a_native_application_where_no_type_is_said() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let registered = async |more: serde_json::Value| register(&site, None, &metadata(&more)).await;
    for (uri, kind) in [
        ("https://a.example/cb", "web"),
        ("http://127.0.0.1:33418/cb", "native"),
        ("http://localhost/cb", "native"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "native"),
        ("com.example.app:/cb", "native"),
    ] {
        let told = registered(json!({ "redirect_uris": [uri] })).await.expect(201).json();
        assert_eq!(told["application_type"], kind, "{uri}");
    }
    let said = json!({ "redirect_uris": ["http://localhost/cb"], "application_type": "web" });
    assert_eq!(registered(said).await.expect(201).json()["application_type"], "web");
    let said = json!({ "redirect_uris": ["cursor://a/cb"], "application_type": "web" });
    let _ = registered(said).await.expect_problem(400, "invalid_redirect_uri");
}

#[tokio::test]
async fn scopes_of_the_tenants_apis_are_given_and_those_of_the_management_api_never() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    site.api("https://notes.example", &["notes:read"]).await;
    let asked =
        metadata(&json!({ "scope": "openid notes:read users:write applications:write nothing:here" }));
    let told = register(&site, None, &asked).await.expect(201).json();
    assert_eq!(told["scope"], "notes:read openid");
    let mut all = asked;
    all.as_object_mut().unwrap().remove("scope");
    let told = register(&site, None, &all).await.expect(201).json();
    let scope = told["scope"].as_str().unwrap();
    assert!(scope.contains("notes:read") && !scope.contains("users:write"), "{scope}");
}

#[tokio::test]
async fn a_scope_that_an_api_of_the_tenant_shares_with_the_management_api_does_not_open_that() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (notes, management) = ("https://notes.example", site.tenant.api_audience());
    site.api(notes, &["users:read"]).await;
    let app = Registered::new(&site, &json!({ "scope": "openid users:read" })).await.client;
    let scope = ("scope", "openid users:read");
    let _ = par::push(&app, &[scope, ("resource", notes)]).await.expect(201);
    let refused = par::push(&app, &[scope, ("resource", management.as_str())]).await;
    let _ = refused.expect_problem(400, "invalid_scope");
}

#[tokio::test]
async fn an_application_learns_of_scopes_and_apis_after_it_has_registered() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let (notes, mail, ada) = ("https://notes.example", "https://mail.example", site.user("ada").await);
    site.api(notes, &["notes:read", "notes:write"]).await;
    let app = Registered::new(&site, &json!({ "scope": "openid notes:read" })).await.client;
    site.api(mail, &["mail:send"]).await;
    for (api, asked, given) in [
        (notes, "", "notes:read openid"),
        (notes, "notes:read notes:write", "notes:read notes:write"),
        (mail, "mail:send", "mail:send"),
    ] {
        let changes = [("scope", asked), ("resource", api)];
        let code = app.code_with(&mut site.browser(), &ada, &changes).await;
        assert_eq!(app.exchange(&code).await.expect(200).json()["scope"], given);
    }
    for (api, asked) in [(notes, "notes:read email"), (notes, "notes:read mail:send")] {
        let refused = par::push(&app, &[("scope", asked), ("resource", api)]).await;
        let _ = refused.expect_problem(400, "invalid_scope");
    }
}

#[tokio::test]
async fn an_application_for_which_no_one_is_asked_has_the_scopes_that_it_is_registered_with() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let notes = "https://notes.example";
    site.api(notes, &["notes:read", "notes:write"]).await;
    let app = Registered::new(&site, &json!({ "scope": "openid notes:read" })).await.client;
    administer(&h, &site, &app.id, (true, |configuration| configuration.first_party = true)).await;
    let _ = par::push(&app, &[("scope", "notes:read"), ("resource", notes)]).await.expect(201);
    let refused = par::push(&app, &[("scope", "notes:read notes:write"), ("resource", notes)]).await;
    let _ = refused.expect_problem(400, "invalid_scope");
}

#[tokio::test]
async fn discovery_names_the_endpoint_only_where_it_is() {
    for (settings, is_there) in [(vec![], false), (vec![OPEN], true), (vec![BY_TOKEN], true)] {
        let h = Harness::with(&settings).await;
        let site = h.tenant("main").await;
        let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
        let endpoint = document.get("registration_endpoint");
        assert_eq!(endpoint.is_some(), is_there);
        assert_eq!(document["subject_types_supported"], json!(["public", "pairwise"]));
        assert_eq!(register(&site, None, &metadata(&json!({}))).await.status == 404, !is_there);
        let one = call(&site, Method::GET, "/oauth/register/app_x", Some("x"), None).await;
        assert_eq!(one.status, if is_there { 401 } else { 404 });
    }
}

#[tokio::test]
async fn an_initial_access_token_registers_as_many_as_its_quota_and_none_after_its_end() {
    let h = Harness::with(&[BY_TOKEN]).await;
    let site = h.tenant("main").await;
    let other = h.tenant("other").await;
    let admin = site.mint(|_| ());
    let made = |quota: i64| json!({ "description": "CI", "quota": quota, "expires_in": 3600 });
    let created = site.call(Method::POST, "/api/v1/registration-tokens", Some(&admin), Some(made(2))).await;
    let token = created.expect(201).json()["token"].as_str().unwrap().to_owned();

    let _ = register(&site, None, &metadata(&json!({}))).await.expect_problem(401, "invalid_token");
    let _ = register(&site, Some("wrong"), &metadata(&json!({}))).await.expect_problem(401, "invalid_token");
    let _ = register(&other, Some(&token), &metadata(&json!({}))).await.expect_problem(401, "invalid_token");
    // What is refused for its content costs nothing.
    let _ = register(&site, Some(&token), &json!({})).await.expect_problem(400, "invalid_redirect_uri");
    for status in [201, 201, 401] {
        assert_eq!(register(&site, Some(&token), &metadata(&json!({}))).await.status, status);
    }
    let listed =
        site.call(Method::GET, "/api/v1/registration-tokens", Some(&admin), None).await.expect(200).json();
    assert_eq!((listed["data"][0]["used"].as_i64(), listed["data"][0].get("token")), (Some(2), None));

    let created = site.call(Method::POST, "/api/v1/registration-tokens", Some(&admin), Some(made(5))).await;
    let late = created.expect(201).json()["token"].as_str().unwrap().to_owned();
    h.advance(3600);
    let _ = register(&site, Some(&late), &metadata(&json!({}))).await.expect_problem(401, "invalid_token");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_initial_access_token_that_is_deleted_as_unused_registers_nothing_meanwhile() {
    let h = Harness::with(&[BY_TOKEN]).await;
    let site = h.tenant("main").await;
    let admin = site.mint(|_| ());
    for _ in 0..8 {
        let new = json!({ "description": "CI", "quota": 5, "expires_in": 3600 });
        let made = site.call(Method::POST, "/api/v1/registration-tokens", Some(&admin), Some(new)).await;
        let made = made.expect(201);
        let (document, unused) = (made.json(), ("if-match", made.header("etag")));
        let path = format!("/api/v1/registration-tokens/{}", document["id"].as_str().unwrap());
        let wanted = metadata(&json!({}));
        let (registered, deleted) = tokio::join!(
            register(&site, document["token"].as_str(), &wanted),
            site.call_with(Method::DELETE, &path, &admin, unused, json!(null)),
        );
        let answered = (registered.status, deleted.status);
        assert!([(201, 409), (401, 204)].contains(&answered), "{answered:?}");
    }
}

#[tokio::test]
async fn who_may_not_register_makes_us_call_no_address_and_learns_no_rule() {
    let h = Harness::with(&[BY_TOKEN, LOOPBACK]).await;
    let site = h.tenant("main").await;
    let publisher = Publisher::start().await;
    publisher.publish("/sector", &json!(["https://notebook.example/callback"]), 0);
    let wanted = metadata(&json!({ "sector_identifier_uri": publisher.url("/sector") }));
    let made = json!({ "description": "CI", "quota": 1, "expires_in": 3600 });
    let admin = site.mint(|_| ());
    let created = site.call(Method::POST, "/api/v1/registration-tokens", Some(&admin), Some(made)).await;
    let token = created.expect(201).json()["token"].as_str().unwrap().to_owned();
    for body in [&wanted, &metadata(&json!({ "grant_types": ["password"] })), &json!([])] {
        for presented in [None, Some("guess")] {
            let _ = register(&site, presented, body).await.expect_problem(401, "invalid_token");
        }
    }
    assert_eq!(publisher.fetched("/sector"), 0);
    let _ = register(&site, Some(&token), &wanted).await.expect(201);
    assert_eq!(publisher.fetched("/sector"), 1);
    // Nor does one whose token is used up.
    let _ = register(&site, Some(&token), &wanted).await.expect_problem(401, "invalid_token");
    assert_eq!(publisher.fetched("/sector"), 1);
}

#[tokio::test]
async fn a_quota_bounds_what_is_registered_openly_and_not_used() {
    let h = Harness::with(&[OPEN, ("SVC_OIDC__DYNAMIC_REGISTRATION_QUOTA", "2")]).await;
    let site = h.tenant("main").await;
    let first = Registered::new(&site, &json!({})).await;
    Registered::new(&site, &json!({})).await;
    let _ = register(&site, None, &metadata(&json!({}))).await.expect_problem(429, "rate_limited");
    let person = site.user("ada").await;
    first.client.tokens(&person).await;
    Registered::new(&site, &json!({})).await;
    let _ = register(&site, None, &metadata(&json!({}))).await.expect_problem(429, "rate_limited");
    assert_eq!(
        register(&h.tenant("other").await, None, &metadata(&json!({}))).await.status,
        201,
        "each tenant has its own"
    );
}

#[tokio::test]
async fn registrations_at_once_do_not_outrun_the_quota() {
    let h = Harness::with(&[OPEN, ("SVC_OIDC__DYNAMIC_REGISTRATION_QUOTA", "3")]).await;
    let site = h.tenant("main").await;
    let wanted = metadata(&json!({}));
    let answers = join_all((0..20).map(|_| register(&site, None, &wanted))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (3, 17));
    for answer in refused {
        let _ = answer.expect_problem(429, "rate_limited");
    }
}

#[tokio::test]
async fn an_address_registers_as_often_as_the_configuration_says() {
    let h = Harness::with(&[
        OPEN,
        ("SVC_OIDC__DYNAMIC_REGISTRATION_RATE_LIMIT_MAX", "2"),
        ("SVC_OIDC__DYNAMIC_REGISTRATION_RATE_LIMIT_WINDOW_SECS", "60"),
    ])
    .await;
    let site = h.tenant("main").await;
    for status in [201, 201, 429] {
        assert_eq!(register(&site, None, &metadata(&json!({}))).await.status, status);
    }
    h.advance(59);
    assert_eq!(register(&site, None, &metadata(&json!({}))).await.header("retry-after"), "1");
    h.advance(1);
    let _ = register(&site, None, &metadata(&json!({}))).await.expect(201);
}

#[tokio::test]
async fn an_unused_application_is_deleted_after_thirty_days() {
    let h = Harness::with(&[OPEN]).await;
    let site = h.tenant("main").await;
    let person = site.user("ada").await;
    let (unused, used) = (Registered::new(&site, &json!({})).await, Registered::new(&site, &json!({})).await);
    used.client.tokens(&person).await;
    let own = site.app("own").await;
    h.advance(30 * 86_400 - 1);
    h.run_jobs().await;
    assert_eq!(unused.manage(Method::GET, None).await.status, 200);
    h.advance(301);
    h.run_jobs().await;
    let _ = unused.manage(Method::GET, None).await.expect_problem(401, "invalid_token");
    let form = [("grant_type", "refresh_token"), ("refresh_token", "x")];
    let _ = unused.client.token(&form, &[]).await.expect_problem(401, "invalid_client");
    let _ = used.client.token(&form, &[]).await.expect_problem(400, "invalid_grant");
    let _ = own.token(&form, &[]).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn what_an_administrator_made_of_an_application_does_not_hide_that_it_is_used() {
    let h = Harness::with(&[OPEN]).await;
    let (site, own) = (h.tenant("main").await, [("grant_type", "client_credentials")]);
    let person = site.user("ada").await;
    let (trusted, machine) =
        (Registered::new(&site, &json!({})).await, Registered::new(&site, &json!({})).await);
    let unused = Registered::new(&site, &json!({})).await;
    for app in [&trusted, &unused] {
        administer(&h, &site, &app.client.id, (true, |app| app.first_party = true)).await;
    }
    let give = |app: &mut Configuration| app.grant_types.push("client_credentials".to_owned());
    administer(&h, &site, &machine.client.id, (true, give)).await;
    trusted.client.tokens(&person).await;
    let _ = machine.client.token(&own, &[]).await.expect(200);
    h.advance(30 * 86_400);
    h.run_jobs().await;
    h.advance(301);
    h.run_jobs().await;
    let _ = unused.manage(Method::GET, None).await.expect_problem(401, "invalid_token");
    for used in [trusted, machine] {
        let _ = used.manage(Method::GET, None).await.expect(200);
    }
}

#[tokio::test]
async fn the_use_of_an_application_that_registered_itself_is_noted_with_its_first_token_alone() {
    let h = Harness::in_one_process(&[OPEN]).await;
    let (site, own) = (h.tenant("main").await, [("grant_type", "client_credentials")]);
    let machine = Registered::new(&site, &json!({})).await;
    let give = |app: &mut Configuration| app.grant_types.push("client_credentials".to_owned());
    administer(&h, &site, &machine.client.id, (true, give)).await;
    let _ = machine.client.token(&own, &[]).await.expect(200);
    let before = h.app().db.counts();
    let _ = machine.client.token(&own, &[]).await.expect(200);
    assert_eq!(h.app().db.counts(), before);
}
