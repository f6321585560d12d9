//! `fields`: a reader gets the members that it asks for, of a record and of each record of a list.

use serde_json::{Value, json};
use svc_http::Method;
use svc_runtime::compose;

use crate::harness::{Harness, Site};

const APPS: &str = "/api/v1/applications";

async fn make(site: &Site<'_>, handle: &str) -> String {
    let body = json!({ "handle": handle, "name": "Shop", "redirect_uris": ["https://shop.example/back"] });
    let made = site.call(Method::POST, APPS, Some(&site.mint(|_| ())), Some(body)).await.expect(201);
    made.json()["id"].as_str().unwrap().to_owned()
}

async fn read(site: &Site<'_>, address: &str) -> Value {
    site.call(Method::GET, address, Some(&site.mint(|_| ())), None).await.expect(200).json()
}

#[tokio::test]
async fn a_record_is_read_with_the_members_asked_for_and_its_version() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let address = format!("{APPS}/{}", make(&site, "shop").await);
    let token = site.mint(|_| ());
    let whole = site.call(Method::GET, &address, Some(&token), None).await.expect(200);
    let asked = format!("{address}?fields=handle%2Cenabled");
    let part = site.call(Method::GET, &asked, Some(&token), None).await.expect(200);
    assert_eq!(part.json(), json!({ "handle": "shop", "enabled": true }));
    assert_eq!(part.header("etag"), whole.header("etag"));
}

#[tokio::test]
async fn a_dot_leads_into_a_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("ada").await.id;
    let metadata = json!({ "plan": "gold", "seats": 3 });
    let body = json!({ "name": "Acme", "slug": "acme", "owner_id": owner, "metadata": metadata });
    let token = site.mint(|_| ());
    let made =
        site.call(Method::POST, "/api/v1/organizations", Some(&token), Some(body)).await.expect(201).json();
    let address = format!("/api/v1/organizations/{}", made["id"].as_str().unwrap());
    let part = read(&site, &format!("{address}?fields=slug,metadata.plan")).await;
    let expected = json!({ "slug": "acme", "metadata": { "plan": "gold" } });
    assert_eq!(part, expected);
    let list = read(&site, "/api/v1/organizations?fields=slug,metadata.plan").await;
    assert_eq!(list["data"], json!([expected]));
}

/// The members that a schema names, through references, alternatives and the items of arrays.
fn members<'d>(document: &'d Value, schema: &'d Value) -> Vec<(&'d str, &'d Value)> {
    let referred = schema["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
    let alternatives = ["allOf", "oneOf", "anyOf"].map(|of| schema[of].as_array().into_iter().flatten());
    let parts = referred.into_iter().chain(schema.get("items")).chain(alternatives.into_iter().flatten());
    let own = schema["properties"].as_object().into_iter().flatten();
    let own = own.map(|(name, schema)| (name.as_str(), schema));
    own.chain(parts.flat_map(|part| members(document, part))).collect()
}

/// The members of the members of what a read answers with, or of each record where that is a list.
fn nested(document: &Value, schema: &Value) -> Vec<String> {
    let whole = members(document, schema);
    let is_list = whole.iter().any(|(name, _)| *name == "next_cursor");
    let record = match whole.iter().find(|(name, _)| *name == "data" && is_list) {
        Some((_, data)) => members(document, &data["items"]),
        None => members(document, schema),
    };
    let mut all = Vec::new();
    for (name, schema) in record {
        all.extend(members(document, schema).iter().map(|(inner, _)| format!("{name}.{inner}")));
    }
    all
}

#[tokio::test]
async fn a_dot_leads_into_every_member_that_has_members_whatever_is_read() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let document = compose::description().unwrap().at("https://id.example.com", |_| true);
    let mut asked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        if !path.starts_with("/api/v1/") || item["get"].is_null() || !takes_fields(item) {
            continue;
        }
        let schema = &item["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        let steps = path.split('/').map(|step| if step.starts_with('{') { "none" } else { step });
        let address = steps.collect::<Vec<_>>().join("/");
        for some in nested(&document, schema).chunks(50) {
            let address = format!("{address}?fields={}", some.join(","));
            let answer = site.call(Method::GET, &address, Some(&token), None).await;
            assert!(!answer.body.contains("fields: "), "{address}: {answer:?}");
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}

#[tokio::test]
async fn a_list_goes_on_whatever_members_are_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut ids = Vec::new();
    for handle in ["a", "b", "c"] {
        ids.push(make(&site, handle).await);
        h.advance(1);
    }
    let first = read(&site, &format!("{APPS}?search=shop&limit=1&fields=handle,id")).await;
    let records = first["data"].as_array().unwrap();
    assert!(records.iter().all(|record| record.as_object().unwrap().len() == 2), "{first}");
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = read(&site, &format!("{APPS}?search=shop&fields=id&cursor={cursor}")).await;
    let rest = rest["data"].as_array().unwrap();
    assert!(rest.iter().all(|record| record.as_object().unwrap().len() == 1), "{rest:?}");
    let mut found: Vec<_> =
        records.iter().chain(rest).map(|record| record["id"].as_str().unwrap().to_owned()).collect();
    found.sort();
    ids.sort();
    assert_eq!(found, ids);
    read(&site, &format!("{APPS}?search=shop&cursor={cursor}")).await;
}

#[tokio::test]
async fn a_member_that_there_is_not_is_refused_by_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (token, app) = (site.mint(|_| ()), site.app("web").await);
    let many = vec!["id"; 51].join(",");
    for (asked, says) in [
        ("fields=id,nmae", "fields: `nmae` is no member here; there are name, type, redirect_uris, "),
        ("fields=id,", "fields: `` is no member here"),
        ("fields=name.first", "fields: `name.first` leads into a member that has none of its own"),
        ("fields=data", "fields: `data` is no member here"),
        (&format!("fields={many}"), "fields: name at most 50 members"),
        ("fields=id&fields=name", "fields occurs twice"),
        ("fields=", "fields: name a member, or leave the parameter out"),
    ] {
        let one = format!("{APPS}/{}", app.id);
        for address in [APPS, one.as_str()] {
            let answer = site.call(Method::GET, &format!("{address}?{asked}"), Some(&token), None).await;
            let said = answer.expect(400).json()["error_description"].as_str().unwrap().to_owned();
            assert!(said.contains(says), "{address}, {asked}: {said}");
        }
    }
    let unknown = site.call(Method::GET, &format!("{APPS}?feilds=id"), Some(&token), None).await.expect(400);
    assert!(unknown.json()["error_description"].as_str().unwrap().ends_with("limit, cursor, fields"));
}

#[tokio::test]
async fn a_caller_who_may_not_read_learns_nothing_from_fields() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let address = format!("{APPS}?fields=nothing");
    let _ = site.call(Method::GET, &address, None, None).await.expect(401);
    let other = site.mint(|claims| claims["scope"] = json!("roles:read"));
    let _ = site.call(Method::GET, &address, Some(&other), None).await.expect(403);
}

fn takes_fields(item: &Value) -> bool {
    let parameters = item["get"]["parameters"].as_array().unwrap();
    parameters.iter().any(|parameter| parameter["name"] == "fields")
}

/// Reads of the management API that answer with a file.
const WHOLE: [&str; 3] = ["/api/v1/identity/data", "/api/v1/tenant-users/export", "/api/v1/audit/export"];

#[test]
fn every_read_of_the_management_api_takes_fields() {
    let document = compose::description().unwrap().at("https://id.example.com", |_| true);
    let paths = document["paths"].as_object().unwrap();
    let reads = paths.iter().filter(|(path, item)| path.starts_with("/api/v1/") && !item["get"].is_null());
    let (with, without): (Vec<_>, Vec<_>) = reads.partition(|(_, item)| takes_fields(item));
    let without: Vec<_> = without.into_iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(without, WHOLE, "list what answers with a file in WHOLE");
    assert!(with.len() > 60, "{}", with.len());
}
