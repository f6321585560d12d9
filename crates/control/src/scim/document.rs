//! Resources as directories send them: read leniently, kept without loss, in the names of the schema (RFC 7643 §2, RFC 7644 §3.3).

use std::borrow::Cow;

use serde_json::{Map, Number, Value};
use svc_core::{Error, Result, Timestamp};
use svc_keys::{from_base64, from_base64url};

use super::filter::plain;
use super::schema::{Attribute, Kind, Schema};

/// What the service alone says, or never stores.
const NOT_THEIRS: &[&str] = &["schemas", "id", "meta", "password", "externalId"];

/// Most values of a declared attribute.
const MOST_VALUES: usize = 100;
/// Most characters of a text of a declared attribute.
const LONGEST_TEXT: usize = 4096;

/// A resource that was sent: names in the case of the schema, texts of truth values as such, single values of multi-valued attributes
/// as lists; without what is unassigned. An attribute of no schema is kept as it came.
pub(super) fn accepted(sent: Map<String, Value>, schema: &Schema) -> Result<Map<String, Value>> {
    check_schemas(&sent, schema)?;
    let mut kept = Map::new();
    for (name, value) in sent {
        if NOT_THEIRS.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
            continue;
        }
        if let Some(extension) = schema.extended(&name) {
            // Unassigned (RFC 7643 §2.5).
            if value.is_null() {
                continue;
            }
            let Value::Object(members) = value else {
                return Err(misfit(&extension.id, "expected an object"));
            };
            let members = accepted_members(members, extension)?;
            if !members.is_empty() {
                kept.insert(extension.id.to_string(), Value::Object(members));
            }
            continue;
        }
        accept(&mut kept, name, value, schema)?;
    }
    check_required(&schema.attributes, &kept)?;
    Ok(kept)
}

/// Refuses a resource that says that it is of other schemas than its own (RFC 7643 §3). Some clients say nothing, and Entra names one
/// of Microsoft besides.
fn check_schemas(sent: &Map<String, Value>, schema: &Schema) -> Result<()> {
    let named = match plain(sent, "schemas") {
        None => return Ok(()),
        Some(value) if is_unassigned(value) => return Ok(()),
        Some(Value::Array(named)) => named.as_slice(),
        Some(single) => std::slice::from_ref(single),
    };
    let is_own = |name: &str| name.eq_ignore_ascii_case(&schema.id);
    if named.iter().all(Value::is_string) && named.iter().filter_map(Value::as_str).any(is_own) {
        return Ok(());
    }
    Err(misfit("schemas", &format!("expected a list of URNs with {} in it", schema.id)))
}

fn check_required(attributes: &[Attribute], kept: &Map<String, Value>) -> Result<()> {
    match attributes.iter().find(|of| of.is_required && !kept.contains_key(of.name.as_ref())) {
        Some(missing) => Err(misfit(&missing.name, "this is required")),
        None => Ok(()),
    }
}

/// The members of an extension as its schema has them; none where nothing has a value.
pub(super) fn accepted_members(sent: Map<String, Value>, schema: &Schema) -> Result<Map<String, Value>> {
    let mut kept = Map::new();
    // Some directories say of the extension itself which schema it has.
    for (name, value) in sent.into_iter().filter(|(name, _)| !name.eq_ignore_ascii_case("schemas")) {
        if schema.is_closed && schema.attribute(&name).is_none() {
            return Err(misfit(
                &format!("{}:{}", schema.id, beginning(&name)),
                "the schema has no such attribute",
            ));
        }
        accept(&mut kept, name, value, schema)?;
    }
    if !kept.is_empty() {
        check_required(&schema.attributes, &kept)?;
    }
    Ok(kept)
}

fn accept(kept: &mut Map<String, Value>, name: String, value: Value, schema: &Schema) -> Result<()> {
    let Some(attribute) = schema.attribute(&name) else {
        if !is_unassigned(&value) {
            kept.insert(name, value);
        }
        return Ok(());
    };
    if attribute.is_read_only() {
        return Ok(());
    }
    let value = fitted(value, attribute)?;
    if !is_unassigned(&value) && kept.insert(attribute.name.to_string(), value).is_some() {
        return Err(misfit(&attribute.name, "it occurs twice"));
    }
    Ok(())
}

/// The value of an attribute as its schema has it.
pub(super) fn fitted(value: Value, attribute: &Attribute) -> Result<Value> {
    if value.is_null() || !attribute.is_multi {
        return fitted_one(single(value, attribute), attribute);
    }
    let values = match value {
        Value::Array(values) => values,
        single => vec![single],
    };
    let values = values.into_iter().map(|value| fitted_one(value, attribute)).collect::<Result<Vec<_>>>()?;
    let values: Vec<_> = values.into_iter().filter(|value| !is_unassigned(value)).collect();
    if attribute.is_strict && values.len() > MOST_VALUES {
        return Err(misfit(&attribute.name, "use at most 100 values"));
    }
    let is_primary = |value: &&Value| value.get("primary") == Some(&Value::Bool(true));
    if values.iter().filter(is_primary).count() > 1 {
        return Err(misfit(&attribute.name, "one value at most is primary"));
    }
    Ok(Value::Array(values))
}

/// Entra sends the one manager as a list.
fn single(value: Value, attribute: &Attribute) -> Value {
    match value {
        Value::Array(mut values)
            if values.len() == 1 && attribute.kind == Kind::Complex && !attribute.is_strict =>
        {
            values.pop().unwrap_or_default()
        }
        value => value,
    }
}

fn fitted_one(value: Value, attribute: &Attribute) -> Result<Value> {
    let value = fitted_kind(value, attribute)?;
    if attribute.is_strict {
        check_strictly(&value, attribute)?;
    }
    Ok(value)
}

fn fitted_kind(value: Value, attribute: &Attribute) -> Result<Value> {
    match (attribute.kind, value) {
        (_, Value::Null) => Ok(Value::Null),
        (Kind::Complex, Value::Object(members)) => fitted_parts(members, attribute).map(Value::Object),
        // Entra sends a manager, and others an address, as the value alone.
        (Kind::Complex, Value::String(text)) if attribute.part("value").is_some() => {
            let value = Value::String(text);
            Ok(if is_unassigned(&value) { Value::Null } else { serde_json::json!({ "value": value }) })
        }
        (Kind::Complex, _) => Err(misfit(&attribute.name, "expected an object")),
        (Kind::Boolean, Value::Bool(value)) => Ok(Value::Bool(value)),
        (Kind::Boolean, Value::String(text)) => {
            let text = text.to_ascii_lowercase();
            text.parse().map(Value::Bool).map_err(|_| misfit(&attribute.name, "expected true or false"))
        }
        (Kind::Boolean, _) => Err(misfit(&attribute.name, "expected true or false")),
        (Kind::Integer | Kind::Decimal, Value::String(text)) if text.is_empty() => Ok(Value::Null),
        (Kind::Integer, value) => {
            whole(&value).map(Value::from).ok_or_else(|| misfit(&attribute.name, "expected a whole number"))
        }
        (Kind::Decimal, value) => {
            number(value).map(Value::Number).ok_or_else(|| misfit(&attribute.name, "expected a number"))
        }
        (_, Value::String(text)) => Ok(Value::String(text)),
        // A number as well (RFC 7644 §3.12): its digits need not be those of the text that was meant.
        _ => Err(misfit(&attribute.name, "expected a text")),
    }
}

/// A whole number, also as a text, as Entra and Okta send them.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

fn number(value: Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number),
        Value::String(text) => serde_json::from_str(&text).ok(),
        _ => None,
    }
}

/// Holds a value of a declared attribute to its type and to its canonical values.
fn check_strictly(value: &Value, attribute: &Attribute) -> Result<()> {
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return Ok(()) };
    if text.chars().count() > LONGEST_TEXT {
        return Err(misfit(&attribute.name, "use at most 4096 characters"));
    }
    let folded = |text: &str| if attribute.is_case_exact { text.to_owned() } else { text.to_lowercase() };
    let is_usual = |usual: &Cow<'static, str>| folded(usual) == folded(text);
    if !attribute.canonical.is_empty() && !attribute.canonical.iter().any(is_usual) {
        return Err(misfit(&attribute.name, &format!("expected one of {}", attribute.canonical.join(", "))));
    }
    let (fits, wanted) = match attribute.kind {
        Kind::DateTime => (
            serde_json::from_value::<Timestamp>(value.clone()).is_ok(),
            "expected a time such as 2026-01-31T12:00:00Z",
        ),
        Kind::Binary => (from_base64(text).is_some() || from_base64url(text).is_some(), "expected base64"),
        Kind::Reference => {
            (!text.chars().any(|char| char.is_whitespace() || char.is_control()), "expected a URI")
        }
        _ => (true, ""),
    };
    if fits { Ok(()) } else { Err(misfit(&attribute.name, wanted)) }
}

fn fitted_parts(sent: Map<String, Value>, attribute: &Attribute) -> Result<Map<String, Value>> {
    let mut kept = Map::new();
    for (name, value) in sent {
        let (name, value) = match attribute.part(&name) {
            Some(part) => (part.name.to_string(), fitted_one(value, part)?),
            None if attribute.is_strict => {
                let name = format!("{}.{}", attribute.name, beginning(&name));
                return Err(misfit(&name, "the schema has no such part"));
            }
            None => (name, value),
        };
        if !is_unassigned(&value) {
            kept.insert(name, value);
        }
    }
    if attribute.is_strict && !kept.is_empty() {
        check_required(&attribute.parts, &kept)?;
    }
    Ok(kept)
}

/// As much of a name that was sent as an answer repeats.
fn beginning(name: &str) -> String {
    name.chars().take(60).collect()
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
    use crate::scim::schema::{ENTERPRISE, USER, USERS};

    fn read(sent: &Value) -> Result<Value> {
        accepted(sent.as_object().unwrap().clone(), &USERS).map(Value::Object)
    }

    #[test]
    fn a_resource_is_read_leniently_and_kept_without_loss() {
        let sent = json!({
            "Schemas": ["urn:IETF:params:scim:schemas:core:2.0:user", "x"], "id": "usr_1",
            "password": "secret", "USERNAME": "ada", "Active": "False", "title": null, "emails": "a@b.example",
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
    fn a_resource_is_of_its_own_schema_or_does_not_say_of_which() {
        for schemas in [json!(null), json!([]), json!(USER), json!([USER]), json!(["urn:x", USER])] {
            assert!(read(&json!({ "schemas": schemas, "userName": "ada" })).is_ok(), "{schemas}");
        }
        for schemas in [json!(["urn:x"]), json!([ENTERPRISE]), json!("urn:x"), json!(7), json!([USER, 7])] {
            let error = read(&json!({ "schemas": schemas, "userName": "ada" })).unwrap_err();
            let detail = format!("schemas: expected a list of URNs with {USER} in it");
            assert_eq!((error.detail(), error.word()), (detail.as_str(), Some("invalidValue")), "{schemas}");
        }
    }

    #[test]
    fn an_extension_that_is_null_is_unassigned() {
        let kept = read(&json!({ "userName": "ada", ENTERPRISE: null })).unwrap();
        assert_eq!(kept, json!({ "userName": "ada" }));
        assert!(read(&json!({ "userName": "ada", ENTERPRISE: "none" })).is_err());
    }

    #[test]
    fn a_value_that_does_not_fit_is_named() {
        for (sent, detail) in [
            (json!({}), "userName: this is required"),
            (json!({ "userName": "" }), "userName: this is required"),
            (json!({ "userName": ["a"] }), "userName: expected a text"),
            (json!({ "userName": 7 }), "userName: expected a text"),
            (json!({ "userName": "a", "name": { "givenName": 7 } }), "givenName: expected a text"),
            (
                json!({ "userName": "a", ENTERPRISE: { "employeeNumber": 701_984 } }),
                "employeeNumber: expected a text",
            ),
            (json!({ "userName": "a", "name": [{}, {}] }), "name: expected an object"),
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
