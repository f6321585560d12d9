//! JSON as values of the language: what has no counterpart there is refused by the name of its member.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr as _;
use std::sync::RwLock;

use cedar_policy::{EntityId, EntityTypeName, EntityUid, RestrictedExpression as Expression};
use serde_json::{Map, Number, Value};
use svc_core::{Error, OrInternal as _, Result};

/// Most bytes of a text in a request: a pattern is held against each of its letters.
const LONGEST_TEXT: usize = 2_048;
/// Most bytes of the name of a type.
const LONGEST_TYPE: usize = 128;
/// Most names of types that are kept.
const MOST_TYPES: usize = 1_000;
/// Most values of a kind that are kept with the text of which they were made.
const MOST_MADE: usize = 4_000;
/// Most bytes of an id.
const LONGEST_ID: usize = 512;

/// Where something stands in a question. Nearly all that is read fits, and its place is not written out.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    above: Option<&'a Place<'a>>,
    name: &'a str,
}

impl<'a> Place<'a> {
    /// A member of the question itself.
    pub const fn of(name: &'a str) -> Self {
        Self { above: None, name }
    }

    /// A member of what stands here.
    pub const fn member(&'a self, name: &'a str) -> Self {
        Self { above: Some(self), name }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            write!(f, "{above}.")?;
        }
        f.write_str(self.name)
    }
}

/// The members of an object. What is null is as good as absent.
pub(super) fn members<'v, C: FromIterator<(String, Expression)>>(
    object: impl IntoIterator<Item = (&'v String, &'v Value)>,
    at: Place<'_>,
) -> Result<C> {
    let present = object.into_iter().filter(|(_, value)| !value.is_null());
    present.map(|(name, value)| Ok((name.clone(), expression(value, at.member(name))?))).collect()
}

/// A value.
fn expression(value: &Value, at: Place<'_>) -> Result<Expression> {
    match value {
        Value::Bool(flag) => Ok(Expression::new_bool(*flag)),
        Value::Number(number) => self::number(number, at),
        Value::String(text) if text.len() > LONGEST_TEXT => {
            Err(Error::bad_request(format!("{at}: use at most {LONGEST_TEXT} bytes")))
        }
        Value::String(text) => Ok(Expression::new_string(text.clone())),
        Value::Array(values) => {
            let values = values.iter().filter(|value| !value.is_null());
            Ok(Expression::new_set(values.map(|value| expression(value, at)).collect::<Result<Vec<_>>>()?))
        }
        Value::Object(object) => match object.get("__entity") {
            Some(Value::Object(named)) if object.len() == 1 => {
                Ok(Expression::new_entity_uid(reference(named, at)?))
            }
            _ => Expression::new_record(members::<Vec<_>>(object, at)?).or_internal(),
        },
        Value::Null => Err(Error::bad_request(format!("{at}: null is no value; leave it out"))),
    }
}

/// Whole numbers, and numbers of up to four decimal places.
fn number(number: &Number, at: Place<'_>) -> Result<Expression> {
    if let Some(whole) = number.as_i64() {
        return Ok(Expression::new_long(whole));
    }
    let text = number.to_string();
    let places = text.split_once('.').map_or(usize::MAX, |(_, places)| places.len());
    let is_decimal = places <= 4 && number.as_f64().is_some_and(|value| value.abs() < 900_000_000_000_000.0);
    if is_decimal && !text.contains(['e', 'E']) {
        return Ok(decimal(&text));
    }
    Err(Error::bad_request(format!("{at}: use a whole number, or one of at most four decimal places")))
}

/// The value of an IP address.
pub(super) fn address(text: &str) -> Expression {
    static KNOWN: ValueCache = ValueCache::empty();
    KNOWN.of(text, || Expression::new_ip(text))
}

/// The value of a time, as the language writes it.
pub(super) fn time(text: &str) -> Expression {
    static KNOWN: ValueCache = ValueCache::empty();
    KNOWN.of(text, || Expression::new_datetime(text))
}

fn decimal(text: &str) -> Expression {
    static KNOWN: ValueCache = ValueCache::empty();
    KNOWN.of(text, || Expression::new_decimal(text))
}

/// Cedar values, each by the text that it was parsed from. Cedar parses the name of the constructor for each new value, which takes
/// longer than a decision.
struct ValueCache(RwLock<BTreeMap<String, Expression>>);

impl ValueCache {
    const fn empty() -> Self {
        Self(RwLock::new(BTreeMap::new()))
    }

    fn of(&self, text: &str, construct: impl FnOnce() -> Expression) -> Expression {
        if let Some(known) = self.0.read().ok().and_then(|known| known.get(text).cloned()) {
            return known;
        }
        let made = construct();
        if let Ok(mut known) = self.0.write() {
            // Recent times and addresses are more likely to come again than old ones.
            if known.len() >= MOST_MADE {
                known.clear();
            }
            known.insert(text.to_owned(), made.clone());
        }
        made
    }
}

fn reference(named: &Map<String, Value>, at: Place<'_>) -> Result<EntityUid> {
    match (named.get("type"), named.get("id")) {
        (Some(Value::String(kind)), Some(Value::String(id))) if named.len() == 2 => uid(kind, id, at),
        _ => Err(Error::bad_request(format!("{at}.__entity: name `type` and `id`"))),
    }
}

/// Who is above an entity: the property `parents`, a list of `{"type", "id"}`.
pub(super) fn parents(value: Option<&Value>, at: Place<'_>) -> Result<HashSet<EntityUid>> {
    let Some(value) = value else { return Ok(HashSet::new()) };
    let wrong = || Error::bad_request(format!("{at}: expected a list of objects with `type` and `id`"));
    let named = value.as_array().ok_or_else(wrong)?.iter();
    named.map(|named| reference(named.as_object().ok_or_else(wrong)?, at)).collect()
}

/// The name of an entity. The type `user` of the standard is our `User`.
pub(super) fn uid(kind: &str, id: &str, at: Place<'_>) -> Result<EntityUid> {
    if id.is_empty() || id.len() > LONGEST_ID || id.chars().any(char::is_control) {
        return Err(Error::bad_request(format!(
            "{at}.id: use 1 to {LONGEST_ID} bytes without control characters"
        )));
    }
    Ok(EntityUid::from_type_name_and_id(type_name(kind, at)?, EntityId::new(id)))
}

/// The name of a type. Reading one costs more than a decision, so that those that were read are kept.
pub(super) fn type_name(kind: &str, at: Place<'_>) -> Result<EntityTypeName> {
    static KNOWN: RwLock<BTreeMap<String, EntityTypeName>> = RwLock::new(BTreeMap::new());
    let kind = if kind == "user" { "User" } else { kind };
    if let Some(known) = KNOWN.read().ok().and_then(|known| known.get(kind).cloned()) {
        return Ok(known);
    }
    let name = Some(kind).filter(|kind| kind.len() <= LONGEST_TYPE).map(EntityTypeName::from_str);
    let name = name.and_then(std::result::Result::ok).ok_or_else(|| {
        Error::bad_request(format!("{at}.type: use letters, digits and `_`, also in parts divided by `::`"))
    })?;
    if let Ok(mut known) = KNOWN.write()
        && known.len() < MOST_TYPES
    {
        known.insert(kind.to_owned(), name.clone());
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use cedar_policy::Context;
    use serde_json::json;

    use super::*;

    fn taken(value: &Value) -> Result<Vec<(String, Expression)>> {
        members(value.as_object().unwrap(), Place::of("context"))
    }

    #[test]
    fn what_has_no_counterpart_is_refused_by_its_name() {
        for (value, expected) in [
            (json!({ "a": { "b": 1.234_56 } }), "context.a.b: use a whole number"),
            (json!({ "a": 1e300 }), "context.a: use a whole number"),
            (json!({ "a": 18_446_744_073_709_551_615_u64 }), "context.a: use a whole number"),
            (json!({ "a": "x".repeat(3_000) }), "context.a: use at most 2048 bytes"),
            (json!({ "a": { "__entity": { "type": "User" } } }), "context.a.__entity: name"),
            (json!({ "a": { "__entity": { "type": "no type", "id": "x" } } }), "context.a.type: use letters"),
        ] {
            let error = taken(&value).unwrap_err();
            assert!(error.detail().starts_with(expected), "{error:?}");
        }
    }

    #[test]
    fn a_value_is_made_of_a_text_once_until_there_is_no_more_room() {
        let (known, times) = (ValueCache::empty(), Cell::new(0));
        let make = |text: &str| {
            known.of(text, || {
                times.set(times.get() + 1);
                Expression::new_string(text.to_owned())
            })
        };
        for turn in 0..2 {
            for number in 0..MOST_MADE {
                make(&number.to_string());
            }
            assert_eq!(times.get(), MOST_MADE, "turn {turn}");
        }
        make("one more");
        make("one more");
        assert_eq!(times.get(), MOST_MADE + 1);
        make("0");
        assert_eq!(times.get(), MOST_MADE + 2);
        let held = known.0.read().unwrap();
        assert_eq!(held.keys().map(String::as_str).collect::<Vec<_>>(), ["0", "one more"]);
    }

    #[test]
    fn a_value_that_was_made_before_is_what_it_was() {
        for _ in 0..2 {
            assert_eq!(address("192.0.2.7"), Expression::new_ip("192.0.2.7"));
            assert_eq!(time("2027-01-15T08:00:00Z"), Expression::new_datetime("2027-01-15T08:00:00Z"));
            assert_eq!(decimal("1.25"), Expression::new_decimal("1.25"));
            // The standard library takes this address, and the language does not.
            let refused = Context::from_pairs([("network".to_owned(), address("::ffff:192.0.2.7"))]);
            assert!(refused.is_err());
        }
    }

    #[test]
    fn other_values_are_taken_and_null_is_left_out() {
        let value =
            json!({ "a": [1, "b", null], "c": null, "d": 1.25, "e": { "f": true }, "g": { "__extn": 1 } });
        let taken = taken(&value).unwrap();
        assert_eq!(taken.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "d", "e", "g"]);
    }
}
