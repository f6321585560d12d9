//! The log of events for those who fetch it, and the types that it can have.

use serde_json::{Value, json};
use svc_http::Method;

use super::{call, suspend};
use crate::harness::client::claims;
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
        let refused = answer.expect_problem(400, "bad_request").json();
        let parameter = query.split('=').next().unwrap();
        assert!(refused["detail"].as_str().unwrap().starts_with(parameter), "{query}: {refused}");
    }
}

/// All events that a query finds, in pages of two.
async fn found(site: &Site<'_>, query: &str) -> Vec<Value> {
    let (mut all, mut at) = (Vec::new(), 0);
    loop {
        let path = format!("/api/v1/events?after={at}&limit=2{query}");
        let page = call(site, Method::GET, &path, None).await.expect(200).json();
        let events = page["data"].as_array().unwrap();
        let looked_at = page["position"].as_i64().unwrap();
        if events.is_empty() {
            assert!(looked_at >= at, "{query}: {page}");
            return all;
        }
        at = looked_at;
        all.extend(events.iter().cloned());
    }
}

#[tokio::test]
async fn events_are_narrowed_to_a_type_or_a_category_and_to_what_happened_since_a_time() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    for name in ["ada", "bob", "cy"] {
        h.advance(3_600);
        suspend(&site, name).await;
        suspend(&other, name).await;
    }
    h.run_jobs().await;
    let all = found(&site, "").await;
    let time = |event: &Value| event["created_at"].as_str().unwrap().to_owned();
    let last = time(all.last().unwrap());
    let middle = time(&all[all.len() / 2]);
    for (since, event_type) in
        [last.as_str(), middle.as_str(), "2000-01-01T00:00:00Z", "2200-01-01T00:00:00Z", ""]
            .into_iter()
            .flat_map(|since| {
                ["tenant_user.suspended", "auth.logout", "admin.*", "tenant_user.*", "chain.*", ""]
                    .map(|event_type| (since, event_type))
            })
    {
        let is_meant = |event: &&Value| {
            let name = event["type"].as_str().unwrap();
            let is_of_type = match event_type.strip_suffix('*') {
                Some(category) => name.starts_with(category),
                None => event_type.is_empty() || name == event_type,
            };
            time(event).as_str() >= since && is_of_type
        };
        let expected: Vec<_> = all.iter().filter(is_meant).cloned().collect();
        let mut query = String::new();
        for (name, value) in [("since", since), ("type", event_type)] {
            if !value.is_empty() {
                query = format!("{query}&{name}={value}");
            }
        }
        assert_eq!(found(&site, &query).await, expected, "{query}");
    }
    let none = "/api/v1/events?type=auth.logout";
    let none = call(&site, Method::GET, none, None).await.expect(200).json();
    assert_eq!((&none["data"], &none["position"]), (&json!([]), &all.last().unwrap()["position"]));
    for (query, told) in [
        ("type=tenant.*", "type: "),
        ("type=*", "type: "),
        ("type=nothing", "type: "),
        ("since=now", "since: "),
    ] {
        let answer = call(&site, Method::GET, &format!("/api/v1/events?{query}"), None).await;
        let detail = answer.expect(400).json()["error_description"].as_str().unwrap().to_owned();
        assert!(detail.starts_with(told), "{query}: {detail}");
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
    let role = call(&site, Method::POST, "/api/v1/roles", Some(json!({ "name": "editor" }))).await;
    let path = format!("/api/v1/roles/{}", role.expect(201).json()["id"].as_str().unwrap());
    let permissions = json!([{ "api": site.tenant.api_audience(), "scopes": ["roles:read"] }]);
    let change = json!({ "permissions": permissions });
    let _ = call(&site, Method::PATCH, &path, Some(change)).await.expect(200);
    h.run_jobs().await;
    let events = page(&site, 0, 200).await["data"].as_array().unwrap().clone();
    assert!(events.len() > 5, "{events:?}");
    let updated = events.iter().find(|event| event["type"] == "admin.role.updated").unwrap();
    assert_eq!(updated["data"]["permissions"], permissions, "the API as the resource names it");
    for event in events {
        check(&event, &schema(&event["type"]));
    }
}

#[tokio::test]
async fn tokens_that_are_issued_and_given_back_and_invitations_are_events() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let _ = app.post("/oauth/revoke", &[("token", tokens.access_token())], &[]).await.expect(200);
    let invited = json!({ "email": "grace@new.example", "invite": true });
    let invited = call(&site, Method::POST, "/api/v1/tenant-users", Some(invited)).await.expect(201).json();
    h.run_jobs().await;
    let events = page(&site, 0, 200).await["data"].as_array().unwrap().clone();
    let only = |name: &str| {
        let found: Vec<_> = events.iter().filter(|event| event["type"] == name).collect();
        assert_eq!(found.len(), 1, "{name}: {events:?}");
        found[0]["data"].clone()
    };
    let (claims, issued) = (claims(tokens.access_token()), only("auth.token.issued"));
    for (member, expected) in [
        ("client_id", &json!(app.id)),
        ("sub", &claims["sub"]),
        ("tenant_user_id", &json!(ada.id)),
        ("aud", &claims["aud"]),
        ("scope", &claims["scope"]),
        ("grant_type", &json!("authorization_code")),
    ] {
        assert_eq!(issued[member], *expected, "{member}: {issued}");
    }
    assert_eq!(only("auth.token.revoked"), json!({ "client_id": app.id, "token": claims["jti"] }));
    let expected = json!({ "tenant_user_id": invited["id"], "sub": invited["sub"] });
    assert_eq!(only("tenant_user.invited"), expected);
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
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for item in items {
            check(item, schema);
        }
    }
}
