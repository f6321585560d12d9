//! The log of events for those who fetch it, and the types that it can have.

use serde_json::{Value, json};
use svc_http::Method;

use super::{call, suspend};
use crate::harness::{Harness, Site};

async fn page(site: &Site<'_>, after: i64, limit: u32) -> Value {
    let path = format!("/api/v1/events?after={after}&limit={limit}");
    call(site, Method::GET, &path, None).await.expect(200).json()
}

#[tokio::test]
async fn events_are_read_in_order_without_gaps_from_any_position() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    for name in ["ada", "bob", "cy"] {
        suspend(&site, name).await;
    }
    suspend(&other, "dee").await;
    h.run_jobs().await;
    let (mut seen, mut at) = (Vec::new(), 0);
    loop {
        let page = page(&site, at, 2).await;
        let events = page["data"].as_array().unwrap().clone();
        if events.is_empty() {
            assert_eq!(page["position"], json!(at));
            break;
        }
        at = page["position"].as_i64().unwrap();
        seen.extend(events);
    }
    let positions: Vec<_> = seen.iter().map(|event| event["position"].as_i64().unwrap()).collect();
    assert_eq!(positions, (1..=at).collect::<Vec<_>>());
    assert!(seen.iter().all(|event| event["tenant_id"] == json!(site.tenant.id)));
    let suspended = seen.iter().filter(|event| event["type"] == "tenant_user.suspended").count();
    assert_eq!(suspended, 3);
    for query in ["after=-1", "limit=0", "limit=201", "after=x"] {
        let answer = call(&site, Method::GET, &format!("/api/v1/events?{query}"), None).await;
        let _ = answer.expect_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn every_event_that_happens_is_as_the_schema_of_its_type_says() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let types = call(&site, Method::GET, "/api/v1/event-types", None).await.expect(200).json();
    let types = types["data"].as_array().unwrap();
    let schema = |name: &Value| {
        let found = types.iter().find(|known| known["name"] == *name);
        found.unwrap_or_else(|| panic!("{name} is no type"))["schema"].clone()
    };
    for described in types.iter().filter(|described| described["emitted"] == json!(true)) {
        check(&described["example"], &schema(&described["name"]));
    }
    suspend(&site, "ada").await;
    let app = site.app("web").await;
    site.sign_in(&app, &site.user("bob").await).await;
    h.run_jobs().await;
    let events = page(&site, 0, 200).await["data"].as_array().unwrap().clone();
    assert!(events.len() > 5, "{events:?}");
    for event in events {
        check(&event, &schema(&event["type"]));
    }
}

#[tokio::test]
async fn a_member_who_is_reactivated_was_not_activated_once_more() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    for step in ["suspend", "reactivate"] {
        let _ = call(&site, Method::POST, &format!("{path}/{step}"), None).await.expect(200);
    }
    h.run_jobs().await;
    let events = page(&site, 0, 200).await["data"].as_array().unwrap().clone();
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let count = |name: &str| types.iter().filter(|known| **known == name).count();
    assert_eq!((count("tenant_user.activated"), count("tenant_user.reactivated")), (1, 1), "{types:?}");
    let told = events.iter().find(|event| event["type"] == "tenant_user.reactivated").unwrap();
    assert_eq!(told["data"], json!({ "tenant_user_id": ada.id, "sub": ada.subject }));
}

/// Holds a value against what the schemas of events use: types, constants, patterns of ids, required members.
fn check(value: &Value, schema: &Value) {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap()).collect(),
        Value::String(kind) => vec![kind],
        _ => Vec::new(),
    };
    let is_of_kind = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    assert!(kinds.is_empty() || kinds.iter().any(is_of_kind), "{value} is not {kinds:?}");
    if let Some(constant) = schema.get("const") {
        assert_eq!(value, constant);
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str()) {
        let prefix = pattern.trim_start_matches('^').split('[').next().unwrap();
        assert!(text.starts_with(prefix) && text.len() == prefix.len() + 26, "{text}: {pattern}");
    }
    for name in schema["required"].as_array().unwrap_or(&Vec::new()) {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{value} lacks {name}");
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(member) = value.get(name) {
            check(member, schema);
        }
    }
}
