//! Lists that are bound to be short: searched, in every order, and narrowed.

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::base64;

use super::{id, ids, send, walked};
use crate::harness::{Harness, Site};
use crate::hooks::constant;

const MODULES: &str = "/api/v1/hook-modules";
const SCHEMAS: &str = "/api/v1/scim-schemas";
const STREAMS: &str = "/api/v1/audit/streams";
const TARGETS: &str = "/api/v1/scim-targets";

/// The names of records, of which some begin alike.
const MADE: [&str; 6] = ["beta", "Alpine", "alpha", "gamma", "ALPS", "Alp"];

/// The document that makes the record of a number.
fn new(path: &str, number: usize, organization: &str) -> Value {
    let (name, is_even) = (MADE[number], number.is_multiple_of(2));
    let people =
        if number < 4 { json!({ "everyone": true }) } else { json!({ "organization_ids": [organization] }) };
    let destination = match number {
        0 | 1 => json!({ "syslog": { "host": "logs.example" } }),
        _ => json!({ "webhook": { "url": "https://receiver.example/audit" } }),
    };
    match path {
        MODULES => json!({ "name": name, "module": base64(constant(r#"{"verdict":"allow"}"#)) }),
        SCHEMAS => {
            json!({ "name": name, "urn": format!("urn:example:S{number}"), "attributes": [{ "name": "a" }] })
        }
        STREAMS => json!({ "name": name, "destination": destination, "active": is_even }),
        _ => json!({
            "name": name, "base_url": "https://wiki.example/scim/v2", "people": people, "secret": "token", "active": is_even
        }),
    }
}

async fn fill(site: &Site<'_>, path: &str, organization: &str) {
    for number in 0..MADE.len() {
        send(site, Method::POST, path, Some(new(path, number, organization)), 201).await;
    }
}

fn key(record: &Value) -> (String, String) {
    (record["name"].as_str().unwrap().to_ascii_lowercase(), id(record))
}

/// The ids of records, turned round where an order asks for that.
fn in_order(records: &[Value], order: &str) -> Vec<String> {
    let mut ids: Vec<_> = records.iter().map(id).collect();
    if order.starts_with('-') {
        ids.reverse();
    }
    ids
}

#[tokio::test]
async fn short_lists_are_searched_by_name_and_walked_in_every_order() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("owner").await;
    let organization = site.organization("acme", owner.id).await.id.to_string();
    for path in [MODULES, SCHEMAS, STREAMS, TARGETS] {
        fill(&site, path, &organization).await;
        let all = walked(&site, path, "").await;
        assert_eq!(all.len(), MADE.len(), "{path}");
        let mut by_name = all.clone();
        by_name.sort_by_key(key);
        let mut searched = by_name.clone();
        searched.retain(|record| key(record).0.starts_with("alp"));
        assert_eq!(searched.len(), 4);
        for order in ["created_at", "-created_at"] {
            assert_eq!(
                ids(&site, path, &format!("sort={order}")).await,
                in_order(&all, order),
                "{path} {order}"
            );
            let both = send(&site, Method::GET, &format!("{path}?sort={order}&search=alp"), None, 400).await;
            assert!(both["error_description"].as_str().unwrap().starts_with("sort: "), "{both}");
        }
        for order in ["name", "-name"] {
            assert_eq!(
                ids(&site, path, &format!("sort={order}")).await,
                in_order(&by_name, order),
                "{path} {order}"
            );
            let query = format!("sort={order}&search=ALP");
            assert_eq!(ids(&site, path, &query).await, in_order(&searched, order), "{path} {query}");
        }
        assert_eq!(ids(&site, path, "search=aLp").await, in_order(&searched, "name"), "{path}");
        assert!(ids(&site, path, "search=lp").await.is_empty(), "{path}");
    }
}

/// Looks for the records of a list that a query finds, in two orders.
async fn check(site: &Site<'_>, path: &str, query: &str, fits: impl Fn(&Value) -> bool) {
    let mut expected = walked(site, path, "").await;
    let made = expected.len();
    expected.retain(&fits);
    assert!(!expected.is_empty() && expected.len() < made, "{path} {query}");
    assert_eq!(walked(site, path, query).await, expected, "{path} {query}");
    expected.sort_by_key(key);
    assert_eq!(walked(site, path, &format!("{query}&sort=name")).await, expected, "{path} {query}");
}

#[tokio::test]
async fn streams_and_targets_are_listed_by_whether_anything_is_sent_and_where() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("owner").await;
    let organization = site.organization("acme", owner.id).await.id.to_string();
    for path in [STREAMS, TARGETS] {
        fill(&site, path, &organization).await;
        for wanted in [true, false] {
            check(&site, path, &format!("active={wanted}"), |one| one["active"] == wanted).await;
        }
        let wrong = send(&site, Method::GET, &format!("{path}?active=yes"), None, 400).await;
        assert!(wrong["error_description"].as_str().unwrap().starts_with("active: "), "{wrong}");
    }
    for kind in ["syslog", "webhook"] {
        check(&site, STREAMS, &format!("destination={kind}"), |one| !one["destination"][kind].is_null())
            .await;
    }
    check(&site, STREAMS, "destination=webhook&active=true", |one| {
        !one["destination"]["webhook"].is_null() && one["active"] == true
    })
    .await;
    assert!(ids(&site, STREAMS, "destination=s3").await.is_empty());
    let named =
        |one: &Value| one["people"]["organization_ids"].as_array().unwrap().contains(&json!(organization));
    check(&site, TARGETS, &format!("organization_id={organization}"), named).await;
    for (query, told) in [
        ("audit/streams?destination=ftp", "destination: "),
        ("scim-targets?organization_id=acme", "organization_id: "),
    ] {
        let wrong = send(&site, Method::GET, &format!("/api/v1/{query}"), None, 400).await;
        assert!(wrong["error_description"].as_str().unwrap().starts_with(told), "{wrong}");
    }
}

#[tokio::test]
async fn a_schema_is_found_by_its_urn_in_any_case() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    fill(&site, SCHEMAS, "").await;
    check(&site, SCHEMAS, "urn=URN:example:s3", |one| one["urn"] == "urn:example:S3").await;
    assert_eq!(ids(&site, SCHEMAS, "urn=urn:example:S3&search=gam").await.len(), 1);
    assert!(ids(&site, SCHEMAS, "urn=urn:example:S3&search=alp").await.is_empty());
    assert!(ids(&site, SCHEMAS, "urn=urn:example").await.is_empty());
}
