//! What the readers of exports have in common: members of a record, and what of them fits here.

use serde_json::{Map, Value};
use svc_core::Timestamp;
use svc_domain::people::tenant_users;

/// The text of a member that is not empty.
pub(super) fn text(record: &Value, name: &str) -> Option<String> {
    record.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The first of some members that has a text.
pub(super) fn first(record: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| text(record, name))
}

/// Whether a member says yes, as a flag or as a word.
pub(super) fn flag(record: &Value, name: &str) -> bool {
    match record.get(name) {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(word)) => ["true", "1", "yes"].contains(&word.to_ascii_lowercase().as_str()),
        _ => false,
    }
}

/// A time in milliseconds, as a number or as a text.
pub(super) fn millis(record: &Value, name: &str) -> Option<Timestamp> {
    let value = record.get(name)?;
    let millis = value.as_i64().or_else(|| value.as_str()?.parse().ok())?;
    Some(Timestamp::from_micros(millis.checked_mul(1000)?))
}

/// A time of RFC 3339.
pub(super) fn time(record: &Value, name: &str) -> Option<Timestamp> {
    serde_json::from_value(record.get(name)?.clone()).ok()
}

/// The members of an object.
pub(super) fn members(record: &Value, name: &str) -> Map<String, Value> {
    record.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The records of a list.
pub(super) fn list<'a>(record: &'a Value, name: &str) -> &'a [Value] {
    record.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The texts of a list.
pub(super) fn texts(record: &Value, name: &str) -> Vec<String> {
    list(record, name).iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A sign-in name, where it can be one here; many systems use the address.
pub(super) fn username(record: &Value, name: &str) -> Option<String> {
    text(record, name).filter(|name| tenant_users::check(Some(name), &[]).is_ok())
}
