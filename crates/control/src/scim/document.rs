//! Resources as directories send them: read leniently, kept without loss, in the names of the schema (RFC 7643 §2, RFC 7644 §3.3).

use serde_json::{Map, Value};
use svc_core::{Error, Result};

use super::schema::{Attribute, Kind, Schema};

/// What the service alone says, or never stores.
const NOT_THEIRS: &[&str] = &["schemas", "id", "meta", "password", "externalId"];

/// A resource that was sent: names in the case of the schema, texts of truth values as such, single values of multi-valued attributes
/// as lists; without what is unassigned. An attribute of no schema is kept as it came.
pub(super) fn accepted(sent: Map<String, Value>, schema: &'static Schema) -> Result<Map<String, Value>> {
    let mut kept = Map::new();
    for (name, value) in sent {
        if NOT_THEIRS.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
            continue;
        }
        if let Some(extension) = schema.extended(&name) {
            let Value::Object(members) = value else {
                return Err(misfit(extension.id, "expected an object"));
            };
            let members = accepted_members(members, extension)?;
            if !members.is_empty() {
                kept.insert(extension.id.to_owned(), Value::Object(members));
            }
            continue;
        }
        accept(&mut kept, name, value, schema)?;
    }
    if let Some(missing) = schema.attributes.iter().find(|of| of.is_required && !kept.contains_key(of.name)) {
        return Err(misfit(missing.name, "this is required"));
    }
    Ok(kept)
}

fn accepted_members(sent: Map<String, Value>, schema: &'static Schema) -> Result<Map<String, Value>> {
    let mut kept = Map::new();
    // Some directories say of the extension itself which schema it has.
    for (name, value) in sent.into_iter().filter(|(name, _)| !name.eq_ignore_ascii_case("schemas")) {
        accept(&mut kept, name, value, schema)?;
    }
    Ok(kept)
}

fn accept(kept: &mut Map<String, Value>, name: String, value: Value, schema: &'static Schema) -> Result<()> {
    let Some(attribute) = schema.attribute(&name) else {
        if !is_unassigned(&value) {
            kept.insert(name, value);
        }
        return Ok(());
    };
    if attribute.is_read_only {
        return Ok(());
    }
    let value = fitted(value, attribute)?;
    if !is_unassigned(&value) && kept.insert(attribute.name.to_owned(), value).is_some() {
        return Err(misfit(attribute.name, "it occurs twice"));
    }
    Ok(())
}

/// The value of an attribute as its schema has it.
pub(super) fn fitted(value: Value, attribute: &Attribute) -> Result<Value> {
    if value.is_null() || !attribute.is_multi {
        return fitted_one(value, attribute);
    }
    let values = match value {
        Value::Array(values) => values,
        single => vec![single],
    };
    let values = values.into_iter().map(|value| fitted_one(value, attribute)).collect::<Result<Vec<_>>>()?;
    let values: Vec<_> = values.into_iter().filter(|value| !is_unassigned(value)).collect();
    let is_primary = |value: &&Value| value.get("primary") == Some(&Value::Bool(true));
    if values.iter().filter(is_primary).count() > 1 {
        return Err(misfit(attribute.name, "one value at most is primary"));
    }
    Ok(Value::Array(values))
}

fn fitted_one(value: Value, attribute: &Attribute) -> Result<Value> {
    match (attribute.kind, value) {
        (_, Value::Null) => Ok(Value::Null),
        (Kind::Complex, Value::Object(members)) => fitted_parts(members, attribute).map(Value::Object),
        // Entra sends a manager, and others an address, as the value alone.
        (Kind::Complex, Value::String(text)) if attribute.part("value").is_some() => {
            let value = Value::String(text);
            Ok(if is_unassigned(&value) { Value::Null } else { serde_json::json!({ "value": value }) })
        }
        (Kind::Complex, _) => Err(misfit(attribute.name, "expected an object")),
        (Kind::Boolean, Value::Bool(value)) => Ok(Value::Bool(value)),
        (Kind::Boolean, Value::String(text)) => {
            let text = text.to_ascii_lowercase();
            text.parse().map(Value::Bool).map_err(|_| misfit(attribute.name, "expected true or false"))
        }
        (Kind::Boolean, _) => Err(misfit(attribute.name, "expected true or false")),
        (_, Value::String(text)) => Ok(Value::String(text)),
        (_, Value::Number(number)) => Ok(Value::String(number.to_string())),
        _ => Err(misfit(attribute.name, "expected a text")),
    }
}

fn fitted_parts(sent: Map<String, Value>, attribute: &Attribute) -> Result<Map<String, Value>> {
    let mut kept = Map::new();
    for (name, value) in sent {
        let (name, value) = match attribute.part(&name) {
            Some(part) => (part.name.to_owned(), fitted_one(value, part)?),
            None => (name, value),
        };
        if !is_unassigned(&value) {
            kept.insert(name, value);
        }
    }
    Ok(kept)
}

/// What is null or empty has no value (RFC 7643 §2.5).
pub(super) fn is_unassigned(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// An attribute with a value that it cannot have.
pub(super) fn misfit(name: &str, why: &str) -> Error {
    Error::bad_request(format!("{name}: {why}")).called("invalidValue")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scim::schema::{ENTERPRISE, USERS};

    fn read(sent: &Value) -> Result<Value> {
        accepted(sent.as_object().unwrap().clone(), &USERS).map(Value::Object)
    }

    #[test]
    fn a_resource_is_read_leniently_and_kept_without_loss() {
        let sent = json!({
            "schemas": ["x"], "id": "usr_1", "password": "secret", "USERNAME": "ada", "Active": "False", "title": null, "emails": "a@b.example",
            "urn:IETF:params:scim:schemas:extension:enterprise:2.0:user": { "manager": "usr_2", "Department": "R&D", "badge": 7 },
            "urn:example:hat": { "size": 58 }, "groups": [{ "value": "g" }], "shoe": [1],
        });
        let kept = json!({
            "userName": "ada", "active": false, "emails": [{ "value": "a@b.example" }],
            ENTERPRISE: { "manager": { "value": "usr_2" }, "department": "R&D", "badge": 7 },
            "urn:example:hat": { "size": 58 }, "shoe": [1],
        });
        assert_eq!(read(&sent).unwrap(), kept);
    }

    #[test]
    fn a_value_that_does_not_fit_is_named() {
        for (sent, detail) in [
            (json!({}), "userName: this is required"),
            (json!({ "userName": "" }), "userName: this is required"),
            (json!({ "userName": ["a"] }), "userName: expected a text"),
            (json!({ "userName": "a", "active": "maybe" }), "active: expected true or false"),
            (json!({ "userName": "a", "active": 1 }), "active: expected true or false"),
            (json!({ "userName": "a", "name": "Ada" }), "name: expected an object"),
            (json!({ "userName": "a", "emails": [3] }), "emails: expected an object"),
            (json!({ "userName": "a", "username": "b" }), "userName: it occurs twice"),
            (
                json!({ "userName": "a", "emails": [{ "value": "a", "primary": true }, { "value": "b", "primary": true }] }),
                "emails: one value at most is primary",
            ),
        ] {
            let error = read(&sent).unwrap_err();
            assert_eq!((error.detail(), error.word()), (detail, Some("invalidValue")));
        }
    }
}
