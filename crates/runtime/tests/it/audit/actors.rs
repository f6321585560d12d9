//! Who acted, by which key or through which delegation, and what became of the record.

use serde_json::{Value, json};
use svc_http::Method;

use super::read;
use crate::harness::{Harness, Site};

async fn newest(site: &Site<'_>, action: &str) -> Value {
    read(site, &format!("?action={action}&limit=1")).await.expect(200).json()["data"][0].clone()
}

#[tokio::test]
async fn a_change_tells_what_each_field_was_and_is() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    h.advance(1);
    let token = site.mint(|_| ());
    let body = json!({ "name": "editor", "description": "Writes" });
    let role = site.call(Method::POST, "/api/v1/roles", Some(&token), Some(body)).await.expect(201).json();
    let path = format!("/api/v1/roles/{}", role["id"].as_str().unwrap());
    let made = newest(&site, "role.created").await;
    assert_eq!(made["detail"]["changes"]["name"], json!({ "before": null, "after": "editor" }));
    let body = json!({ "description": "Reads" });
    let _ = site.call(Method::PATCH, &path, Some(&token), Some(body)).await.expect(200);
    let changed = newest(&site, "role.updated").await;
    let expected = json!({ "description": { "before": "Writes", "after": "Reads" } });
    assert_eq!((&changed["target"], &changed["detail"]["changes"]), (&role["id"], &expected));
    let _ = site.call(Method::DELETE, &path, Some(&token), None).await.expect(204);
    let deleted = newest(&site, "role.deleted").await;
    assert_eq!(deleted["detail"]["changes"]["description"], json!({ "before": "Reads", "after": null }));
}

#[tokio::test]
async fn a_secret_is_in_no_entry() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let body = json!({ "name": "Backend", "grant_types": ["client_credentials"] });
    let made =
        site.call(Method::POST, "/api/v1/applications", Some(&token), Some(body)).await.expect(201).json();
    let secret = made["client_secret"].as_str().unwrap();
    let log = read(&site, "?limit=200").await.expect(200).body;
    assert!(log.contains(made["id"].as_str().unwrap()) && !log.contains(secret), "{log}");
}

#[tokio::test]
async fn what_is_done_with_a_key_names_the_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    h.advance(1);
    let body = json!({ "name": "import", "scope": "roles:read roles:write" });
    let token = site.mint(|_| ());
    let key = site.call(Method::POST, "/api/v1/api-keys", Some(&token), Some(body)).await.expect(201).json();
    let body = json!({ "name": "editor" });
    let _ = site.call(Method::POST, "/api/v1/roles", key["key"].as_str(), Some(body)).await.expect(201);
    let entry = newest(&site, "role.created").await;
    assert_eq!((&entry["actor_kind"], &entry["actor_id"]), (&json!("api_key"), &key["id"]));
}

#[tokio::test]
async fn what_is_done_for_another_person_names_who_acted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let act = json!({ "sub": "agent-7", "act": { "sub": "orchestrator" } });
    let token = site.mint(|claims| {
        claims["sub"] = json!("ada");
        claims["subject_type"] = json!("human");
        claims["act"] = act.clone();
    });
    let refused = site.call(Method::GET, "/api/v1/roles", Some(&token), None).await;
    assert_eq!(refused.status, 403, "the management API takes no delegated token: {refused:?}");
    let entry = newest(&site, "access.refused").await;
    assert_eq!((&entry["actor_kind"], &entry["actor_id"]), (&json!("delegate"), &json!("ada")));
    assert_eq!(entry["detail"]["act"], act);
}

#[tokio::test]
async fn who_would_give_more_than_they_hold_leaves_one_entry_for_each_call_that_says_what() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|claims| claims["scope"] = json!("roles:read roles:write audit:read"));
    let permissions = json!([{ "api": site.tenant.api_audience(), "scopes": ["webhooks:write"] }]);
    let body = json!({ "name": "editor", "permissions": permissions });
    let path = "/api/v1/roles";
    let refused = site.call(Method::POST, path, Some(&token), Some(body.clone())).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
    for _ in 0..2 {
        let key = ("idempotency-key", "editor-1");
        let refused = site.call_with(Method::POST, path, &token, key, body.clone()).await;
        let _ = refused.expect_problem(403, "insufficient_scope");
    }
    let log = read(&site, "?action=access.refused").await.expect(200).json();
    let entries = log["data"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "the answer that was kept for a retry refuses nothing: {log}");
    for entry in entries {
        let told = (&entry["target"], &entry["outcome"], &entry["actor_id"], &entry["detail"]["method"]);
        assert_eq!(told, (&json!("privileges:grant"), &json!("denied"), &json!("minted"), &json!("POST")));
        let cause = entry["detail"]["cause"].as_str().unwrap();
        assert!(cause.starts_with("permissions: webhooks:write: "), "{entry}");
    }
}

#[tokio::test]
async fn a_client_that_fails_to_authenticate_is_recorded_and_a_thousand_times_fill_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    for _ in 0..30 {
        let form = [("grant_type", "client_credentials"), ("client_secret", "wrong")];
        let _ = client.token(&form, &[("client_secret", "wrong")]).await.expect(401);
    }
    let log = read(&site, "?action=client.authentication_failed").await.expect(200).json();
    let entries = log["data"].as_array().unwrap();
    let mut counts: Vec<_> = entries.iter().map(|entry| entry["detail"]["count"].as_i64()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [Some(1), Some(10)]);
    assert!(entries.iter().all(|entry| entry["outcome"] == "denied"), "{log}");
}
