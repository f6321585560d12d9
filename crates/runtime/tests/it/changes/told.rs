//! What administrators make, change and delete: each is one event of the record's name.

use serde_json::{Value, json};
use svc_core::OrganizationId;
use svc_http::Method;
use svc_keys::base64;

use super::left_by;
use crate::harness::{Harness, Site};
use crate::hooks::constant;
use crate::isolation::OFFERED;

/// Does something, and returns what was answered with the types of the events that it left.
async fn told(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> (Value, Vec<String>) {
    let (token, mut answer) = (site.mint(|_| ()), None);
    let done = async { answer = Some(site.call(method, path, Some(&token), body).await) };
    let [_, mut events] = left_by(site.harness, done).await;
    // The first secret that is kept makes the key under which it is kept.
    events.retain(|event| event != "security.keyring.changed");
    let answer = answer.unwrap();
    assert!(answer.status < 300, "{path}: {answer:?}");
    (if answer.body.is_empty() { Value::Null } else { answer.json() }, events)
}

/// A list, what is made there, what is changed of it unless that is null, and what the events of the record are called.
type Lifecycle = (&'static str, Value, Value, &'static str);

fn records(organization: OrganizationId) -> Vec<Lifecycle> {
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let attribute = json!({ "name": "level", "type": "integer" });
    vec![
        (
            "applications",
            json!({ "name": "Shop", "redirect_uris": ["https://shop.example/cb"] }),
            json!({ "name": "Market" }),
            "admin.application",
        ),
        (
            "apis",
            json!({ "identifier": "https://api.example/", "name": "Notes" }),
            json!({ "enabled": false }),
            "admin.api",
        ),
        (
            "scim-tokens",
            json!({ "organization_id": organization, "name": "Entra ID" }),
            json!({ "name": "Okta" }),
            "admin.scim_token",
        ),
        (
            "trusted-issuers",
            json!({ "issuer": "https://partner.example", "name": "Partner", "jwks": { "keys": [key] } }),
            json!({ "name": "Partners" }),
            "admin.trusted_issuer",
        ),
        (
            "registration-tokens",
            json!({ "description": "CI", "quota": 10, "expires_in": 86_400 }),
            Value::Null,
            "admin.registration_token",
        ),
        (
            "connectors",
            json!({ "name": "github", "preset": "github", "client_id": "svc", "client_secret": "made by the provider",
            "enabled": true }),
            json!({ "enabled": false }),
            "admin.connector",
        ),
        (
            "scim-schemas",
            json!({ "urn": "urn:example:params:scim:schemas:hr:2.0:User", "name": "hr", "attributes": [attribute] }),
            json!({ "description": "What personnel says" }),
            "admin.scim_schema",
        ),
        (
            "scim-targets",
            json!({ "name": "Wiki", "base_url": "https://wiki.example/scim/v2", "people": { "everyone": true },
            "secret": "token-of-the-wiki-4b7d" }),
            json!({ "name": "Manual" }),
            "admin.scim_target",
        ),
        (
            "webhooks",
            json!({ "url": "https://receiver.example/", "event_types": ["auth.*"] }),
            json!({ "description": "Fraud team" }),
            "admin.webhook",
        ),
        ("custom-domains", json!({ "domain": "login.acme.example" }), Value::Null, "admin.custom_domain"),
        ("{organization}/domains", json!({ "domain": "acme.example" }), Value::Null, "org.domain"),
        (
            "{organization}/invitations",
            json!({ "email": "grace@new.example" }),
            Value::Null,
            "org.invitation",
        ),
    ]
}

/// The same of what decides, asks and lets people in.
fn rules() -> Vec<Lifecycle> {
    let document = json!({ "title": "Privacy policy", "url": "https://acme.example/privacy" });
    vec![
        ("groups", json!({ "name": "Editors" }), json!({ "name": "Writers" }), "admin.group"),
        (
            "policies",
            json!({ "name": "Readers", "text": "permit(principal, action, resource);" }),
            json!({ "name": "Everyone" }),
            "admin.policy",
        ),
        (
            "api-keys",
            json!({ "name": "import", "scope": "tenant-users:read" }),
            json!({ "name": "Nightly import" }),
            "admin.api_key",
        ),
        (
            "audit/streams",
            json!({ "name": "Security", "destination": { "webhook": { "url": "https://receiver.example/audit" } } }),
            json!({ "name": "Security team" }),
            "admin.audit_stream",
        ),
        (
            "hooks",
            json!({ "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "allow" }),
            json!({ "is_active": false }),
            "admin.hook",
        ),
        (
            "hook-modules",
            json!({ "name": "Members only", "module": base64(constant("{}")) }),
            Value::Null,
            "admin.hook_module",
        ),
        (
            "terms",
            json!({ "key": "privacy", "label": "1", "language": "en", "effective_at": "2099-01-01T00:00:00Z",
            "documents": { "en": document } }),
            json!({ "required": false }),
            "admin.terms",
        ),
        (
            "sign-up-fields",
            json!({ "name": "company", "type": "text", "language": "en", "texts": { "en": { "label": "Company" } } }),
            json!({ "enabled": false }),
            "admin.sign_up_field",
        ),
    ]
}

#[tokio::test]
async fn each_change_of_a_record_is_told_by_one_event() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("main").await;
    let owner = site.user("ada").await;
    let organization = site.organization("initech", owner.id).await.id;
    for (path, new, change, record) in records(organization).into_iter().chain(rules()) {
        let below = format!("organizations/{organization}");
        let list = format!("/api/v1/{}", path.replace("{organization}", &below));
        let (made, events) = told(&site, Method::POST, &list, Some(new)).await;
        assert_eq!(events, [format!("{record}.created")]);
        let one = format!("{list}/{}", made["id"].as_str().unwrap());
        let replaced = match record {
            "admin.scim_token" | "admin.api_key" => Some(("rotate", "rotated")),
            "admin.hook" => Some(("secret", "secret_rotated")),
            _ => None,
        };
        if let Some((below, event)) = replaced {
            let (_, events) = told(&site, Method::POST, &format!("{one}/{below}"), None).await;
            assert_eq!(events, [format!("{record}.{event}")]);
        }
        if !change.is_null() {
            let (_, events) = told(&site, Method::PATCH, &one, Some(change)).await;
            assert_eq!(events, [format!("{record}.updated")]);
        }
        let (_, events) = told(&site, Method::DELETE, &one, None).await;
        let end = if record == "org.invitation" { "revoked" } else { "deleted" };
        assert_eq!(events, [format!("{record}.{end}")]);
    }
}

#[tokio::test]
async fn each_change_of_who_is_in_a_group_and_of_a_sign_in_name_is_told_by_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let (outer, inner) = (site.group("Outer", &[]).await.id, site.group("Inner", &[]).await.id);
    let member = format!("/api/v1/groups/{outer}/members/{}", ada.id);
    let nested = format!("/api/v1/groups/{outer}/groups/{inner}");
    let (person, renamed) = (format!("/api/v1/tenant-users/{}", ada.id), json!({ "username": "lovelace" }));
    for (method, path, body, event) in [
        (Method::PUT, member.clone(), None, "admin.group.member_added"),
        (Method::DELETE, member, None, "admin.group.member_removed"),
        (Method::PUT, nested.clone(), None, "admin.group.nested"),
        (Method::DELETE, nested, None, "admin.group.unnested"),
        (Method::PATCH, person, Some(renamed), "tenant_user.username_changed"),
    ] {
        let (_, events) = told(&site, method, &path, body).await;
        assert_eq!(events, [event], "{path}");
    }
}
