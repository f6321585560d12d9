//! Lists that are whole unless they are cut.

use serde_json::{Value, json};
use svc_http::Method;

use super::{send, walked};
use crate::harness::Harness;

const EVENT_TYPES: &str = "/api/v1/event-types";

#[tokio::test]
async fn types_of_events_are_whole_unless_a_limit_cuts_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let whole = send(&site, Method::GET, EVENT_TYPES, None, 200).await;
    assert_eq!(whole["next_cursor"], Value::Null);
    let all = whole["data"].as_array().unwrap();
    let first = send(&site, Method::GET, &format!("{EVENT_TYPES}?limit=2"), None, 200).await;
    assert_eq!(first["data"], json!(all[..2]));
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = send(&site, Method::GET, &format!("{EVENT_TYPES}?cursor={cursor}"), None, 200).await;
    assert_eq!((&rest["data"], &rest["next_cursor"]), (&json!(all[2..]), &Value::Null));
    let named = send(&site, Method::GET, &format!("{EVENT_TYPES}?limit=1&fields=name"), None, 200).await;
    assert_eq!(named["data"], json!([{ "name": all[0]["name"] }]));
    for (query, told) in [
        ("limit=0", "limit: a whole number from 1 to 200"),
        ("limit=201", "limit: a whole number from 1 to 200"),
        ("limit=", "limit: a whole number from 1 to 200"),
        ("cursor=", "cursor: not a cursor of this list; use the `next_cursor` of its previous page"),
        ("search=a", "unknown query parameter `search`; this address takes limit, cursor, fields"),
    ] {
        let refused = send(&site, Method::GET, &format!("{EVENT_TYPES}?{query}"), None, 400).await;
        assert_eq!(refused["error_description"], told, "{query}");
    }
}

#[tokio::test]
async fn secrets_of_an_application_are_walked_one_by_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let path = format!("/api/v1/applications/{}", site.app("web").await.id);
    send(&site, Method::POST, &format!("{path}/secret"), None, 200).await;
    assert_eq!(walked(&site, &format!("{path}/secrets"), "").await.len(), 2);
}

#[tokio::test]
async fn a_cursor_of_one_application_s_secrets_opens_no_other_s() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let path = async |name| format!("/api/v1/applications/{}", site.app(name).await.id);
    let (web, client) = (path("web").await, path("client").await);
    send(&site, Method::POST, &format!("{web}/secret"), None, 200).await;
    let first = send(&site, Method::GET, &format!("{web}/secrets?limit=1"), None, 200).await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let refused = send(&site, Method::GET, &format!("{client}/secrets?cursor={cursor}"), None, 400).await;
    let told = "cursor: not a cursor of this list; use the `next_cursor` of its previous page";
    assert_eq!(refused["error_description"], told);
}
