//! Whether a resource meets a filter. Names and most texts compare without case, as the schema says (RFC 7643 §2.1, §2.4).

use std::cmp::Ordering;

use serde_json::{Map, Value};
use svc_core::Timestamp;

use super::{AttributePath, Comparison, Filter};
use crate::scim::schema::{Attribute, Kind, Schema};

impl Filter {
    /// Whether a resource meets it.
    pub(in crate::scim) fn matches(&self, resource: &Map<String, Value>, schema: &Schema) -> bool {
        self.holds(resource, Scope { schema, within: Within::Resource })
    }

    /// Whether a value of a multi-valued attribute meets it.
    pub(in crate::scim) fn matches_value(&self, value: &Value, of: Option<&Attribute>) -> bool {
        let Value::Object(members) = value else {
            let plain = Map::from_iter([("value".to_owned(), value.clone())]);
            return self
                .holds(&plain, Scope { schema: &crate::scim::schema::USERS, within: Within::Attribute(of) });
        };
        self.holds(members, Scope { schema: &crate::scim::schema::USERS, within: Within::Attribute(of) })
    }

    fn holds(&self, members: &Map<String, Value>, scope: Scope<'_>) -> bool {
        match self {
            Self::And(one, other) => one.holds(members, scope) && other.holds(members, scope),
            Self::Or(one, other) => one.holds(members, scope) || other.holds(members, scope),
            Self::Not(inner) => !inner.holds(members, scope),
            Self::Present(path) => Scope::values(members, path).iter().any(|value| is_something(value)),
            Self::Has(path, inner) => {
                let of = scope.attribute(path);
                let whole = AttributePath { part: None, ..path.clone() };
                found(members, &whole).into_iter().any(|value| inner.matches_value(value, of))
            }
            Self::Compare(path, how, wanted) => scope.compares(members, path, (*how, wanted)),
        }
    }
}

/// Whose attributes are looked at: those of a resource, or the parts of one.
#[derive(Clone, Copy)]
struct Scope<'s> {
    schema: &'s Schema,
    within: Within<'s>,
}

/// Of what the attributes are.
#[derive(Clone, Copy)]
enum Within<'s> {
    /// Of the resource.
    Resource,
    /// Parts of an attribute; nothing is known of those of one that is not declared.
    Attribute(Option<&'s Attribute>),
}

impl<'s> Scope<'s> {
    fn attribute(self, path: &AttributePath) -> Option<&'s Attribute> {
        match self.within {
            Within::Attribute(outer) => inner(outer?, &path.name),
            Within::Resource => attribute(self.schema, path),
        }
    }

    /// What of the attribute is compared.
    fn compared(self, path: &AttributePath) -> Option<&'s Attribute> {
        let attribute = self.attribute(path)?;
        match &path.part {
            Some(part) => attribute.part(part),
            None if attribute.kind == Kind::Complex => attribute.part("value"),
            None => Some(attribute),
        }
    }

    fn compares(
        self,
        members: &Map<String, Value>,
        path: &AttributePath,
        (how, wanted): (Comparison, &Value),
    ) -> bool {
        let of = self.compared(path);
        let values = Self::values(members, path);
        let is_equal = || match wanted {
            Value::Null => !values.iter().any(|value| is_something(value)),
            _ => values.iter().any(|value| compare(value, wanted, of) == Some(Ordering::Equal)),
        };
        match how {
            Comparison::Equal => is_equal(),
            Comparison::NotEqual => !is_equal(),
            _ => values.iter().any(|value| is_so(value, how, wanted, of)),
        }
    }

    /// What an attribute has: each of its values, and of complex ones the part that is asked for, or `value`.
    fn values<'a>(members: &'a Map<String, Value>, path: &AttributePath) -> Vec<&'a Value> {
        let part = |value: &'a Value| match (value, &path.part) {
            (Value::Object(parts), Some(part)) => plain(parts, part),
            (Value::Object(parts), None) => plain(parts, "value").or(Some(value)),
            (value, None) => Some(value),
            (value, Some(part)) => part.eq_ignore_ascii_case("value").then_some(value),
        };
        found(members, path).into_iter().filter_map(part).collect()
    }
}

/// The values of an attribute as a whole.
fn found<'a>(members: &'a Map<String, Value>, path: &AttributePath) -> Vec<&'a Value> {
    match member(members, path) {
        Some(Value::Array(values)) => values.iter().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    }
}

/// What a resource is sorted by: of several values the preferred one, or the first (RFC 7644 §3.4.2.3).
pub(in crate::scim) fn chosen_at<'a>(
    resource: &'a Map<String, Value>,
    path: &AttributePath,
) -> Option<&'a Value> {
    let is_preferred = |value: &&Value| value.get("primary") == Some(&Value::Bool(true));
    let at = found(resource, path).iter().position(is_preferred).unwrap_or_default();
    Scope::values(resource, path).get(at).copied()
}

/// How what two resources are sorted by stands to each other; what has none comes last (RFC 7644 §3.4.2.3).
pub(in crate::scim) fn compare_chosen(
    one: Option<&Value>,
    other: Option<&Value>,
    (path, schema): (&AttributePath, &Schema),
) -> Ordering {
    let of = Scope { schema, within: Within::Resource }.compared(path);
    match (one, other) {
        (Some(one), Some(other)) => compare(one, other, of).unwrap_or(Ordering::Equal),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// The declared attribute that a path names.
pub(super) fn attribute<'s>(schema: &'s Schema, path: &AttributePath) -> Option<&'s Attribute> {
    match &path.extension {
        Some(id) => schema.extended(id)?.attribute(&path.name),
        None => schema.attribute(&path.name),
    }
}

/// What a condition on the values of an attribute names: a part of them, or, of plain ones, the value itself.
pub(super) fn inner<'s>(outer: &'s Attribute, name: &str) -> Option<&'s Attribute> {
    let is_itself = outer.is_multi && outer.kind != Kind::Complex && name.eq_ignore_ascii_case("value");
    if is_itself { Some(outer) } else { outer.part(name) }
}

/// What a resource has at a path, without regard to its part.
fn member<'a>(members: &'a Map<String, Value>, path: &AttributePath) -> Option<&'a Value> {
    let container = match &path.extension {
        Some(id) => match plain(members, id)? {
            value if path.name.is_empty() => return Some(value),
            value => value.as_object()?,
        },
        None => members,
    };
    plain(container, &path.name)
}

/// The member of this name, whose case does not count.
pub(in crate::scim) fn plain<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    members.get(name).or_else(|| {
        members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    })
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

fn is_so(value: &Value, how: Comparison, wanted: &Value, of: Option<&Attribute>) -> bool {
    let texts = || Some((folded(value.as_str()?, of), folded(wanted.as_str()?, of)));
    let order = |wanted_orders: &[Ordering]| {
        compare(value, wanted, of).is_some_and(|order| wanted_orders.contains(&order))
    };
    match how {
        Comparison::Equal => order(&[Ordering::Equal]),
        Comparison::NotEqual => !order(&[Ordering::Equal]),
        Comparison::Contains => texts().is_some_and(|(value, wanted)| value.contains(&wanted)),
        Comparison::Starts => texts().is_some_and(|(value, wanted)| value.starts_with(&wanted)),
        Comparison::Ends => texts().is_some_and(|(value, wanted)| value.ends_with(&wanted)),
        Comparison::Greater => order(&[Ordering::Greater]),
        Comparison::GreaterOrEqual => order(&[Ordering::Greater, Ordering::Equal]),
        Comparison::Less => order(&[Ordering::Less]),
        Comparison::LessOrEqual => order(&[Ordering::Less, Ordering::Equal]),
    }
}

/// How two values stand to each other; nothing where they are of different kinds.
fn compare(value: &Value, wanted: &Value, of: Option<&Attribute>) -> Option<Ordering> {
    match (value, wanted) {
        (Value::String(value), Value::String(wanted)) => {
            if of.is_some_and(|of| of.kind == Kind::DateTime)
                && let (Some(value), Some(wanted)) = (time(value), time(wanted))
            {
                return Some(value.cmp(&wanted));
            }
            if of.is_some_and(|of| of.is_case_exact) {
                return Some(value.cmp(wanted));
            }
            Some(folded(value, of).cmp(&folded(wanted, of)))
        }
        (Value::Bool(value), Value::Bool(wanted)) => Some(value.cmp(wanted)),
        (Value::Bool(value), Value::String(wanted)) => {
            Some(value.cmp(&wanted.parse().ok().or_else(|| wanted.to_ascii_lowercase().parse().ok())?))
        }
        (Value::Number(value), Value::Number(wanted)) => value.as_f64()?.partial_cmp(&wanted.as_f64()?),
        _ => None,
    }
}

/// A time; one that names no zone is in UTC, as those of the service are.
pub(super) fn time(text: &str) -> Option<Timestamp> {
    let read = |text: String| serde_json::from_value(Value::from(text)).ok();
    read(text.to_owned()).or_else(|| read(format!("{text}Z")))
}

fn folded(text: &str, of: Option<&Attribute>) -> String {
    if of.is_some_and(|of| of.is_case_exact) { text.to_owned() } else { text.to_lowercase() }
}
