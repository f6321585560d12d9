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
    for list in example.as_object_mut()?.values_mut().filter_map(Value::as_array_mut) {
        list.truncate(3);
    }
    if let Some(records) = example.get_mut("data").and_then(Value::as_array_mut) {
        records.truncate(1);
        records.first()?;
    }
    let text = example.to_string();
    // Tools that read the document take this member for a reference wherever it stands.
    let refers = text.contains("\"$ref\"");
    (text.len() <= LONGEST && !refers).then_some(example)
}
