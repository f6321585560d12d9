//! What became of a record: the members in which two of its documents differ, each with what it was and what it is.
//!
//! A document of the management API has no secret, and so neither has what is made of two of them. Members whose names speak of secrets
//! are masked all the same.

use serde_json::{Map, Value as Json, json};

/// What changes with every change, and says nothing.
const NOISE: [&str; 3] = ["updated_at", "version", "created_at"];
/// Words of the names of members whose values are not shown.
const SECRETS: [&str; 4] = ["secret", "password", "authorization_header", "private_key"];
/// Instead of their values.
const MASK: &str = "***";
/// Longest value that is recorded whole, as a JSON text.
const LONGEST: usize = 4_096;

/// The members that differ. What is null, and what is not there, is the same.
pub(super) fn between(before: &Json, after: &Json) -> Map<String, Json> {
    let none = Map::new();
    let (before, after) = (before.as_object().unwrap_or(&none), after.as_object().unwrap_or(&none));
    let mut changes = Map::new();
    let added = after.keys().filter(|name| !before.contains_key(*name));
    for name in before.keys().chain(added).filter(|name| !NOISE.contains(&name.as_str())) {
        let (was, is) = (before.get(name).unwrap_or(&Json::Null), after.get(name).unwrap_or(&Json::Null));
        if was != is {
            changes.insert(name.clone(), json!({ "before": told(name, was), "after": told(name, is) }));
        }
    }
    changes
}

fn told(name: &str, value: &Json) -> Json {
    let is_secret = |name: &str| SECRETS.iter().any(|word| name.contains(word));
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
        _ if is_secret(name) => MASK.into(),
        Json::Object(members) if value.to_string().len() <= LONGEST => {
            members.iter().map(|(name, value)| (name.clone(), told(name, value))).collect()
        }
        Json::Array(values) if value.to_string().len() <= LONGEST => {
            values.iter().map(|value| told(name, value)).collect()
        }
        _ if value.to_string().len() <= LONGEST => value.clone(),
        _ => json!({ "omitted": format!("{} bytes", value.to_string().len()) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(before: &Json, after: &Json) -> Json {
        Json::Object(super::between(before, after))
    }

    #[test]
    fn what_differs_is_told_with_what_it_was() {
        let before =
            json!({ "name": "a", "roles": ["x"], "kept": 1, "gone": true, "version": 1, "none": null });
        let after = json!({ "name": "b", "roles": ["x", "y"], "kept": 1, "new": "n", "version": 2 });
        let expected = json!({
            "name": { "before": "a", "after": "b" },
            "roles": { "before": ["x"], "after": ["x", "y"] },
            "gone": { "before": true, "after": null },
            "new": { "before": null, "after": "n" },
        });
        assert_eq!(between(&before, &after), expected);
    }

    #[test]
    fn a_record_that_is_made_or_deleted_is_told_whole() {
        let record = json!({ "id": "r", "created_at": "now" });
        assert_eq!(between(&Json::Null, &record), json!({ "id": { "before": null, "after": "r" } }));
        assert_eq!(between(&record, &Json::Null), json!({ "id": { "before": "r", "after": null } }));
    }

    #[test]
    fn a_secret_is_masked_wherever_it_is_and_a_long_value_is_not_told() {
        let after =
            json!({ "client_secret": "s", "nested": { "password": "p", "kept": 1 }, "has_secret": true });
        let expected = json!({
            "client_secret": { "before": null, "after": "***" },
            "nested": { "before": null, "after": { "password": "***", "kept": 1 } },
            "has_secret": { "before": null, "after": true },
        });
        assert_eq!(between(&json!({}), &after), expected);
        let long = between(&json!({}), &json!({ "text": "x".repeat(5_000) }));
        assert_eq!(long["text"]["after"], json!({ "omitted": "5002 bytes" }));
    }
}
