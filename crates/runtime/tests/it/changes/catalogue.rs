//! The page of events and audit entries, made of the types and compared with what is committed.

use svc_core::events::{CATALOGUE, RESERVED};
use svc_domain::log::Action;

use crate::openapi::same_as_committed;

const EVENTS: &str = "\
# Events and audit entries

Whatever changes something writes the row, an audit entry and its events in one transaction: all of them are there, or
none. `GET /api/v1/audit` reads the entries. Events are kept in the outbox for a month; webhooks, which will deliver
them, are not there yet.

## Events

An event is a JSON document with `id` (the same in every attempt and for every receiver), `type`, `api_version` (`v1`),
`created_at`, `tenant_id` and `data`. `data` has ids and facts, never secrets or tokens.
";

const AUDIT: &str = "
## Audit entries

An entry has `id`, `at`, `actor_kind` (`user`, `application`, `operator`, `system` or `anonymous`), `actor_id`, `action`,
`target` (an id), `outcome` (`success` or `denied`), `request_id`, `client_ip` and `detail`. Where nothing else is said,
the target is what was changed.

| action | what happened |
|---|---|
";

#[test]
fn the_page_names_every_event_with_its_data_and_every_action() {
    let mut page = String::from(EVENTS);
    for event in CATALOGUE {
        page += &format!("\n### `{}`\n\n{}\n", event.name, event.about.trim());
        page += "\n| member | type | what it says |\n|---|---|---|\n";
        for member in event.members {
            page += &format!(
                "| `{}` | {} | {} |\n",
                member.name,
                json_type(member.type_name),
                member.about.trim()
            );
        }
    }
    page += "\n### Reserved\n\nTypes of features that are not there yet; subscriptions may name them already.\n\n";
    page += &RESERVED.iter().map(|name| format!("- `{name}`\n")).collect::<String>();
    page += AUDIT;
    for (action, about) in Action::ALL {
        page += &format!("| `{}` | {} |\n", action.name(), about.trim());
    }
    same_as_committed("events.md", &page);
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
