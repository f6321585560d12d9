//! Changes in part (RFC 7644 §3.5.2), also as Entra ID and Okta write them: operations in capitals, values without a path with dotted
//! names, texts for truth values, and parts of values that are not there yet.

#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_domain::scim::schemas::Returned;

use self::values::{assign, part_of, taken, values, whole};
use super::filter::Target;
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
        let value = taken(&mut members, "value");
        if op == Op::Add && value.is_none() {
            return Err(Error::bad_request("value: missing; give what to add").called("invalidValue"));
        }
        Ok(Operation { op, path, value: value.unwrap_or_default() })
    };
    listed.into_iter().map(read).collect()
}

/// Carries out operations, one after the other, on what a directory said of a resource.
pub(super) fn apply(
    document: &mut Map<String, Value>,
    operations: Vec<Operation>,
    schema: &Schema,
) -> Result<()> {
    for Operation { op, path, value } in operations {
        match path {
            Some(path) => at(document, op, &path, value, schema)?,
            None => without_path(document, op, value, schema)?,
        }
    }
    Ok(())
}

fn without_path(document: &mut Map<String, Value>, op: Op, value: Value, schema: &Schema) -> Result<()> {
    if op == Op::Remove {
        return Err(Error::bad_request("path: missing; give the attribute to remove").called("noTarget"));
    }
    let Value::Object(members) = value else {
        return Err(
            Error::bad_request("value: expected an object, because there is no path").called("invalidValue")
        );
    };
    for (name, value) in members {
        if schema.attribute(&name).is_some_and(Attribute::is_read_only) {
            continue;
        }
        match value {
            Value::Object(parts) if schema.extended(&name).is_some() => {
                for (part, value) in parts.into_iter().filter(|(part, _)| !is_ignored(part)) {
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

fn at(document: &mut Map<String, Value>, op: Op, path: &str, value: Value, schema: &Schema) -> Result<()> {
    if is_ignored(path) {
        return Ok(());
    }
    // The core schema as a whole is the resource itself.
    if path.eq_ignore_ascii_case(&schema.id) {
        return without_path(document, op, value, schema);
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
    if attribute.is_some_and(Attribute::is_read_only) {
        return Err(Error::bad_request(format!("{path}: read-only; leave it out")).called("mutability"));
    }
    let is_whole = target.of.is_none() && target.part.is_none();
    if op == Op::Remove && is_whole && attribute.is_some_and(|attribute| attribute.is_required) {
        return Err(Error::bad_request(format!("{path}: required; replace it instead")).called("mutability"));
    }
    if target.of.is_some() && attribute.is_some_and(|attribute| attribute.returned == Returned::Never) {
        return Err(Error::bad_request(format!(
            "{path}: an attribute that is never returned can only be replaced as a whole"
        ))
        .called("invalidPath"));
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
    attribute: Option<&Attribute>,
    value: Value,
) -> Result<()> {
    let name = attribute.map_or(target.attribute.name.as_str(), |attribute| &*attribute.name);
    let value = if op == Op::Remove && target.of.is_some() { Value::Null } else { value };
    match (&target.of, &target.part) {
        (Some(filter), part) => values(container, (name, attribute), (op, filter, part.as_deref()), value),
        (None, Some(part)) => part_of(container, (name, attribute), (op, part), value),
        (None, None) => whole(container, (name, attribute), op, value),
    }
}

type Named<'a> = (&'a str, Option<&'a Attribute>);

fn whole_extension(
    document: &mut Map<String, Value>,
    op: Op,
    id: &str,
    value: Value,
    schema: &Schema,
) -> Result<()> {
    match (op, value) {
        (Op::Remove, _) | (_, Value::Null) => drop(taken(document, id)),
        (_, Value::Object(parts)) => {
            for (part, value) in parts.into_iter().filter(|(part, _)| !is_ignored(part)) {
                at(document, op, &format!("{id}:{part}"), value, schema)?;
            }
        }
        _ => {
            return Err(
                Error::bad_request("value: expected an object for an extension").called("invalidValue")
            );
        }
    }
    Ok(())
}

/// Whether a path names an extension that the service does not know, as a whole.
fn is_foreign_extension(document: &Map<String, Value>, path: &str, value: &Value, schema: &Schema) -> bool {
    let is_known = path.to_ascii_lowercase().starts_with("urn:ietf:params:scim:schemas:");
    let is_within = |extension: &Arc<Schema>| {
        let (id, rest) = path.split_at_checked(extension.id.len()).unwrap_or_default();
        id.eq_ignore_ascii_case(&extension.id) && rest.starts_with(':')
    };
    let is_there = document.keys().any(|name| name.eq_ignore_ascii_case(path));
    path.starts_with("urn:")
        && !is_known
        && schema.extended(path).is_none()
        && !schema.extensions.iter().any(is_within)
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

fn is_ignored(path: &str) -> bool {
    IGNORED.iter().any(|ignored| ignored.eq_ignore_ascii_case(path))
}
