//! What plans bound: each kind of records, at the number that the plan says.

use serde_json::{Value, json};
use svc_domain::tenancy::quotas::Quota;
use svc_http::Method;

use super::{Desk, PLANS, TENANTS};
use crate::harness::Harness;

#[tokio::test]
async fn every_kind_of_records_is_bounded_by_the_plan() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (desk, acme) = (Desk::of(&site).await, h.tenant("acme").await);
    let (token, ada) = (acme.mint(|_| ()), acme.user("ada").await);
    let target = json!({ "name": "Wiki", "base_url": "https://wiki.example/scim", "people": { "everyone": true }, "secret": "token-of-the-wiki-9c1e" });
    let wanted = [
        (
            "applications",
            "applications",
            json!({ "name": "Shop", "redirect_uris": ["https://shop.example/cb"] }),
        ),
        ("tenant_users", "tenant-users", json!({ "username": "bob" })),
        ("groups", "groups", json!({ "name": "Editors" })),
        (
            "organizations",
            "organizations",
            json!({ "slug": "initech", "name": "Initech", "owner_id": ada.id }),
        ),
        ("api_keys", "api-keys", json!({ "name": "import", "scope": "tenant-users:read" })),
        ("webhooks", "webhooks", json!({ "url": "https://receiver.example/", "event_types": ["auth.*"] })),
        ("scim_targets", "scim-targets", target),
    ];
    let every: Vec<_> = Quota::ALL.iter().map(|quota| quota.name()).collect();
    assert_eq!(wanted.each_ref().map(|(name, ..)| *name).as_slice(), every);
    let usage = acme.call(Method::GET, "/api/v1/usage", Some(&token), None).await.expect(200).json();
    let used = |name: &str| {
        let quota = usage["quotas"].as_array().unwrap().iter().find(|quota| quota["name"] == name);
        quota.unwrap()["used"].as_i64().unwrap()
    };
    let quotas = |more: i64| -> Value {
        every.iter().map(|name| ((*name).to_owned(), json!(used(name) + more))).collect()
    };
    let plan = json!({ "name": "starter", "quotas": quotas(0) });
    let plan = desk.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
    let path = format!("{TENANTS}/{}", acme.tenant.id.reference());
    let _ = desk.call(Method::PATCH, &path, Some(json!({ "plan_id": plan["id"] }))).await.expect(200);
    let create = async |path: &str, body: &Value| {
        acme.call(Method::POST, &format!("/api/v1/{path}"), Some(&token), Some(body.clone())).await
    };
    for (name, path, body) in &wanted {
        let refused = create(path, body).await.expect_problem(403, "forbidden").json();
        let told = format!("the plan of this tenant allows {} {name}; ", used(name));
        assert!(refused["detail"].as_str().unwrap().starts_with(&told), "{refused}");
    }
    let plan = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
    let _ = desk.call(Method::PATCH, &plan, Some(json!({ "quotas": quotas(1) }))).await.expect(200);
    for (_, path, body) in &wanted {
        let _ = create(path, body).await.expect(201);
    }
}
