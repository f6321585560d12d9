//! What the protocol endpoints read is what the document says that they take.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{document, operations};
use crate::docs::{files, root};

/// Where requests of applications and directories are read.
const READERS: &[&str] = &[
    "auth/src/authorize",
    "auth/src/clients",
    "auth/src/token",
    "auth/src/elsewhere/ciba",
    "auth/src/elsewhere/device/start.rs",
    "auth/src/account/sign_out.rs",
    "control/src/scim/listing.rs",
];
/// How they ask for one.
const CALLS: [&str; 6] =
    ["params.one(\"", "params.required(\"", "params.has(\"", "form.one(\"", "query.one(\"", "number(\""];
/// What is refused by its name, so that it is not ignored, and what one of our own forms has.
const UNDOCUMENTED: &[&str] = &["flow", "registration"];

fn documented() -> BTreeSet<String> {
    let document = document();
    let mut names = BTreeSet::new();
    for (_, operation) in operations(&document).into_iter().filter(|(name, _)| !name.contains("/api/")) {
        let query = operation["parameters"].as_array().unwrap().iter();
        names.extend(query.map(|parameter| parameter["name"].as_str().unwrap().to_owned()));
        let schema = &operation["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"];
        let forms = schema["oneOf"].as_array().into_iter().flatten().chain([schema]);
        for form in forms.filter_map(|form| form["$ref"].as_str()) {
            let form = document.pointer(form.trim_start_matches('#')).unwrap();
            names.extend(form["properties"].as_object().unwrap().keys().cloned());
        }
    }
    names
}

/// The names that sources ask a query or a form for.
fn read() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for reader in READERS {
        for file in files(&root("crates").join(reader)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for call in CALLS {
                let found = code.split(call).skip(1).filter_map(|rest| rest.split('"').next());
                names.extend(found.map(str::to_owned));
            }
        }
    }
    names
}

#[test]
fn every_parameter_that_is_read_is_documented() {
    let (read, documented) = (read(), documented());
    assert!(read.len() > 35, "{read:?}");
    let unknown: Vec<_> = read.iter().filter(|name| !documented.contains(*name)).collect();
    assert_eq!(unknown, UNDOCUMENTED.iter().filter(|name| read.contains(**name)).collect::<Vec<_>>());
}

#[test]
fn every_list_takes_a_limit_and_a_cursor() {
    let document = document();
    let mut count = 0;
    for (name, operation) in operations(&document) {
        let answer = &operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"];
        let Some(schema) = answer.as_str().and_then(|place| document.pointer(place.trim_start_matches('#')))
        else {
            continue;
        };
        if schema["properties"]["next_cursor"].is_null() {
            continue;
        }
        count += 1;
        let parameters = operation["parameters"].as_array().unwrap();
        for taken in ["limit", "cursor"] {
            let is_it = |one: &Value| one["name"] == taken && one["in"] == "query";
            assert!(parameters.iter().any(is_it), "{name} takes no {taken}");
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn reads_and_changes_of_provisioning_say_which_version_they_are_about() {
    let document = document();
    let resources = operations(&document)
        .into_iter()
        .filter(|(name, _)| name.ends_with("/scim/v2/Users/{id}") || name.ends_with("/scim/v2/Groups/{id}"));
    let mut count = 0;
    for (name, operation) in resources {
        let header = if name.starts_with("get ") { "if-none-match" } else { "if-match" };
        let mut parameters = operation["parameters"].as_array().unwrap().iter();
        assert!(parameters.any(|one| one["name"] == header && one["in"] == "header"), "{name}: {operation}");
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn what_is_read_with_a_version_is_changed_and_deleted_by_it() {
    let document = document();
    let mut count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        if methods["get"]["responses"]["200"]["headers"]["etag"].is_null() {
            continue;
        }
        for method in ["put", "patch", "delete"] {
            let Some(operation) = methods.get(method) else { continue };
            let mut parameters = operation["parameters"].as_array().unwrap().iter();
            assert!(parameters.any(|one| one["name"] == "if-match"), "{method} {path}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn every_documented_parameter_has_an_example_that_its_schema_takes() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let whole = serde_json::json!({ "allOf": [schema], "components": document["components"] });
        let judge = jsonschema::options().offline().build(&whole).unwrap();
        for example in schema["examples"].as_array().into_iter().flatten() {
            assert!(judge.is_valid(example), "{name}: {example}");
        }
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            for example in schema["examples"].as_array().into_iter().flatten().chain(schema.get("example")) {
                assert!(is_fit(schema, example), "{name}: {member}: {example}");
            }
        }
    }
}

#[test]
fn every_default_is_a_value_of_its_schema() {
    let document = document();
    let (mut members, mut defaults) = (serde_json::Map::new(), Vec::new());
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(default) = schema.get("default") {
                let member = format!("{name}.{member}");
                members.insert(member.clone(), schema.clone());
                defaults.push((member, default));
            }
        }
    }
    assert!(defaults.len() > 100, "{}", defaults.len());
    let whole = serde_json::json!({ "properties": members, "components": document["components"] });
    let judge = jsonschema::options().offline().build(&whole).unwrap();
    for (member, default) in defaults {
        assert!(judge.is_valid(&serde_json::json!({ &member: default })), "{member}: {default}");
    }
}

fn is_fit(schema: &Value, example: &Value) -> bool {
    jsonschema::is_valid(schema, example)
}
