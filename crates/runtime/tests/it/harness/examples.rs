//! Examples of answers for the OpenAPI document, taken from what tests receive.
//!
//! `SVC_REWRITE_EXAMPLES=1` and a run of the whole suite take one for each answer that has none, or whose schema it fits no more.

use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

use serde_json::{Map, Value};

/// The examples, where they are being taken.
static TAKEN: LazyLock<Option<Mutex<Map<String, Value>>>> = LazyLock::new(|| {
    std::env::var_os("SVC_REWRITE_EXAMPLES")?;
    let known = std::fs::read_to_string(file()).unwrap();
    Some(Mutex::new(serde_json::from_str(&known).unwrap()))
});

/// Longer documents say no more.
const LONGEST: usize = 6_000;

/// Where they are.
pub fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/examples.json")
}

/// Takes an answer that `judge` accepts as the example of its operation, if that has none.
pub fn offer(name: &str, answer: &Value, judge: impl Fn(&Value) -> bool) {
    let Some(taken) = &*TAKEN else { return };
    let mut taken = taken.lock().unwrap();
    if taken.get(name).is_some_and(&judge) {
        return;
    }
    let Some(example) = shortened(answer).filter(|example| judge(example)) else { return };
    taken.insert(name.to_owned(), example);
    taken.sort_keys();
    std::fs::write(file(), serde_json::to_string_pretty(&*taken).unwrap() + "\n").unwrap();
}

/// The answer with one record where it is a list; nothing where it shows nothing.
fn shortened(answer: &Value) -> Option<Value> {
    let mut example = answer.clone();
    without_references(&mut example);
    shorten_lists(&mut example);
    for name in ["data", "Resources"] {
        if let Some(records) = example.get_mut(name).and_then(Value::as_array_mut) {
            records.truncate(1);
            shorten_lists(records.first_mut()?);
        }
    }
    (example.to_string().len() <= LONGEST).then_some(example)
}

/// Leaves three entries in each list among the members.
fn shorten_lists(value: &mut Value) {
    for list in value.as_object_mut().into_iter().flat_map(Map::values_mut).filter_map(Value::as_array_mut) {
        list.truncate(3);
    }
}

/// Leaves out what SCIM calls `$ref` (RFC 7643 §2.4): tools that read the document take this member for a reference wherever it stands.
fn without_references(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.shift_remove("$ref");
            members.values_mut().for_each(without_references);
        }
        Value::Array(items) => items.iter_mut().for_each(without_references),
        _ => {}
    }
}
