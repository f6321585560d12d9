//! What people and clients hold goes on to work after a restart, on any node of the deployment, and only there.

use serde_json::json;
use svc_core::SeededEntropy;
use svc_db::{SystemSql, args};
use svc_domain::apis::management::{self, MANAGEMENT};
use svc_domain::apps;
use svc_http::{Body, Method, Request};
use svc_keys::{Algorithm, Versions};

use crate::apply::apply_text;
use crate::harness::browser::Form;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Harness, START, Site};

fn there<'h>(site: &Site<'_>, harness: &'h Harness) -> Site<'h> {
    Site { harness, tenant: site.tenant.clone(), host: site.host.clone() }
}

fn application<'h>(client: &Client<'_>, site: &Site<'h>) -> Client<'h> {
    Client {
        site: site.clone(),
        id: client.id.clone(),
        secret: client.secret.clone(),
        configuration: client.configuration.clone(),
    }
}

async fn create(site: &Site<'_>, token: &str, key: &str) -> Answer {
    let body = json!({ "identifier": "https://notes.example", "name": "Notes" });
    let request = Request::post("/api/v1/apis")
        .header("host", &site.host)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("idempotency-key", key);
    site.harness.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn a_sign_in_page_that_was_open_during_a_restart_goes_on() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let verifier = app.verifier();
    let page = browser.get(&app.authorize_path(&verifier, &[])).await.expect(200);
    let restarted = h.restarted().await;
    let site = there(&site, &restarted);
    let mut browser = Browser { site: site.clone(), cookies: browser.cookies };
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let answer = browser.submit(&page, &fields).await;
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("{answer:?}"));
    let code = crate::harness::Code { code, verifier };
    let _ = application(&app, &site).exchange(&code).await.expect(200);
}

#[tokio::test]
async fn a_page_of_another_keyring_is_refused() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
    h.app().services.keyring.replace(Versions::first(&SeededEntropy::new(99), START));
    assert!(!Form::of(&page).hidden.is_empty());
    let _ = browser.submit(&page, &[("username", "ada"), ("password", "x")]).await.expect(403);
}

#[tokio::test]
async fn a_retried_write_is_answered_as_before_after_a_restart() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let first = create(&site, &token, "k1").await.expect(201);
    let restarted = h.restarted().await;
    let again = create(&there(&site, &restarted), &token, "k1").await.expect(201);
    assert_eq!((again.body.as_str(), again.header("idempotency-replayed")), (first.body.as_str(), "true"));
}

#[tokio::test]
async fn a_kept_response_that_does_not_open_counts_as_not_kept() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let _ = create(&site, &token, "k1").await.expect(201);
    let mut tx = h.app().db.begin_system().await.unwrap();
    let spoil = SystemSql::new("UPDATE idempotency_keys SET response = $1");
    tx.execute(spoil, args![vec![2u8, 0, 0, 0, 9, 1, 2, 3]]).await.unwrap();
    tx.commit().await.unwrap();
    // The call is made again, and finds that the identifier is taken: a refusal of its own, and no failure of ours.
    let again = create(&site, &token, "k1").await.expect_problem(409, "conflict");
    assert_eq!(again.header("idempotency-replayed"), "");
    let third = create(&site, &token, "k1").await.expect(409);
    assert_eq!(third.header("idempotency-replayed"), "true", "the new response is kept");
}

#[tokio::test]
async fn a_cursor_leads_on_after_a_restart() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for name in ["a", "b", "c"] {
        site.app(name).await;
    }
    let token = site.mint(|_| ());
    let page = site.call(Method::GET, "/api/v1/applications?limit=2", Some(&token), None).await.expect(200);
    let cursor = page.json()["next_cursor"].as_str().unwrap().to_owned();
    let restarted = h.restarted().await;
    let path = format!("/api/v1/applications?limit=2&cursor={cursor}");
    let rest = there(&site, &restarted).call(Method::GET, &path, Some(&token), None).await.expect(200).json();
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &json!(null)));
}

#[tokio::test]
async fn restarts_make_no_keys() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let before = site.get("/.well-known/jwks.json").await.expect(200).body;
    for _ in 0..3 {
        let restarted = h.restarted().await;
        restarted.run_jobs().await;
        assert_eq!(there(&site, &restarted).get("/.well-known/jwks.json").await.expect(200).body, before);
    }
}

#[tokio::test]
async fn an_okp_key_is_published_where_an_application_of_the_tenant_asks_for_it() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let has_okp = |answer: Answer| {
        let keys = answer.json()["keys"].as_array().unwrap().clone();
        keys.iter().any(|key| key["kty"] == "OKP")
    };
    assert!(!has_okp(site.get("/.well-known/jwks.json").await));
    let ada = site.user("ada").await;
    let app = site.app_with("ed", |app| app.id_token_signed_response_alg = Some(Algorithm::EdDsa)).await;
    h.advance(1);
    h.run_jobs().await;
    assert!(has_okp(site.get("/.well-known/jwks.json").await));
    assert!(!has_okp(other.get("/.well-known/jwks.json").await), "no other tenant is concerned");
    let tokens = app.tokens(&ada).await;
    let jws = svc_keys::Jws::parse(tokens.id_token(), &[Algorithm::EdDsa]).unwrap();
    let jwks = site.get("/.well-known/jwks.json").await.json();
    assert!(jwks["keys"].as_array().unwrap().iter().any(|key| key["kid"] == jws.kid().unwrap()));
}

#[tokio::test]
async fn an_okp_key_stays_as_long_as_what_it_has_signed_after_no_application_asks_for_it() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let app = site.app_with("ed", |app| app.id_token_signed_response_alg = Some(Algorithm::EdDsa)).await;
    h.advance(1);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let stored = apps::find(&mut tx, app.id.parse().unwrap()).await.unwrap().unwrap();
    let configuration =
        apps::Configuration { id_token_signed_response_alg: None, ..stored.configuration.clone() };
    let change = apps::Change { configuration: &configuration, enabled: true };
    assert!(apps::update(&mut tx, &h.operator(), h.rules(), &stored, change).await.unwrap());
    tx.commit().await.unwrap();
    for (later, is_there) in [(1, true), (86_398, true), (2, false)] {
        h.advance(later);
        h.run_jobs().await;
        let jwks = site.get("/.well-known/jwks.json").await.expect(200).json();
        let keys = jwks["keys"].as_array().unwrap();
        assert_eq!(keys.iter().any(|key| key["kty"] == "OKP"), is_there, "{jwks}");
    }
}

#[tokio::test]
async fn the_key_set_of_a_deployment_that_signs_with_eddsa_has_it_everywhere() {
    let h = Harness::with(&[("SVC_JWT__DEFAULT_ALGORITHM", "EdDSA")]).await;
    let jwks = h.tenant("main").await.get("/.well-known/jwks.json").await.json();
    assert!(jwks["keys"].as_array().unwrap().iter().any(|key| key["kty"] == "OKP"));
}

#[tokio::test]
async fn an_okp_key_stays_as_long_as_what_it_has_signed_after_the_deployment_signs_otherwise() {
    let h = Harness::in_one_process(&[("SVC_JWT__DEFAULT_ALGORITHM", "EdDSA")]).await;
    let site = h.tenant("main").await;
    let restarted = h.restarted_with(&[("SVC_JWT__DEFAULT_ALGORITHM", "ES256")]).await;
    let site = there(&site, &restarted);
    for (later, is_there) in [(1, true), (86_398, true), (86_400, false)] {
        restarted.advance(later);
        restarted.run_jobs().await;
        let jwks = site.get("/.well-known/jwks.json").await.expect(200).json();
        let keys = jwks["keys"].as_array().unwrap();
        assert_eq!(keys.iter().any(|key| key["kty"] == "OKP"), is_there, "{jwks}");
    }
}

/// The deployment at another address.
const MOVED: &[(&str, &str)] = &[
    ("SVC_OIDC__ISSUER_URL", "https://login.test"),
    ("SVC_SERVER__BASE_DOMAIN", "login.test"),
    ("SVC_SERVER__ALLOWED_HOSTS", r#"["login.test", "*.login.test"]"#),
];

/// The tenant as a file has it.
const THE_TENANT: &str =
    "[[tenant]]\nslug = 'main'\nname = 'Tenant main'\nsettings = { registration = true }\n";

async fn moved<'h>(harness: &'h Harness) -> Site<'h> {
    let host = "login.test".to_owned();
    let tenant = harness.app().services.tenants.at_host(&host).await.unwrap();
    assert_eq!(tenant.issuer, "https://login.test");
    Site { harness, tenant, host }
}

#[tokio::test]
async fn the_management_api_goes_on_under_another_issuer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let admin = site.user_with_roles("ada", &[management::ADMIN]).await;
    let before = site.tenant.api_audience();
    let app = site.app_with("console", |app| app.audience = Some(MANAGEMENT.to_owned())).await;
    let changes = [("scope", "openid offline_access apis:read"), ("resource", before.as_str())];
    let code = app.code_with(&mut site.browser(), &admin, &changes).await;
    let refresh_token = app.exchange(&code).await.expect(200).json()["refresh_token"].clone();
    let restarted = h.restarted_with(MOVED).await;
    let site = moved(&restarted).await;
    let (app, audience) = (application(&app, &site), "https://login.test/api");
    assert!(!app.own_token("apis:read", audience).await.is_empty());
    let refreshed = app.refresh(refresh_token.as_str().unwrap()).await.expect(200).json();
    let usual = app.token(&[("grant_type", "client_credentials"), ("scope", "apis:read")], &[]).await;
    for response in [refreshed, usual.expect(200).json()] {
        let token = response["access_token"].as_str().unwrap();
        assert_eq!(claims(token)["aud"], audience);
        let listed = site.call(Method::GET, "/api/v1/apis", Some(token), None).await.expect(200).json();
        assert_eq!(listed["data"][0]["identifier"], audience);
    }
    for gone in [before.as_str(), MANAGEMENT] {
        let form = [("grant_type", "client_credentials"), ("scope", "apis:read"), ("resource", gone)];
        let _ = app.token(&form, &[]).await.expect_problem(400, "invalid_target");
    }
    assert!(apply_text(&restarted, THE_TENANT).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn a_management_api_that_an_earlier_version_stored_works_and_gets_its_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, audience) = (site.app("console").await, site.tenant.api_audience());
    let mut tx = h.app().db.begin_system().await.unwrap();
    let earlier = SystemSql::new("UPDATE apis SET identifier = $1");
    tx.execute(earlier, args![&audience]).await.unwrap();
    tx.commit().await.unwrap();
    let restarted = h.restarted().await;
    let app = application(&app, &there(&site, &restarted));
    let works = async || {
        let token = app.own_token("apis:read", &audience).await;
        let listed = app.site.call(Method::GET, "/api/v1/apis", Some(&token), None).await.expect(200).json();
        assert_eq!(listed["data"][0]["identifier"], *audience);
    };
    works().await;
    let outcome = apply_text(&restarted, THE_TENANT).await.unwrap();
    assert!(outcome.to_string().contains(MANAGEMENT), "{outcome}");
    works().await;
    assert!(apply_text(&restarted, THE_TENANT).await.unwrap().is_unchanged());
}
