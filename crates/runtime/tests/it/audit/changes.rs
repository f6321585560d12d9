//! Every change of a record is told with what each of its fields was and is, also where the change has a route of its own.

use serde_json::{Value, json};
use svc_http::Method;

use super::read;
use crate::harness::{Harness, Site};

async fn send(site: &Site<'_>, method: Method, path: &str, body: Value) -> Value {
    site.call(method, path, Some(&site.mint(|_| ())), Some(body)).await.json()
}

/// What the newest entry of an action says that became of its record.
async fn told(site: &Site<'_>, action: &str) -> Value {
    let entry = read(site, &format!("?action={action}&limit=1")).await.expect(200).json();
    entry["data"][0]["detail"]["changes"].clone()
}

#[tokio::test]
async fn what_became_of_an_organization_its_members_and_its_owner_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    site.role("editor", &[]).await;
    let path = format!("/api/v1/organizations/{}", site.organization("initech", ada.id).await.id);
    h.advance(1);
    let _ = send(&site, Method::PATCH, &format!("{path}/branding"), json!({ "accent": "#8a2be2" })).await;
    let expected = json!({ "accent": { "before": null, "after": "#8a2be2" } });
    assert_eq!(told(&site, "organization.updated").await, expected);

    let member = format!("{path}/members/{}", bob.id);
    let _ = send(&site, Method::PUT, &member, json!({})).await;
    let expected = json!({ "before": null, "after": bob.id });
    assert_eq!(told(&site, "organization.member_added").await["tenant_user_id"], expected);
    h.advance(1);
    let _ = send(&site, Method::PUT, &member, json!({ "roles": ["editor"] })).await;
    let expected = json!({ "roles": { "before": [], "after": ["editor"] } });
    assert_eq!(told(&site, "organization.member_role_changed").await, expected);
    h.advance(1);
    let _ = send(&site, Method::PUT, &format!("{path}/owner"), json!({ "tenant_user_id": bob.id })).await;
    let expected = json!({ "owner_id": { "before": ada.id, "after": bob.id } });
    assert_eq!(told(&site, "organization.owner_changed").await, expected);
    let token = site.mint(|_| ());
    let ada_there = format!("{path}/members/{}", ada.id);
    let _ = site.call(Method::DELETE, &ada_there, Some(&token), None).await.expect(204);
    let expected = json!({ "before": ada.id, "after": null });
    assert_eq!(told(&site, "organization.member_removed").await["tenant_user_id"], expected);

    let texts = json!({ "texts": { "en": { "signin-title": "Initech" } } });
    let _ = send(&site, Method::PATCH, &format!("{path}/texts"), texts).await;
    let expected = json!({ "en": { "before": null, "after": { "signin-title": "Initech" } } });
    assert_eq!(told(&site, "organization.texts_changed").await, expected);
}

#[tokio::test]
async fn what_became_of_a_policy_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let text = "permit(principal, action, resource);";
    let made = send(&site, Method::POST, "/api/v1/policies", json!({ "name": "All", "text": text })).await;
    let path = format!("/api/v1/policies/{}", made["id"].as_str().unwrap());
    let text = "forbid(principal, action, resource);";
    let _ = send(&site, Method::PATCH, &path, json!({ "text": text })).await;
    let changes = told(&site, "policy.updated").await;
    let expected = json!({ "before": "permit(principal, action, resource);", "after": text });
    assert_eq!(changes["text"], expected, "{changes}");
    assert!(changes["name"].is_null(), "{changes}");
    h.advance(1);
    let (activate, token) = (format!("{path}/versions/1/activate"), site.mint(|_| ()));
    let _ = site.call(Method::POST, &activate, Some(&token), None).await.expect(200);
    let changes = told(&site, "policy.updated").await;
    let expected = json!({ "before": text, "after": "permit(principal, action, resource);" });
    assert_eq!(changes["text"], expected, "{changes}");
    assert_eq!(changes["status"], json!({ "before": "draft", "after": "active" }), "{changes}");
}

#[tokio::test]
async fn what_became_of_the_settings_and_the_texts_of_a_tenant_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    h.advance(1);
    let body = json!({ "name": "Acme", "settings": { "without_recovery": true } });
    let _ = send(&site, Method::PATCH, "/api/v1/tenant-settings", body).await;
    let expected = json!({
        "without_recovery": { "before": null, "after": true },
        "name": { "before": "Tenant main", "after": "Acme" },
    });
    assert_eq!(told(&site, "tenant.updated").await, expected);
    h.advance(1);
    let _ = send(&site, Method::PATCH, "/api/v1/branding", json!({ "accent": "#112233" })).await;
    let expected = json!({ "accent": { "before": null, "after": "#112233" } });
    assert_eq!(told(&site, "tenant.updated").await, expected);
    let texts = json!({ "texts": { "en": { "signin-title": "Acme" } } });
    let _ = send(&site, Method::PATCH, "/api/v1/texts", texts).await;
    let expected = json!({ "en": { "before": null, "after": { "signin-title": "Acme" } } });
    assert_eq!(told(&site, "tenant.texts_changed").await, expected);
}
