//! The vectors that every client package runs, `sdks/vectors`: made and judged by the code of the server.
//!
//! `SVC_REWRITE_DOCS=1 cargo test -p svc-keys --test vectors` writes them.

#![cfg(test)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_self,
    reason = "a case is written down as a literal, with the values of its JSON"
)]

mod judge;
mod parts;
mod plain;
mod signer;
mod tokens;
mod webhooks;

use std::path::PathBuf;

use serde_json::{Map, Value};

/// The time at which the vectors are judged.
pub const NOW: i64 = 1_800_000_000;

#[test]
fn pkce_is_judged_as_the_server_does() {
    same_as_committed("pkce.json", &plain::pkce());
}

#[test]
fn answers_to_an_authorization_request_are_told_apart() {
    same_as_committed("callback.json", &plain::callback());
}

#[test]
fn discovery_documents_are_told_apart() {
    same_as_committed("discovery.json", &plain::discovery());
}

#[test]
fn pages_follow_their_cursors() {
    same_as_committed("pagination.json", &plain::pagination());
}

#[test]
fn deliveries_are_signed_as_the_server_does() {
    same_as_committed("webhooks.json", &webhooks::all());
}

#[test]
fn access_tokens_are_judged_by_the_ten_rules() {
    let file = tokens::all(&committed("access_tokens.json"));
    judge::check(&file);
    same_as_committed("access_tokens.json", &file);
    // What is committed is judged too, whatever this run has made.
    judge::check(&committed("access_tokens.json"));
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../sdks/vectors").join(name)
}

fn committed(name: &str) -> Value {
    let text = std::fs::read_to_string(path(name)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn same_as_committed(name: &str, expected: &Value) {
    let cases = expected["cases"].as_array().unwrap();
    let names: std::collections::BTreeSet<_> = cases.iter().map(|case| case["name"].as_str()).collect();
    assert_eq!(names.len(), cases.len(), "every case of {name} has a name of its own");
    if std::env::var_os("SVC_REWRITE_DOCS").is_some() {
        let text = serde_json::to_string_pretty(&sorted(expected)).unwrap();
        std::fs::create_dir_all(path("")).unwrap();
        std::fs::write(path(name), format!("{text}\n")).unwrap();
    }
    assert!(
        committed(name) == *expected,
        "sdks/vectors/{name} is not what the code says: run \
         `SVC_REWRITE_DOCS=1 cargo test -p svc-keys --test vectors`"
    );
}

/// The same value with its members in alphabetical order, however `serde_json` was built.
pub fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name.as_str());
            let members = members.into_iter().map(|(name, member)| (name.clone(), sorted(member)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
