//! The difference of two records, key by key, as operators read a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A key that differed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The key, dotted where it is inside a table.
    pub key: String,
    /// What was there.
    pub from: Value,
    /// What the file says.
    pub to: Value,
}

impl Change {
    /// A key with both values; none is null.
    pub fn of(key: impl Into<String>, from: impl Into<Value>, to: impl Into<Value>) -> Self {
        Self { key: key.into(), from: from.into(), to: to.into() }
    }

    /// Something whose values are not shown.
    pub fn hidden(key: &str) -> Self {
        Self { key: key.to_owned(), from: Value::from("…"), to: Value::from("(secret)") }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} → {}", self.key, self.from, self.to)
    }
}

/// The change of a key that is apart from the configuration of its record.
pub(super) fn of_key(key: &str, present: &impl Serialize, wanted: &impl Serialize) -> Vec<Change> {
    between(&BTreeMap::from([(key, present)]), &BTreeMap::from([(key, wanted)]))
}

/// The keys in which `wanted` differs from `present`.
pub(super) fn between(present: &impl Serialize, wanted: &impl Serialize) -> Vec<Change> {
    let mut changes = Vec::new();
    let value = |result: serde_json::Result<Value>| result.unwrap_or_default();
    compare("", &value(serde_json::to_value(present)), &value(serde_json::to_value(wanted)), &mut changes);
    changes
}

fn compare(prefix: &str, present: &Value, wanted: &Value, changes: &mut Vec<Change>) {
    if present == wanted {
        return;
    }
    if let (Value::Object(one), Value::Object(other)) = (present, wanted) {
        let keys: BTreeSet<_> = one.keys().chain(other.keys()).collect();
        for key in keys {
            let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            let of = |table: &serde_json::Map<String, Value>| table.get(key).cloned().unwrap_or_default();
            compare(&path, &of(one), &of(other), changes);
        }
        return;
    }
    changes.push(Change { key: prefix.to_owned(), from: present.clone(), to: wanted.clone() });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_key_that_differs_is_told_with_both_values() {
        let changes = between(
            &json!({ "name": "Shop", "deep": { "a": 1, "b": 2 }, "same": [1] }),
            &json!({ "name": "Webshop", "deep": { "a": 1, "b": 3 }, "same": [1], "new": true }),
        );
        let lines: Vec<_> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["deep.b: 2 → 3", "name: \"Shop\" → \"Webshop\"", "new: null → true"]);
    }
}
