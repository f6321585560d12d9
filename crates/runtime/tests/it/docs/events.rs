//! The reference of events and audit entries, which follows from their types.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use svc_core::events::{RESERVED, catalogue};
use svc_domain::log::Action;
use svc_domain::people::credentials::Kind;

use super::{same_as_committed, same_part_as_committed};

#[test]
fn the_event_reference_names_every_event_with_its_data() {
    let mut part = String::new();
    for event in catalogue() {
        part += &format!("### `{}`\n\n{}\n\n", event.name, event.about.trim());
        part += "| member | type | what it says |\n|---|---|---|\n";
        for member in event.members {
            let (type_name, about) = (json_type(member.type_name), member.about.trim());
            part += &format!("| `{}` | {type_name} | {about} |\n", member.name);
        }
        let example = serde_json::to_string_pretty(&event.example()["data"]).unwrap();
        part += &format!("\n```json\n{example}\n```\n\n");
    }
    part += "### Reserved\n\nTypes of features that do not exist yet: ";
    let reserved: Vec<_> = RESERVED.iter().map(|name| format!("`{name}`")).collect();
    part += &format!("{}.\n", reserved.join(", "));
    same_part_as_committed("reference/events.md", "types of events", &part);
}

#[test]
fn every_schema_of_an_event_is_published_and_takes_its_example() {
    let mut schemas = Map::new();
    for event in catalogue() {
        let (schema, example) = (event.schema(), event.example());
        let judge = jsonschema::options().offline().build(&schema).unwrap();
        assert!(judge.is_valid(&example), "{}: {example}", event.name);
        schemas.insert(event.name.to_owned(), schema);
    }
    let published = serde_json::to_string_pretty(&Value::Object(schemas)).unwrap();
    same_as_committed("reference/event-schemas.json", &format!("{published}\n"));
}

#[test]
fn the_events_of_credentials_name_every_kind_of_them_and_their_examples_one() {
    for name in ["account.credential_added", "account.credential_removed"] {
        let event = catalogue().find(|event| event.name == name).unwrap();
        let about = event.members.iter().find(|member| member.name == "kind").unwrap().about;
        for kind in Kind::ALL {
            assert!(about.contains(&format!("`{}`", kind.name())), "{name}: {kind:?}");
        }
        let example = event.example()["data"]["kind"].clone();
        assert!(Kind::ALL.iter().any(|kind| example == kind.name()), "{name}: {example}");
    }
}

#[test]
fn the_audit_reference_names_every_action() {
    let row = |(action, about): &(Action, &str)| format!("| `{}` | {} |\n", action.name(), about.trim());
    let rows: String = Action::ALL.iter().map(row).collect();
    let table = format!("| action | what happened |\n|---|---|\n{rows}");
    same_part_as_committed("reference/events.md", "actions of the audit log", &table);
}

/// What records are called by events, where that is not `admin.` and what the audit log calls them.
const CALLED: &[(&str, &str)] = &[
    ("account", "account"),
    ("organization", "org"),
    ("signing_key", "security.signing_key"),
    ("tenant_user", "admin.user"),
];
/// What is made, changed or deleted without an event of that name, and why.
const UNTOLD: &[(&str, &str)] = &[
    ("ciba_request.created", "a request, not a record; what the person decides is told by the tokens"),
    ("device_code.created", "a request, not a record; what the person decides is told by the tokens"),
    ("plan.created", "the operator's, for several tenants"),
    ("plan.updated", "the operator's, for several tenants"),
    ("plan.deleted", "the operator's, for several tenants"),
    ("scim_user.created", "the membership is told by `admin.user.created`"),
    ("scim_user.updated", "what changes of the person is told by `account.profile_changed` and others"),
    (
        "scim_group.created",
        "what a directory says gives no rights; what follows is `org.member.role_changed`",
    ),
    (
        "scim_group.updated",
        "what a directory says gives no rights; what follows is `org.member.role_changed`",
    ),
    (
        "scim_group.deleted",
        "what a directory says gives no rights; what follows is `org.member.role_changed`",
    ),
    ("session.created", "told by `auth.login.success`"),
    ("signal_stream.created", "the receiver's own, which makes it"),
    ("signal_stream.updated", "the receiver's own, which changes it"),
    ("signal_stream.deleted", "the receiver's own, which deletes it"),
    ("sso_connection.created", "told by `sso.configured`"),
    ("sso_connection.updated", "told by `sso.configured`"),
    ("sso_connection.deleted", "told by `sso.configured`"),
];

#[test]
fn whatever_is_made_changed_or_deleted_is_told_by_an_event_or_there_is_a_reason() {
    let events: BTreeSet<_> = catalogue().map(|event| event.name.to_owned()).collect();
    let mut untold = BTreeSet::new();
    for (action, _) in Action::ALL {
        let Some((record, what)) = action.name().rsplit_once('.') else { continue };
        if !["created", "updated", "deleted"].contains(&what) {
            continue;
        }
        let called = CALLED.iter().find(|(known, _)| *known == record);
        let called = called.map_or_else(|| format!("admin.{record}"), |(_, called)| (*called).to_owned());
        if !events.contains(&format!("{called}.{what}")) {
            untold.insert(action.name());
        }
    }
    assert_eq!(untold, UNTOLD.iter().map(|(action, _)| *action).collect());
}

/// The type of a member in JSON: ids and texts are strings.
fn json_type(name: &str) -> String {
    let name = name.replace(' ', "");
    if let Some(inner) = name.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{}, or null", json_type(inner));
    }
    match name.as_str() {
        "bool" => "boolean",
        "i64" | "u64" | "u32" => "number",
        "Vec<String>" => "array of strings",
        "Vec<Value>" => "array of objects",
        "Value" => "object",
        "Timestamp" => "string (RFC 3339)",
        _ => "string",
    }
    .to_owned()
}
