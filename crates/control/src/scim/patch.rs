//! Changes in part (RFC 7644 §3.5.2), also as Entra ID and Okta write them: operations in capitals, values without a path with dotted
//! names, texts for truth values, and parts of values that are not there yet.

use serde_json::{Map, Value, json};
use svc_core::{Error, Result};

use super::document::{fitted, is_unassigned};
use super::filter::{AttributePath, Comparison, Filter, Target};
use super::schema::{Attribute, Schema};

/// Most operations of one request.
const MOST: usize = 1000;
/// What is not stored: a directory that sends its resource as a whole sends these too.
const IGNORED: &[&str] = &["password", "schemas"];

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Replace,
    Remove,
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operation {
    pub op: Op,
    pub path: Option<String>,
    pub value: Value,
}

/// The operations of a request.
pub(super) fn operations(mut sent: Map<String, Value>) -> Result<Vec<Operation>> {
    let syntax = |why: &str| Error::bad_request(format!("Operations: {why}")).called("invalidSyntax");
    let Some(Value::Array(listed)) = taken(&mut sent, "Operations") else {
        return Err(syntax("expected a list"));
    };
    if listed.is_empty() || listed.len() > MOST {
        return Err(syntax("expected 1 to 1000 operations"));
    }
    let read = |operation: Value| {
        let Value::Object(mut members) = operation else { return Err(syntax("expected objects")) };
        let op = taken(&mut members, "op");
        let op = match op.as_ref().and_then(Value::as_str).map(str::to_ascii_lowercase).as_deref() {
            Some("add") => Op::Add,
            Some("replace") => Op::Replace,
            Some("remove") => Op::Remove,
            _ => return Err(syntax("op is add, replace or remove")),
        };
        let path = match taken(&mut members, "path") {
            None | Some(Value::Null) => None,
            Some(Value::String(path)) => Some(path).filter(|path| !path.is_empty()),
            Some(_) => return Err(syntax("path is a text")),
        };
        Ok(Operation { op, path, value: taken(&mut members, "value").unwrap_or_default() })
    };
    listed.into_iter().map(read).collect()
}

/// Carries out operations, one after the other, on what a directory said of a resource.
pub(super) fn apply(
    document: &mut Map<String, Value>,
    operations: Vec<Operation>,
    schema: &'static Schema,
) -> Result<()> {
    for Operation { op, path, value } in operations {
        match path {
            Some(path) => at(document, op, &path, value, schema)?,
            None => without_path(document, op, value, schema)?,
        }
    }
    Ok(())
}

fn without_path(
    document: &mut Map<String, Value>,
    op: Op,
    value: Value,
    schema: &'static Schema,
) -> Result<()> {
    if op == Op::Remove {
        return Err(Error::bad_request("path: name what is to be removed").called("noTarget"));
    }
    let Value::Object(members) = value else {
        return Err(Error::bad_request("value: without a path, give an object").called("invalidValue"));
    };
    for (name, value) in members {
        if schema.attribute(&name).is_some_and(|attribute| attribute.is_read_only) {
            continue;
        }
        match value {
            Value::Object(parts) if schema.extended(&name).is_some() => {
                for (part, value) in parts {
                    at(document, op, &format!("{name}:{part}"), value, schema)?;
                }
            }
            value if Target::parse(&name, schema).is_ok() || is_ignored(&name) => {
                at(document, op, &name, value, schema)?;
            }
            // Kept as it came, like that of a new resource.
            value => assign(document, &name, value),
        }
    }
    Ok(())
}

fn at(
    document: &mut Map<String, Value>,
    op: Op,
    path: &str,
    value: Value,
    schema: &'static Schema,
) -> Result<()> {
    if is_ignored(path) {
        return Ok(());
    }
    if is_foreign_extension(document, path, &value, schema) {
        foreign_extension(document, op, path, value);
        return Ok(());
    }
    let invalid = |error: Error| {
        Error::bad_request(format!("path: {}", error.detail().trim_start_matches("filter: ")))
            .called("invalidPath")
    };
    let target = Target::parse(path, schema).map_err(invalid)?;
    let attribute = match &target.attribute.extension {
        Some(id) => schema.extended(id).and_then(|extension| extension.attribute(&target.attribute.name)),
        None => schema.attribute(&target.attribute.name),
    };
    if attribute.is_some_and(|attribute| attribute.is_read_only) {
        return Err(
            Error::bad_request(format!("{path}: the service alone changes this")).called("mutability")
        );
    }
    let Some(id) = &target.attribute.extension else {
        return carry_out(document, op, &target, attribute, value);
    };
    if target.attribute.name.is_empty() {
        return whole_extension(document, op, id, value, schema);
    }
    let mut members = match taken(document, id) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    };
    carry_out(&mut members, op, &target, attribute, value)?;
    assign(document, id, Value::Object(members));
    Ok(())
}

fn carry_out(
    container: &mut Map<String, Value>,
    op: Op,
    target: &Target,
    attribute: Option<&'static Attribute>,
    value: Value,
) -> Result<()> {
    let name = attribute.map_or(target.attribute.name.as_str(), |attribute| attribute.name);
    let value = if op == Op::Remove && target.of.is_some() { Value::Null } else { value };
    match (&target.of, &target.part) {
        (Some(filter), part) => values(container, (name, attribute), (op, filter, part.as_deref()), value),
        (None, Some(part)) => part_of(container, (name, attribute), (op, part), value),
        (None, None) => whole(container, (name, attribute), op, value),
    }
}

type Named<'a> = (&'a str, Option<&'static Attribute>);

fn whole_extension(
    document: &mut Map<String, Value>,
    op: Op,
    id: &str,
    value: Value,
    schema: &'static Schema,
) -> Result<()> {
    match (op, value) {
        (Op::Remove, _) | (_, Value::Null) => drop(taken(document, id)),
        (_, Value::Object(parts)) => {
            for (part, value) in parts {
                at(document, op, &format!("{id}:{part}"), value, schema)?;
            }
        }
        _ => return Err(Error::bad_request("value: an extension is an object").called("invalidValue")),
    }
    Ok(())
}

/// Whether a path names an extension that the service does not know, as a whole.
fn is_foreign_extension(document: &Map<String, Value>, path: &str, value: &Value, schema: &Schema) -> bool {
    let is_known = path.to_ascii_lowercase().starts_with("urn:ietf:params:scim:schemas:");
    let is_there = document.keys().any(|name| name.eq_ignore_ascii_case(path));
    path.starts_with("urn:")
        && !is_known
        && schema.extended(path).is_none()
        && (is_there || value.is_object())
}

fn foreign_extension(document: &mut Map<String, Value>, op: Op, id: &str, value: Value) {
    let now = match (op, taken(document, id), value) {
        (Op::Remove, ..) | (_, _, Value::Null) => Value::Null,
        (_, Some(Value::Object(mut present)), Value::Object(parts)) => {
            parts.into_iter().for_each(|(part, value)| assign(&mut present, &part, value));
            Value::Object(present)
        }
        (_, _, value) => value,
    };
    assign(document, id, now);
}

/// An attribute as a whole.
fn whole(container: &mut Map<String, Value>, (name, of): Named<'_>, op: Op, value: Value) -> Result<()> {
    let value = match of {
        Some(of) => fitted(value, of)?,
        None => value,
    };
    let present = taken(container, name);
    let now = match (op, present, value) {
        // Entra names the values to remove in `value`.
        (Op::Remove, Some(Value::Array(present)), Value::Array(gone)) if !gone.is_empty() => {
            let is_gone = |value: &Value| gone.iter().any(|gone| is_same(value, gone));
            Value::Array(present.into_iter().filter(|value| !is_gone(value)).collect())
        }
        (Op::Remove, ..) => Value::Null,
        (Op::Add, Some(Value::Array(mut present)), Value::Array(added)) => {
            for value in added {
                settle_primary(&mut present, &value);
                match present.iter_mut().find(|known| is_same(known, &value) && same_type(known, &value)) {
                    Some(known) => *known = value,
                    None => present.push(value),
                }
            }
            Value::Array(present)
        }
        (_, Some(Value::Object(mut present)), Value::Object(parts)) => {
            parts.into_iter().for_each(|(part, value)| assign(&mut present, &part, value));
            Value::Object(present)
        }
        (Op::Add, Some(present), Value::Null) => present,
        (_, _, value) => value,
    };
    assign(container, name, now);
    Ok(())
}

/// A part of a complex attribute, of each value where it has several.
fn part_of(
    container: &mut Map<String, Value>,
    (name, of): Named<'_>,
    (op, part): (Op, &str),
    value: Value,
) -> Result<()> {
    let declared = of.and_then(|of| of.part(part));
    let value = match declared {
        Some(declared) if op != Op::Remove => fitted(value, declared)?,
        _ => value,
    };
    let part = declared.map_or(part, |declared| declared.name);
    let value = if op == Op::Remove { Value::Null } else { value };
    let mut present = taken(container, name)
        .unwrap_or_else(|| if of.is_some_and(|of| of.is_multi) { json!([{}]) } else { json!({}) });
    match &mut present {
        Value::Object(parts) => assign(parts, part, value),
        Value::Array(values) => {
            for parts in values.iter_mut().filter_map(Value::as_object_mut) {
                assign(parts, part, value.clone());
            }
            values.retain(|value| !is_unassigned(value));
        }
        _ => return Err(Error::bad_request(format!("{name}: it has no parts")).called("invalidPath")),
    }
    assign(container, name, present);
    Ok(())
}

/// The values that meet a condition, or a part of them.
fn values(
    container: &mut Map<String, Value>,
    (name, of): Named<'_>,
    (op, filter, part): (Op, &Filter, Option<&str>),
    value: Value,
) -> Result<()> {
    if of.is_some_and(|of| !of.is_multi) {
        return Err(Error::bad_request(format!("{name}: it has one value only")).called("invalidPath"));
    }
    let mut present = match taken(container, name) {
        Some(Value::Array(values)) => values,
        Some(single) => vec![single],
        None => Vec::new(),
    };
    let is_meant = |value: &Value| filter.matches_value(value, of);
    if op == Op::Remove {
        match part {
            None => present.retain(|value| !is_meant(value)),
            Some(part) => present.iter_mut().filter(|value| is_meant(value)).for_each(|value| {
                if let Some(parts) = value.as_object_mut() {
                    taken(parts, part);
                }
            }),
        }
        assign(container, name, Value::Array(present));
        return Ok(());
    }
    let mut change = match part {
        Some(part) => Map::from_iter([(part.to_owned(), value)]),
        None => match value {
            Value::Object(parts) => parts,
            Value::Array(mut values) if values.len() == 1 => match values.pop() {
                Some(Value::Object(parts)) => parts,
                _ => {
                    return Err(
                        Error::bad_request(format!("{name}: expected an object")).called("invalidValue")
                    );
                }
            },
            _ => return Err(Error::bad_request(format!("{name}: expected an object")).called("invalidValue")),
        },
    };
    if let Some(of) = of {
        for (part, value) in &mut change {
            if let Some(declared) = of.part(part) {
                *value = fitted(std::mem::take(value), declared)?;
            }
        }
    }
    if !present.iter().any(is_meant) {
        // Entra sets parts of a value before the value is there: what the condition says is part of it.
        let Some(made) = made_by(filter) else {
            return Err(
                Error::bad_request(format!("{name}: no value meets the condition")).called("noTarget")
            );
        };
        present.push(Value::Object(made));
    }
    let becomes_primary =
        change.iter().any(|(part, value)| part.eq_ignore_ascii_case("primary") && *value == true);
    for value in &mut present {
        let is_meant = is_meant(value);
        let Some(parts) = value.as_object_mut() else { continue };
        if is_meant {
            for (part, value) in &change {
                let declared = of.and_then(|of| of.part(part)).map_or(part.as_str(), |part| part.name);
                assign(parts, declared, value.clone());
            }
        } else if becomes_primary {
            taken(parts, "primary");
        }
    }
    assign(container, name, Value::Array(present));
    Ok(())
}

/// The value that a condition describes, where it does.
fn made_by(filter: &Filter) -> Option<Map<String, Value>> {
    match filter {
        Filter::Compare(AttributePath { extension: None, name, part: None }, Comparison::Equal, value) => {
            let value = match value.as_str() {
                Some(text) if name.eq_ignore_ascii_case("primary") => {
                    Value::Bool(text.to_ascii_lowercase().parse().ok()?)
                }
                _ => value.clone(),
            };
            Some(Map::from_iter([(name.to_ascii_lowercase(), value)]))
        }
        Filter::And(one, other) => {
            let mut made = made_by(one)?;
            made.extend(made_by(other)?);
            Some(made)
        }
        _ => None,
    }
}

fn settle_primary(present: &mut [Value], added: &Value) {
    if added.get("primary") == Some(&Value::Bool(true)) {
        for parts in present.iter_mut().filter_map(Value::as_object_mut) {
            parts.remove("primary");
        }
    }
}

/// Whether two values are one and the same.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one.get("value"), other.get("value")) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

fn same_type(one: &Value, other: &Value) -> bool {
    one.get("type") == other.get("type")
}

fn assign(members: &mut Map<String, Value>, name: &str, value: Value) {
    let known = members.keys().find(|known| known.eq_ignore_ascii_case(name)).cloned();
    let name = known.unwrap_or_else(|| name.to_owned());
    if is_unassigned(&value) {
        members.remove(&name);
    } else {
        members.insert(name, value);
    }
}

fn taken(members: &mut Map<String, Value>, name: &str) -> Option<Value> {
    let known = members.keys().find(|known| known.eq_ignore_ascii_case(name)).cloned()?;
    members.remove(&known)
}

fn is_ignored(path: &str) -> bool {
    IGNORED.iter().any(|ignored| ignored.eq_ignore_ascii_case(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scim::schema::{ENTERPRISE, USERS};

    fn before() -> Value {
        json!({
            "userName": "ada", "active": true, "name": { "givenName": "Ada", "familyName": "L" },
            "emails": [{ "value": "a@work.example", "type": "work", "primary": true }, { "value": "a@home.example", "type": "home" }],
            ENTERPRISE: { "department": "R", "manager": { "value": "usr_1" } },
        })
    }

    fn patched(operations: &Value) -> Result<Value> {
        let mut document = before().as_object().unwrap().clone();
        let sent = json!({ "Operations": operations });
        apply(&mut document, super::operations(sent.as_object().unwrap().clone())?, &USERS)?;
        Ok(Value::Object(document))
    }

    /// What an operation leaves at a pointer.
    fn leaves(operation: &Value, pointer: &str) -> Value {
        let document = patched(&json!([operation])).unwrap_or_else(|error| panic!("{operation}: {error}"));
        document.pointer(pointer).cloned().unwrap_or_default()
    }

    #[test]
    fn operations_of_the_standard_do_what_it_says() {
        for (operation, pointer, left) in [
            (json!({ "op": "replace", "path": "active", "value": false }), "/active", json!(false)),
            (json!({ "op": "add", "path": "title", "value": "Countess" }), "/title", json!("Countess")),
            (json!({ "op": "remove", "path": "name.givenName" }), "/name", json!({ "familyName": "L" })),
            (
                json!({ "op": "replace", "path": "name", "value": { "givenName": "A" } }),
                "/name",
                json!({ "givenName": "A", "familyName": "L" }),
            ),
            (json!({ "op": "remove", "path": "emails" }), "/emails", Value::Null),
            (json!({ "op": "remove", "path": "emails[type eq \"home\"]" }), "/emails/1", Value::Null),
            (
                json!({ "op": "remove", "path": "emails[type eq \"home\"].type" }),
                "/emails/1",
                json!({ "value": "a@home.example" }),
            ),
            (
                json!({ "op": "remove", "path": "emails[type eq \"other\"]" }),
                "/emails",
                before()["emails"].clone(),
            ),
            (
                json!({ "op": "replace", "path": "emails[type eq \"home\"].value", "value": "b" }),
                "/emails/1/value",
                json!("b"),
            ),
            (
                json!({ "op": "replace", "path": "emails[type eq \"home\"]", "value": { "value": "b" } }),
                "/emails/1",
                json!({ "value": "b", "type": "home" }),
            ),
            (
                json!({ "op": "add", "path": "emails", "value": [{ "value": "c" }] }),
                "/emails/2",
                json!({ "value": "c" }),
            ),
            (
                json!({ "op": "add", "path": "emails", "value": [{ "value": "a@home.example", "type": "home" }] }),
                "/emails/2",
                Value::Null,
            ),
            (
                json!({ "op": "add", "path": "emails", "value": { "value": "c", "primary": true } }),
                "/emails/0/primary",
                Value::Null,
            ),
            (
                json!({ "op": "replace", "path": "emails", "value": [{ "value": "d" }] }),
                "/emails",
                json!([{ "value": "d" }]),
            ),
            (
                json!({ "op": "replace", "path": "emails[type eq \"home\"].primary", "value": true }),
                "/emails/0/primary",
                Value::Null,
            ),
            (
                json!({ "op": "add", "value": { "title": "C", "name": { "middleName": "K" } } }),
                "/name/middleName",
                json!("K"),
            ),
            (json!({ "op": "replace", "path": "title", "value": null }), "/title", Value::Null),
        ] {
            assert_eq!(leaves(&operation, pointer), left, "{operation}");
        }
    }

    #[test]
    fn the_dialects_of_entra_and_okta_are_understood() {
        let department = format!("/{}/department", ENTERPRISE.replace('/', "~1"));
        let manager = format!("/{ENTERPRISE}/manager/value");
        for (operation, pointer, left) in [
            (json!({ "op": "Replace", "path": "active", "value": "False" }), "/active", json!(false)),
            (json!({ "op": "Replace", "value": { "active": false } }), "/active", json!(false)),
            (json!({ "op": "replace", "value": { "id": "usr_9", "active": false } }), "/id", Value::Null),
            (
                json!({ "op": "Replace", "value": { "name.givenName": "Augusta", "displayName": "AL" } }),
                "/name/givenName",
                json!("Augusta"),
            ),
            (
                json!({ "op": "Add", "path": "emails[type eq \"other\"].value", "value": "o" }),
                "/emails/2",
                json!({ "type": "other", "value": "o" }),
            ),
            (
                json!({ "op": "Add", "value": { "emails[type eq \"work\"].value": "w" } }),
                "/emails/0/value",
                json!("w"),
            ),
            (
                json!({ "op": "Add", "path": "phoneNumbers[type eq \"mobile\"].value", "value": "1" }),
                "/phoneNumbers",
                json!([{ "type": "mobile", "value": "1" }]),
            ),
            (
                json!({ "op": "Add", "path": "roles[primary eq \"True\"].value", "value": "r" }),
                "/roles",
                json!([{ "primary": true, "value": "r" }]),
            ),
            (
                json!({ "op": "Add", "path": format!("{ENTERPRISE}:department"), "value": "X" }),
                &department,
                json!("X"),
            ),
            (
                json!({ "op": "Add", "path": format!("{ENTERPRISE}:manager"), "value": "usr_2" }),
                &manager,
                json!("usr_2"),
            ),
            (
                json!({ "op": "Replace", "path": format!("{ENTERPRISE}:manager"), "value": "" }),
                &manager,
                Value::Null,
            ),
            (json!({ "op": "Remove", "path": format!("{ENTERPRISE}:manager") }), &manager, Value::Null),
            (
                json!({ "op": "Replace", "value": { (ENTERPRISE): { "department": "Y" } } }),
                &department,
                json!("Y"),
            ),
            (
                json!({ "op": "Add", "value": { format!("{ENTERPRISE}:department"): "Z" } }),
                &department,
                json!("Z"),
            ),
            (
                json!({ "op": "Remove", "path": "emails", "value": [{ "value": "a@home.example" }] }),
                "/emails/1",
                Value::Null,
            ),
            (json!({ "op": "Add", "value": { "password": "secret" } }), "/password", Value::Null),
            (
                json!({ "op": "Add", "value": { "urn:example:hat": { "size": 58 } } }),
                "/urn:example:hat/size",
                json!(58),
            ),
        ] {
            assert_eq!(leaves(&operation, pointer), left, "{operation}");
        }
    }

    #[test]
    fn an_operation_that_cannot_be_carried_out_says_why() {
        for (operations, word) in [
            (json!([{ "op": "remove" }]), "noTarget"),
            (
                json!([{ "op": "replace", "path": "emails[value co \"zzz\"].value", "value": "y" }]),
                "noTarget",
            ),
            (json!([{ "op": "add", "path": "id", "value": "x" }]), "mutability"),
            (json!([{ "op": "add", "path": "groups", "value": [{ "value": "x" }] }]), "mutability"),
            (json!([{ "op": "replace", "path": "meta.version", "value": "x" }]), "mutability"),
            (json!([{ "op": "add", "path": "nothing", "value": "x" }]), "invalidPath"),
            (json!([{ "op": "add", "path": "emails[type eq", "value": "x" }]), "invalidPath"),
            (json!([{ "op": "add", "path": "userName[type eq \"x\"]", "value": "x" }]), "invalidPath"),
            (json!([{ "op": "replace", "path": "active", "value": "maybe" }]), "invalidValue"),
            (json!([{ "op": "add", "value": "x" }]), "invalidValue"),
            (json!([{ "op": "add", "path": "emails[type eq \"work\"]", "value": "x" }]), "invalidValue"),
            (json!([]), "invalidSyntax"),
            (json!([{ "op": "move", "path": "active" }]), "invalidSyntax"),
            (json!([7]), "invalidSyntax"),
            (json!(vec![json!({ "op": "remove", "path": "title" }); 1001]), "invalidSyntax"),
        ] {
            let error = patched(&operations).expect_err(&operations.to_string());
            assert_eq!((error.class().status(), error.word()), (400, Some(word)), "{operations}");
        }
    }
}
