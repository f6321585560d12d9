//! `cargo xtask sdks resources`: the collections of the management API by name, for each package that calls it, from
//! `docs/openapi.json`.

mod languages;

use std::fs;

use serde_json::Value;

use crate::{Result, launch};

/// A list of the management API and what can be done with its records.
struct Collection {
    /// The words of its name, those of the collections that it is in before its own.
    words: Vec<String>,
    /// The parts of its path below `/api/v1`.
    parts: Vec<Part>,
    /// The methods of the list and of a record in it.
    methods: (Vec<String>, Vec<String>),
}

enum Part {
    Word(String),
    /// The id of a record, by a name such as `organization_id`.
    Id(String),
}

/// Writes the files that name the collections.
pub fn write() -> Result<()> {
    for (file, text) in files()? {
        fs::write(launch::root().join("sdks").join(file), text)?;
    }
    Ok(())
}

/// Refuses files that are not what the OpenAPI document makes of them.
pub fn check() -> Result<()> {
    for (file, text) in files()? {
        if fs::read_to_string(launch::root().join("sdks").join(file))? != text {
            return Err(format!(
                "sdks/{file} is not what docs/openapi.json says: cargo xtask sdks resources"
            )
            .into());
        }
    }
    Ok(())
}

fn files() -> Result<[(&'static str, String); 3]> {
    let document: Value =
        serde_json::from_str(&fs::read_to_string(launch::root().join("docs/openapi.json"))?)?;
    let collections = collections(&document).ok_or("docs/openapi.json has no paths")?;
    Ok([
        ("go/resources_generated.go", languages::go(&collections)),
        ("rust/src/management/generated.rs", languages::rust(&collections)),
        ("elixir/lib/svc/resources.ex", languages::elixir(&collections)),
    ])
}

/// Those paths of which GET gives a list, and those below which there are records.
fn collections(document: &Value) -> Option<Vec<Collection>> {
    let paths = document.get("paths")?.as_object()?;
    let mut found = Vec::new();
    for (path, operations) in paths {
        let Some(below) = path.strip_prefix("/api/v1/").filter(|_| !path.ends_with('}')) else { continue };
        let prefix = format!("{path}/{{");
        let is_record = |other: &str| {
            other.strip_prefix(&prefix).is_some_and(|rest| rest.find('}') == Some(rest.len() - 1))
        };
        let records: Vec<&Value> =
            paths.iter().filter(|(other, _)| is_record(other)).map(|(_, record)| record).collect();
        if !records.is_empty() && operations.get("get").is_some() || is_list(operations) {
            let methods = (methods(operations), records.into_iter().flat_map(methods).collect());
            let (words, parts) = named(below);
            found.push(Collection { words, parts, methods });
        }
    }
    found.sort_by(|one, other| one.words.cmp(&other.words));
    Some(found)
}

fn is_list(operations: &Value) -> bool {
    let schema = operations.pointer("/get/responses/200/content/application~1json/schema/$ref");
    schema.and_then(Value::as_str).is_some_and(|name| name.ends_with("List"))
}

fn methods(operations: &Value) -> Vec<String> {
    let known = |name: &&str| operations.get(*name).is_some();
    ["get", "post", "put", "patch", "delete"].iter().copied().filter(known).map(str::to_owned).collect()
}

fn named(below: &str) -> (Vec<String>, Vec<Part>) {
    let all: Vec<&str> = below.split('/').collect();
    let (mut words, mut parts) = (Vec::new(), Vec::new());
    let mut owner = String::new();
    for (number, text) in all.iter().enumerate() {
        if text.starts_with('{') {
            parts.push(Part::Id(format!("{owner}_id")));
            continue;
        }
        let plain = text.replace('-', "_");
        owner = singular(&plain);
        let name = if number + 1 == all.len() { &plain } else { &owner };
        words.extend(name.split('_').map(str::to_owned));
        parts.push(Part::Word((*text).to_owned()));
    }
    (words, parts)
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_collection_of_the_openapi_document_is_named_in_every_package() {
        check().unwrap();
    }

    #[test]
    fn names_tell_apart_what_a_collection_is_in() {
        let (words, parts) = named("organizations/{id}/trusted-issuers/{issuer_id}/subjects");
        assert_eq!(words.join("_"), "organization_trusted_issuer_subjects");
        let ids: Vec<&str> = parts
            .iter()
            .filter_map(|part| if let Part::Id(name) = part { Some(&**name) } else { None })
            .collect();
        assert_eq!(ids, ["organization_id", "trusted_issuer_id"]);
    }
}
