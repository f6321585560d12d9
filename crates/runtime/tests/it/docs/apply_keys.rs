//! The keys of declarative files: what the page lists is what the reader takes.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_runtime::apply::Seed;
use svc_runtime::compose;

use super::{root, same_part_as_committed};

const TENANT: &str = "[[tenant]]\nslug = 'a'\nname = 'A'\n";
const API: &str = "[[tenant.api]]\nidentifier = 'https://api.example'\nname = 'A'\n";

/// The keys that the reader would have taken where it finds one that it does not know.
fn taken(text: &str) -> BTreeSet<String> {
    let error = Seed::parse(&format!("{TENANT}{text}")).unwrap_err().to_string();
    let (_, names) = error.split_once("; expected ").unwrap();
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The keys that the tables under a heading of the page list, in their first column.
fn listed(heading: &str) -> BTreeSet<String> {
    let page = std::fs::read_to_string(root("docs/reference/apply.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n### {heading}\n")).unwrap();
    let section = section.split("\n##").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let keys = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    keys.map(str::to_owned).collect()
}

#[test]
fn the_page_lists_the_keys_that_the_reader_takes() {
    for (heading, text) in [
        ("`[[tenant]]`", "unknown = 1\n".to_owned()),
        ("Settings of a tenant", "settings = { unknown = 1 }\n".to_owned()),
        (
            "`[[tenant.application]]`",
            "[[tenant.application]]\nhandle = 'a'\nname = 'A'\nunknown = 1\n".to_owned(),
        ),
        ("`[[tenant.api]]`", format!("{API}unknown = 1\n")),
        ("Scopes of an API", format!("{API}scopes = [{{ unknown = 1 }}]\n")),
        ("`[[tenant.user]]`", "[[tenant.user]]\nunknown = 1\n".to_owned()),
        ("Claims of a person", "[[tenant.user]]\nusername = 'a'\nclaims = { unknown = 1 }\n".to_owned()),
    ] {
        assert_eq!(listed(heading), taken(&text), "{heading}");
    }
    // Of these the reader takes some keys apart from the record.
    for (heading, text, apart) in [
        (
            "`[[tenant.organization]]`",
            "[[tenant.organization]]\nslug = 'a'\nowner = 'a'\n",
            &["slug", "owner", "status", "sign_in", "member", "texts"][..],
        ),
        ("`[[tenant.policy]]`", "[[tenant.policy]]\n", &["status", "organization"]),
        (
            "`[[tenant.trusted_issuer]]`",
            "[[tenant.trusted_issuer]]\nissuer = 'https://a.example'\n",
            &["issuer", "enabled", "organization"],
        ),
        ("`[[tenant.webhook]]`", "[[tenant.webhook]]\n", &["active", "secret", "secret_env"]),
        ("`[[tenant.hook]]`", "[[tenant.hook]]\n", &["module", "applications", "secret", "secret_env"]),
        (
            "`[[tenant.connector]]`",
            "[[tenant.connector]]\nname = 'a'\n",
            &["client_secret", "client_secret_env"],
        ),
        (
            "`[[tenant.sso_connection]]`",
            "[[tenant.sso_connection]]\norganization = 'a'\n",
            &["organization", "client_secret", "client_secret_env"],
        ),
        ("`[[tenant.audit_stream]]`", "[[tenant.audit_stream]]\n", &["active", "secret", "secret_env"]),
        ("`[[tenant.scim_target]]`", "[[tenant.scim_target]]\n", &["active", "secret", "secret_env"]),
    ] {
        let mut taken = taken(&format!("{text}unknown = 1\n"));
        taken.extend(apart.iter().map(|key| (*key).to_owned()));
        assert_eq!(listed(heading), taken, "{heading}");
    }
}

#[test]
fn the_tables_of_applications_and_apis_are_those_of_the_types() {
    let document = compose::description().unwrap().at("https://id.example.com", |_| true);
    for (part, schema, of_the_api) in [
        ("keys of an application", "NewApplication", &["handle"][..]),
        ("keys of an API", "NewApi", &["identifier"][..]),
    ] {
        let mut properties = Vec::new();
        collect(&document, &document["components"]["schemas"][schema], &mut properties);
        let rows = properties.iter().filter(|(key, _)| !of_the_api.contains(&key.as_str()));
        let rows: String = rows.map(|(key, property)| row(&document, key, property)).collect();
        let table = format!("| key | value | default | meaning |\n|---|---|---|---|\n{rows}");
        same_part_as_committed("reference/apply.md", part, &table);
    }
}

/// The properties of a schema and of the parts that it is made of, in their order.
fn collect<'a>(document: &'a Value, schema: &'a Value, properties: &mut Vec<(String, &'a Value)>) {
    let schema = resolved(document, schema);
    for part in schema["allOf"].as_array().into_iter().flatten() {
        collect(document, part, properties);
    }
    let own = schema["properties"].as_object().into_iter().flatten();
    properties.extend(own.map(|(key, property)| (key.clone(), property)));
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
    target.map_or(schema, |target| document.pointer(target).unwrap())
}

fn row(document: &Value, key: &str, property: &Value) -> String {
    let mut values = Vec::new();
    kinds(document, property, &mut values);
    let choice = property["oneOf"].as_array().and_then(|choices| choices.first());
    let meaning = [Some(property), choice]
        .into_iter()
        .flatten()
        .find_map(|from| from["description"].as_str())
        .unwrap_or_default()
        .replace('\n', " ");
    let default = match &property["default"] {
        Value::Null => String::new(),
        Value::String(text) if text.is_empty() => String::new(),
        default => format!("`{default}`"),
    };
    format!("| `{key}` | {} | {default} | {meaning} |\n", values.join(", "))
}

/// What a value may be: its words where they are few, else its kind.
fn kinds(document: &Value, schema: &Value, values: &mut Vec<String>) {
    let schema = resolved(document, schema);
    let choices = ["oneOf", "anyOf"].iter().filter_map(|name| schema[*name].as_array()).flatten();
    for choice in choices {
        kinds(document, choice, values);
    }
    if let Some(words) = schema["enum"].as_array() {
        values.extend(words.iter().map(|word| format!("`{word}`")));
        return;
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    values.extend(match kind {
        None | Some("null") => None,
        Some("array") => Some("list".to_owned()),
        Some("object") => Some("table".to_owned()),
        Some("boolean") => Some("`true`, `false`".to_owned()),
        Some(kind) => Some(if kind == "string" { "text" } else { kind }.to_owned()),
    });
}
