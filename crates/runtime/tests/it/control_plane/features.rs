//! What operators switch off for the whole deployment while it runs, and on again.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Desk, Operator, PLANS, operator_of};
use crate::changes::left_by;
use crate::harness::{Answer, Harness, Site};
use crate::webhooks::{Subscription, suspend, with_receiver};

const FEATURES: &str = "/api/v1/control-plane/features";

impl Desk<'_> {
    async fn switch(&self, name: &str, body: Value) -> Answer {
        self.call(Method::PUT, &format!("{FEATURES}/{name}"), Some(body)).await
    }

    async fn feature(&self, name: &str) -> Value {
        let listed = self.call(Method::GET, FEATURES, None).await.expect(200).json();
        let features = listed["features"].as_array().unwrap();
        features.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    }
}

async fn webhooks(site: &Site<'_>) -> u16 {
    site.call(Method::GET, "/api/v1/webhooks", Some(&site.mint(|_| ())), None).await.status
}

async fn has_device_endpoint(site: &Site<'_>) -> bool {
    let found = site.get("/.well-known/openid-configuration").await.expect(200).json();
    found.get("device_authorization_endpoint").is_some()
}

#[tokio::test]
async fn what_an_operator_switches_off_is_gone_for_every_tenant_until_it_is_switched_on() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let desk = Desk::of(&site).await;
    assert!(webhooks(&acme).await == 200 && has_device_endpoint(&acme).await);
    let off = json!({ "enabled": false, "reason": "Abused since this morning" });
    let [actions, events] = left_by(&h, desk.switch("webhooks", off.clone())).await;
    assert_eq!((actions, events), (vec!["feature.switched".to_owned()], vec![]));
    let _ = desk.switch("device", json!({ "enabled": false })).await.expect(200);
    for tenant in [&site, &acme] {
        assert!(webhooks(tenant).await == 404 && !has_device_endpoint(tenant).await);
    }
    let shown = desk.feature("webhooks").await;
    assert_eq!((&shown["enabled"], &shown["switched_off"]["reason"]), (&json!(false), &off["reason"]));
    let settings = desk.operator.call(&desk.token, Method::GET, "/api/v1/control-plane/settings", None).await;
    let settings = settings.expect(200).json();
    let capability =
        settings["capabilities"].as_array().unwrap().iter().find(|one| one["name"] == "webhooks");
    assert_eq!(capability.unwrap()["enabled"], json!(false));
    for name in ["webhooks", "device"] {
        let on = desk.switch(name, json!({ "enabled": true })).await.expect(200).json();
        assert_eq!(on, json!({ "name": name, "enabled": true, "switched_off": null }));
    }
    assert!(webhooks(&acme).await == 200 && has_device_endpoint(&acme).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_capabilities_that_are_switched_at_once_none_is_refused_and_none_is_forgotten() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    for number in 0..8 {
        let enabled = number % 2 == 1;
        let (webhooks, device) = tokio::join!(
            desk.switch("webhooks", json!({ "enabled": enabled })),
            desk.switch("device", json!({ "enabled": enabled })),
        );
        let _ = (webhooks.expect(200), device.expect(200));
        for name in ["webhooks", "device"] {
            assert_eq!(desk.feature(name).await["enabled"], json!(enabled), "{name}");
        }
    }
}

#[tokio::test]
async fn a_switch_opens_nothing_that_another_level_goes_without() {
    let h = Harness::with(&[("SVC_SIWE__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let on = desk.switch("siwe", json!({ "enabled": true })).await.expect(200).json();
    assert_eq!(on, json!({ "name": "siwe", "enabled": false, "switched_off": null }));
    let acme = h.tenant("acme").await;
    let token = acme.mint(|_| ());
    let without = json!({ "settings": { "disabled_capabilities": ["webhooks"] } });
    let _ =
        acme.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(without)).await.expect(200);
    for enabled in [false, true] {
        let _ = desk.switch("webhooks", json!({ "enabled": enabled })).await.expect(200);
        assert_eq!(webhooks(&acme).await, 404);
    }
    assert_eq!(webhooks(&site).await, 200);
}

#[tokio::test]
async fn what_waits_for_a_capability_goes_out_when_it_is_switched_on_again() {
    let (h, server) = with_receiver().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let desk = Desk::of(&site).await;
    let webhook = Subscription::new(&acme, &server.url("/events"), "tenant_user.suspended").await;
    server.answer_with("/events", "503 Service Unavailable", "");
    suspend(&acme, "ada").await;
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1);
    server.answer_with("/events", "204 No Content", "");
    let _ = desk.switch("webhooks", json!({ "enabled": false })).await.expect(200);
    suspend(&acme, "bob").await;
    for _ in 0..3 {
        h.advance(600);
        h.run_jobs().await;
    }
    assert_eq!(server.fetched("/events"), 1);
    // The operator's first token has ended by now.
    let desk = Desk { token: desk.operator.token().await, ..desk };
    let _ = desk.switch("webhooks", json!({ "enabled": true })).await.expect(200);
    h.advance(600);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 3);
    let states: Vec<_> =
        webhook.deliveries(&acme).await.iter().map(|delivery| delivery["state"].clone()).collect();
    assert_eq!(states, ["delivered", "delivered"]);
}

#[tokio::test]
async fn a_switch_keeps_its_time_while_its_reason_changes_and_the_same_again_changes_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let off = |reason: &str| json!({ "enabled": false, "reason": reason });
    let first = desk.switch("ciba", off("one")).await.expect(200);
    h.advance(60);
    let same = desk.switch("ciba", off("one")).await.expect(200);
    assert_eq!((first.json(), first.header("etag")), (same.json(), same.header("etag")));
    let other = desk.switch("ciba", off("two")).await.expect(200);
    assert_ne!(other.header("etag"), first.header("etag"));
    let (first, other) = (first.json(), other.json());
    assert_eq!(other["switched_off"]["since"], first["switched_off"]["since"]);
    assert_eq!(other["switched_off"]["reason"], "two");
}

#[tokio::test]
async fn what_would_lock_operators_out_or_is_no_capability_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let off = json!({ "enabled": false });
    for needed in ["control_plane", "password"] {
        let _ = desk.switch(needed, off.clone()).await.expect_problem(409, "conflict");
    }
    let _ = desk.switch("telepathy", off.clone()).await.expect_problem(404, "not_found");
    let long = json!({ "enabled": false, "reason": "x".repeat(501) });
    let _ = desk.switch("ciba", long).await.expect_problem(400, "bad_request");
    let _ = desk.switch("ciba", json!({ "reason": "x" })).await.expect_problem(400, "bad_request");
    let ada = Operator { person: site.user("ada").await, ..operator_of(&desk.operator) };
    let grant = format!("/api/v1/control-plane/operators/{}", ada.person.id);
    let viewer = json!({ "role": "tenant_manager" });
    let _ = desk.operator.call(&desk.token, Method::PUT, &grant, Some(viewer)).await.expect(204);
    let theirs = ada.token().await;
    let _ = ada.call(&theirs, Method::GET, FEATURES, None).await.expect(200);
    let _ = ada.call(&theirs, Method::GET, PLANS, None).await.expect(200);
    let refused = ada.call(&theirs, Method::PUT, &format!("{FEATURES}/ciba"), Some(off)).await;
    let _ = refused.expect_problem(403, "forbidden");
    assert_eq!(desk.feature("ciba").await["enabled"], json!(true));
}
