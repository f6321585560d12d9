//! Ids of other tenants where they are not in the path: in queries, and in the documents that operations take.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_http::Method;

use super::{OFFERED, Operation, Records, body_of, document, operations, path_of, records, suit, visible};
use crate::harness::{Answer, Harness, Site};

/// Members and parameters that end like ids and name no record of the tenant.
const OF_NO_RECORD: &[&str] =
    &["request_id", "client_id", "external_id", "access_key_id", "plan_id", "team_id", "key_id"];

/// The record that a parameter names.
fn queried(path: &str, parameter: &str) -> &'static str {
    match (path, parameter) {
        ("/api/v1/delegations", "actor") => "applications",
        (_, "actor") => "{sub}",
        (_, "target" | "tenant_user_id" | "owner_id") => "tenant-users",
        (_, "staff_id") => "{helped}",
        (_, "organization_id") => "organizations",
        (_, "application_id") => "applications",
        (_, "group_id") => "groups",
        (_, "stream_id") => "ssf",
        (_, other) => panic!("{path}: say which record `{other}` names"),
    }
}

/// The record that a member of a document names.
fn named(member: &str) -> &'static str {
    match member {
        "organization_id" | "organization_ids" => "organizations",
        "owner_id" | "tenant_user_id" => "{tenant_user_id}",
        "application_id" | "application_ids" => "applications",
        "group_ids" => "groups",
        "module_id" => "hook-modules",
        "stream_id" => "ssf",
        "terms_id" => "{terms_id}",
        other => panic!("say which record `{other}` names"),
    }
}

fn is_id(name: &str) -> bool {
    (name.ends_with("_id") || name.ends_with("_ids")) && !OF_NO_RECORD.contains(&name)
}

/// The documentation of an operation.
fn described(operation: &Operation) -> &'static Value {
    &document()["paths"][operation.path][operation.method.as_str().to_lowercase()]
}

/// What an answer says, whatever the id and the request.
fn settled(answer: &Answer, id: &str) -> (u16, String) {
    let (status, _, body) = visible(answer);
    (status, body.replace(id, "the id"))
}

#[tokio::test]
async fn a_query_with_another_tenants_id_finds_what_an_unknown_id_finds() {
    let h = Harness::with(OFFERED).await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let (own, theirs) = (records(&acme).await, records(&globex).await);
    let nothing = own.of_nothing(&h);
    let mut count = 0;
    for operation in operations(&h).iter().filter(|operation| operation.method == Method::GET) {
        let parameters = described(operation)["parameters"].as_array().into_iter().flatten();
        let names = parameters.filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap());
        for name in names.filter(|name| is_id(name) || ["actor", "target"].contains(name)) {
            let record = queried(operation.path, name);
            let token = acme.mint(|claims| suit(claims, operation, &own));
            let asked = async |records: &Records| {
                let path = path_of(operation, &own);
                let path = path.split('?').next().unwrap();
                // What has no prefix has no id that nothing has either.
                let id = Some(records.of(record)).filter(|id| !id.is_empty()).unwrap_or("nobody");
                let answer = acme.call(Method::GET, &format!("{path}?{name}={id}"), Some(&token), None).await;
                settled(&answer, id)
            };
            let (foreign, unknown) = (asked(&theirs).await, asked(&nothing).await);
            assert_eq!(foreign, unknown, "{operation:?} {name}");
            let found: Value = serde_json::from_str(&foreign.1).unwrap_or_default();
            let is_empty = found["data"].as_array().is_none_or(Vec::is_empty);
            assert!(foreign.0 == 404 || (foreign.0 == 200 && is_empty), "{operation:?} {name}: {foreign:?}");
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

/// The members of what an operation takes that name records, each with the names of those around it.
fn references(schema: &Value, within: &[String], seen: &mut BTreeSet<String>) -> Vec<Vec<String>> {
    if let Some(name) = schema["$ref"].as_str() {
        if !seen.insert(name.to_owned()) {
            return Vec::new();
        }
        let found = references(document().pointer(name.trim_start_matches('#')).unwrap(), within, seen);
        seen.remove(name);
        return found;
    }
    let mut found = Vec::new();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = [within, &[name.clone()]].concat();
        if is_id(name) {
            found.push(path.clone());
        }
        found.extend(references(member, &path, seen));
    }
    for several in ["allOf", "oneOf", "anyOf"] {
        let parts = schema[several].as_array().into_iter().flatten();
        found.extend(parts.flat_map(|part| references(part, within, seen)).collect::<Vec<_>>());
    }
    found
}

/// Puts an id where it is asked for, in the form that its member has.
fn put(body: &mut Value, path: &[String], id: &str) {
    let (name, around) = path.split_last().unwrap();
    let place = around.iter().fold(body, |place, name| {
        let members = place.as_object_mut().unwrap();
        // A record that says for whom it is says it once.
        members.insert(name.clone(), Value::Object(Map::new()));
        &mut members[name]
    });
    let value = if name.ends_with("_ids") { json!([id]) } else { json!(id) };
    let members = place.as_object_mut().unwrap();
    members.insert(name.clone(), value);
    if name == "module_id" {
        members.remove("url");
    }
}

async fn sent(
    site: &Site<'_>,
    (operation, own): (&Operation, &Records),
    (path, id): (&[String], &str),
) -> Answer {
    let token = site.mint(|claims| suit(claims, operation, own));
    let mut body = body_of(operation, own);
    put(&mut body, path, id);
    site.call(operation.method.clone(), &path_of(operation, own), Some(&token), Some(body)).await
}

#[tokio::test]
async fn a_document_that_names_another_tenants_record_is_refused_like_one_that_names_nothing() {
    let h = Harness::with(OFFERED).await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let (own, theirs) = (records(&acme).await, records(&globex).await);
    let nothing = own.of_nothing(&h);
    let mut met = BTreeSet::new();
    for operation in &operations(&h) {
        let content = described(operation)["requestBody"]["content"].as_object();
        let schemas = content.into_iter().flatten().map(|(_, content)| &content["schema"]);
        let paths: BTreeSet<_> =
            schemas.flat_map(|schema| references(schema, &[], &mut BTreeSet::new())).collect();
        for path in paths {
            let member = path.last().unwrap();
            let (foreign, unknown) = (theirs.of(named(member)), nothing.of(named(member)));
            let unknown_id = sent(&acme, (operation, &own), (&path, unknown)).await;
            let foreign_id = sent(&acme, (operation, &own), (&path, foreign)).await;
            assert_eq!(
                settled(&foreign_id, foreign),
                settled(&unknown_id, unknown),
                "{operation:?} {path:?}"
            );
            assert!((400..500).contains(&foreign_id.status), "{operation:?} {path:?}: {foreign_id:?}");
            met.insert(member.clone());
        }
    }
    assert!(met.len() >= 8, "{met:?}");
}
