//! What operations do to values: to attributes as a whole, to their parts, and to the values that meet a condition.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};
use svc_core::{Error, Result};

use super::{Named, Op};
use crate::scim::document::{fitted, is_unassigned};
use crate::scim::filter::{AttributePath, Comparison, Filter};
use crate::scim::schema::Kind;

/// An attribute as a whole.
pub(super) fn whole(
    container: &mut Map<String, Value>,
    (name, of): Named<'_>,
    op: Op,
    value: Value,
) -> Result<()> {
    // Entra names the values to remove in `value`: a list of none removes none.
    let are_named = value.is_array();
    let value = match of {
        Some(of) => fitted(value, of)?,
        None => value,
    };
    let present = taken(container, name);
    let now = match (op, present, value) {
        (Op::Remove, Some(Value::Array(present)), Value::Array(gone)) if are_named || !gone.is_empty() => {
            let gone: HashSet<_> = gone.iter().map(identity).collect();
            Value::Array(present.into_iter().filter(|value| !gone.contains(&identity(value))).collect())
        }
        (Op::Remove, ..) => Value::Null,
        (Op::Add, Some(Value::Array(present)), Value::Array(added)) => Value::Array(joined(present, added)),
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
pub(super) fn part_of(
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
    let part = declared.map_or(part, |declared| &*declared.name);
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
        _ => {
            return Err(Error::bad_request(format!("{name}: this attribute has no sub-attributes"))
                .called("invalidPath"));
        }
    }
    assign(container, name, present);
    Ok(())
}

/// The values that meet a condition, or a part of them.
pub(super) fn values(
    container: &mut Map<String, Value>,
    (name, of): Named<'_>,
    (op, filter, part): (Op, &Filter, Option<&str>),
    value: Value,
) -> Result<()> {
    if of.is_some_and(|of| !of.is_multi) {
        return Err(
            Error::bad_request(format!("{name}: this attribute has a single value")).called("invalidPath")
        );
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
    let change = wanted_parts((name, of), part, value)?;
    give(&mut present, (name, of), filter, &change)?;
    assign(container, name, Value::Array(present));
    Ok(())
}

/// The parts that values are to have, in the form that the schema gives them.
fn wanted_parts((name, of): Named<'_>, part: Option<&str>, value: Value) -> Result<Map<String, Value>> {
    if of.is_some_and(|of| of.kind != Kind::Complex) {
        return Err(Error::bad_request(format!(
            "{name}: its values have no sub-attributes; add or remove whole values"
        ))
        .called("invalidPath"));
    }
    let mut parts = match part {
        Some(part) => Map::from_iter([(part.to_owned(), value)]),
        None => object(value).ok_or_else(|| {
            Error::bad_request(format!("{name}: expected an object")).called("invalidValue")
        })?,
    };
    if let Some(of) = of {
        for (part, value) in &mut parts {
            if let Some(declared) = of.part(part) {
                *value = fitted(std::mem::take(value), declared)?;
            }
        }
    }
    Ok(parts)
}

/// The members of an object, also where it is the only one of a list.
fn object(value: Value) -> Option<Map<String, Value>> {
    let one = match value {
        Value::Array(mut values) if values.len() == 1 => values.pop()?,
        value => value,
    };
    match one {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// Gives parts to the values that meet a condition; where one of them becomes the primary one, no other stays it.
fn give(
    present: &mut Vec<Value>,
    (name, of): Named<'_>,
    filter: &Filter,
    change: &Map<String, Value>,
) -> Result<()> {
    let is_meant = |value: &Value| filter.matches_value(value, of);
    if !present.iter().any(is_meant) {
        // Entra sets parts of a value before the value is there: what the condition says is part of it.
        let Some(made) = made_by(filter) else {
            return Err(Error::bad_request(format!("{name}: no value matches the filter")).called("noTarget"));
        };
        present.push(Value::Object(made));
    }
    let becomes_primary =
        change.iter().any(|(part, value)| part.eq_ignore_ascii_case("primary") && *value == true);
    for value in present {
        let is_meant = is_meant(value);
        let Some(parts) = value.as_object_mut() else { continue };
        if is_meant {
            for (part, value) in change {
                let declared = of.and_then(|of| of.part(part)).map_or(part.as_str(), |part| &*part.name);
                assign(parts, declared, value.clone());
            }
        } else if becomes_primary {
            taken(parts, "primary");
        }
    }
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

/// Values with more of them: one that is there already is replaced, and the last that is primary is the only one.
fn joined(mut present: Vec<Value>, mut added: Vec<Value>) -> Vec<Value> {
    if let Some(last) = added.iter().rposition(is_primary) {
        let others = present.iter_mut().chain(added.iter_mut().take(last));
        for parts in others.filter_map(Value::as_object_mut) {
            parts.remove("primary");
        }
    }
    let mut places = HashMap::new();
    for (at, value) in present.iter().enumerate() {
        places.entry(identity_and_type(value)).or_insert(at);
    }
    for value in added {
        let place = identity_and_type(&value);
        if let Some(known) = places.get(&place).and_then(|at| present.get_mut(*at)) {
            *known = value;
        } else {
            places.insert(place, present.len());
            present.push(value);
        }
    }
    present
}

fn is_primary(value: &Value) -> bool {
    value.get("primary") == Some(&Value::Bool(true))
}

/// By what a value is known again, as a text to look it up by: a group may have thousands of people, and get thousands more at once.
fn identity(value: &Value) -> String {
    let mut told = value.get("value").unwrap_or(value).clone();
    told.sort_all_objects();
    told.to_string()
}

fn identity_and_type(value: &Value) -> String {
    let kind = value.get("type").map(ToString::to_string).unwrap_or_default();
    format!("{} {kind}", identity(value))
}

pub(super) fn assign(members: &mut Map<String, Value>, name: &str, value: Value) {
    let known = members.keys().find(|known| known.eq_ignore_ascii_case(name)).cloned();
    let name = known.unwrap_or_else(|| name.to_owned());
    if is_unassigned(&value) {
        members.remove(&name);
    } else {
        members.insert(name, value);
    }
}

pub(super) fn taken(members: &mut Map<String, Value>, name: &str) -> Option<Value> {
    let known = members.keys().find(|known| known.eq_ignore_ascii_case(name)).cloned()?;
    members.remove(&known)
}
