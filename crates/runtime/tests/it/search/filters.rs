//! Lists that are narrowed by what their records have.

use serde_json::{Value, json};
use svc_http::Method;

use super::{records, send};
use crate::harness::Harness;

#[tokio::test]
async fn members_are_found_by_the_role_that_the_organization_has_given_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for name in ["buyer", "auditor"] {
        send(&site, Method::POST, "/api/v1/roles", Some(json!({ "name": name })), 201).await;
    }
    let owner = site.user("owner").await.id.to_string();
    let mut members = Vec::new();
    for slug in ["acme", "globex"] {
        let new = json!({ "slug": slug, "name": slug, "owner_id": owner });
        let made = send(&site, Method::POST, "/api/v1/organizations", Some(new), 201).await;
        members.push(format!("/api/v1/organizations/{}/members", made["id"].as_str().unwrap()));
    }
    let mut people = vec![owner];
    for (name, roles) in [("ada", json!(["buyer"])), ("bob", json!([])), ("cy", json!(["auditor", "buyer"]))]
    {
        let person = site.user(name).await.id.to_string();
        let wanted = json!({ "roles": roles });
        send(&site, Method::PUT, &format!("{}/{person}", members[0]), Some(wanted), 200).await;
        people.push(person);
    }
    let elsewhere = json!({ "roles": ["buyer"] });
    send(&site, Method::PUT, &format!("{}/{}", members[1], people[2]), Some(elsewhere), 200).await;
    for (query, expected) in [
        ("", &[0, 1, 2, 3][..]),
        ("role=buyer", &[1, 3]),
        ("role=auditor", &[3]),
        ("role=", &[0, 1, 2, 3]),
        ("role=admin", &[]),
        ("role=%27%20OR%201%3D1", &[]),
    ] {
        let found = records(&site, &members[0], query).await;
        let found: Vec<_> = found.iter().map(|member| member["tenant_user_id"].clone()).collect();
        let mut expected: Vec<Value> = expected.iter().map(|at| json!(people[*at])).collect();
        expected.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
        assert_eq!(found, expected, "{query}");
    }
}

#[tokio::test]
async fn an_empty_id_does_not_open_a_list_of_every_record() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (path, name) in [
        ("/api/v1/tenant-users", "organization_id"),
        ("/api/v1/tenant-users", "group_id"),
        ("/api/v1/organizations", "owner_id"),
        ("/api/v1/organizations", "tenant_user_id"),
        ("/api/v1/api-keys", "tenant_user_id"),
        ("/api/v1/policies", "organization_id"),
        ("/api/v1/delegations", "tenant_user_id"),
    ] {
        let refused = send(&site, Method::GET, &format!("{path}?{name}="), None, 400).await;
        let told = refused["error_description"].as_str().unwrap();
        assert!(told.starts_with(&format!("{name}: ")), "{path}: {told}");
    }
}
