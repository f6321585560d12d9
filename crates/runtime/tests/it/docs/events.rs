//! The reference of events and audit entries, which follows from their types.

use svc_core::events::{RESERVED, catalogue};
use svc_domain::log::Action;

use super::same_part_as_committed;

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
        part.push('\n');
    }
    part += "### Reserved\n\nTypes of features that do not exist yet: ";
    let reserved: Vec<_> = RESERVED.iter().map(|name| format!("`{name}`")).collect();
    part += &format!("{}.\n", reserved.join(", "));
    same_part_as_committed("reference/events.md", "types of events", &part);
}

#[test]
fn the_audit_reference_names_every_action() {
    let row = |(action, about): &(Action, &str)| format!("| `{}` | {} |\n", action.name(), about.trim());
    let rows: String = Action::ALL.iter().map(row).collect();
    let table = format!("| action | what happened |\n|---|---|\n{rows}");
    same_part_as_committed("reference/events.md", "actions of the audit log", &table);
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
        "Value" => "object",
        "Timestamp" => "string (RFC 3339)",
        _ => "string",
    }
    .to_owned()
}
