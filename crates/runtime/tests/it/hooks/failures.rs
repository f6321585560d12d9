//! What is no answer of a hook: with each, `on_failure` says what happens.

use serde_json::json;
use svc_db::{SystemSql, args};
use svc_http::Method;

use super::{NOTES, answer, asked, call, entries, hook, with_receiver};
use crate::harness::publisher::Publisher;
use crate::harness::{Client, Site};
use crate::oauth_security::keys_of_tenants::destroy;

/// Paths of the receiver, each with another fault.
fn faults(server: &Publisher) -> Vec<&'static str> {
    let json = "200 OK\r\ncontent-type: application/json";
    let reserved = json!({ "verdict": "allow", "claims": { "access_token": { "sub": "root" } } });
    answer(server, "/reserved", &reserved);
    answer(server, "/large", &json!({ "verdict": "allow", "message": "x".repeat(1 << 20) }));
    server.answer_with("/bad", json, "{\"verdict\":");
    server.answer_with("/empty", json, "");
    server.answer_with("/error", "500 Oops", "{\"verdict\":\"allow\"}");
    server.answer_with("/created", "201 Created", "{\"verdict\":\"allow\"}");
    let elsewhere = format!("302 Found\r\nlocation: {}", server.url("/allow"));
    server.answer_with("/redirect", &elsewhere, "{\"verdict\":\"allow\"}");
    answer(server, "/hanging", &json!({ "verdict": "allow" }));
    server.answer_after("/hanging", "/never");
    vec!["/reserved", "/large", "/bad", "/empty", "/error", "/created", "/redirect", "/hanging", "/absent"]
}

async fn own_status(web: &Client<'_>) -> u16 {
    let form = [("grant_type", "client_credentials"), ("resource", NOTES)];
    web.token(&form, &[]).await.status
}

#[tokio::test]
async fn each_fault_refuses_or_allows_as_the_tenant_has_said() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    let made = hook(&site, &server, "/allow", json!({})).await;
    assert_eq!(own_status(&web).await, 200);
    let allowed = server.requests("/allow").len();
    for path in faults(&server) {
        for (on_failure, status) in [("deny", 503), ("allow", 200)] {
            // So little time only for what is to fail: a busy machine may need more for an answer.
            let change = json!({ "url": server.url(path), "on_failure": on_failure, "timeout_millis": 300 });
            let _ = call(&site, Method::PATCH, &made.path, Some(change)).await.expect(200);
            let _ = h.informed_app().await;
            assert_eq!(own_status(&web).await, status, "{path} {on_failure}");
        }
    }
    assert_eq!(server.requests("/allow").len(), allowed, "no redirect is followed");
    let denied = entries(&site, "hook.denied").await;
    assert!(
        !denied.is_empty() && denied.iter().all(|entry| entry["detail"]["reason"] == "fault"),
        "{denied:?}"
    );
}

#[tokio::test]
async fn an_address_that_has_become_private_is_not_called() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    hook(&site, &server, "/allow", json!({})).await;
    put_address(&site, "https://10.0.0.1/hook").await;
    assert_eq!(own_status(&web).await, 503);
    assert!(server.requests("/allow").is_empty());
}

/// Writes an address that the API refuses into the row, as if the rules had been others then.
async fn put_address(site: &Site<'_>, url: &str) {
    let mut tx = site.harness.app().db.begin_system().await.unwrap();
    let configuration = json!({ "point": "pre_token", "url": url, "on_failure": "deny" }).to_string();
    let update = SystemSql::new("UPDATE hooks SET configuration = $1");
    tx.execute(update, args![configuration]).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_secret_whose_key_was_destroyed_is_a_fault_until_it_is_replaced() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    let made = hook(&site, &server, "/allow", json!({})).await;
    assert_eq!(own_status(&web).await, 200);
    assert!(destroy(&h, site.tenant.id).await >= 1);
    for (on_failure, status) in [("allow", 200), ("deny", 503)] {
        let change = json!({ "on_failure": on_failure });
        let _ = call(&site, Method::PATCH, &made.path, Some(change)).await.expect(200);
        let _ = h.informed_app().await;
        assert_eq!(own_status(&web).await, status, "{on_failure}");
    }
    assert_eq!(server.requests("/allow").len(), 1, "nothing is sent that cannot be signed");
    let rotate = format!("{}/secret", made.path);
    let replaced = call(&site, Method::POST, &rotate, None).await.expect(200).json();
    let _ = h.informed_app().await;
    assert_eq!(own_status(&web).await, 200);
    asked(&server.requests("/allow")[1], &[replaced["secret"].as_str().unwrap()]);
}

#[tokio::test]
async fn all_hooks_together_have_the_time_of_the_configuration() {
    let server = Publisher::start().await;
    answer(&server, "/hanging", &json!({ "verdict": "allow" }));
    server.answer_after("/hanging", "/never");
    answer(&server, "/allow", &json!({ "verdict": "allow" }));
    let settings = [super::LOOPBACK, ("SVC_HOOKS__TIMEOUT_MILLIS", "300")];
    let h = super::Harness::with(&settings).await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    hook(&site, &server, "/hanging", json!({ "on_failure": "allow" })).await;
    hook(&site, &server, "/allow", json!({ "order": 1 })).await;
    let _ = h.informed_app().await;
    // The first one has used the time of the second.
    assert_eq!(own_status(&web).await, 503);
    assert!(server.requests("/allow").is_empty());
}

#[tokio::test]
async fn a_fault_has_spent_nothing() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let (spa, ada) = (site.public_app("spa").await, site.user("ada").await);
    server.answer_with("/hook", "500 Oops", "");
    hook(&site, &server, "/hook", json!({})).await;
    let code = spa.code(&ada).await;
    let refused = spa.exchange(&code).await.expect_problem(503, "temporarily_unavailable");
    assert_eq!(refused.header("retry-after"), "1");
    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    let tokens = spa.exchange(&code).await.expect(200).json();
    server.answer_with("/hook", "500 Oops", "");
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let _ = spa.refresh(refresh_token).await.expect_problem(503, "temporarily_unavailable");
    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    let _ = spa.refresh(refresh_token).await.expect(200);
}
