//! Examples of answers: documents that tests received.

use serde_json::Value;

use super::{document, operations};
use crate::harness::accepts;

/// Answers that never come.
const NEVER: &[&str] = &["get /scim/v2/Me 200"];

/// The answers with a JSON document: their names, schemas and examples.
fn answers(document: &Value) -> Vec<(String, &Value, Option<&Value>)> {
    let mut found = Vec::new();
    for (name, operation) in operations(document) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let contents = answer["content"].as_object().into_iter().flatten();
            for (media_type, content) in contents {
                if status.starts_with('2') && media_type.ends_with("json") {
                    found.push((format!("{name} {status}"), &content["schema"], content.get("example")));
                }
            }
        }
    }
    found
}

#[test]
fn every_answer_has_an_example_of_its_schema() {
    let document = document();
    let answers = answers(&document);
    let lacks = |(name, schema, example): &&(String, &Value, Option<&Value>)| {
        !NEVER.contains(&name.as_str()) && !example.is_some_and(|example| accepts(schema, example))
    };
    let others: Vec<_> = answers.iter().filter(lacks).map(|(name, ..)| name).collect();
    assert!(others.is_empty(), "run all tests with SVC_REWRITE_EXAMPLES=1 to take others: {others:#?}");
}
