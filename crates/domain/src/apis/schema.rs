//! JSON Schemas that tenants write (2020-12), compiled so that neither a schema nor what it judges can cost much.

use std::iter::once;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Longest schema in bytes.
const LONGEST: usize = 16 * 1024;
/// Deepest nesting, through references as well.
const DEEPEST: usize = 32;
/// Most values in a schema, each reference counted as what it names.
const MOST_VALUES: usize = 4_000;
/// Most regular expressions, and the memory of one when compiled.
const MOST_PATTERNS: usize = 20;
const LARGEST_PATTERN: usize = 256 * 1024;
/// What names schemas elsewhere, finds them only while judging, or judges twice.
const REFUSED: &[&str] = &[
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$vocabulary",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// The schema, ready to judge; the error says what is wrong with it.
pub(super) fn compile(schema: &Value) -> Result<Validator, String> {
    if !schema.is_object() {
        return Err("give a JSON object".to_owned());
    }
    if schema.to_string().len() > LONGEST {
        return Err(format!("use at most {LONGEST} bytes"));
    }
    if schema.get("$schema").is_some_and(|dialect| dialect != DIALECT) {
        return Err(format!("the dialect is {DIALECT}"));
    }
    Weight { root: schema, values: 0, patterns: 0 }.add(schema, 0)?;
    let patterns = PatternOptions::regex().size_limit(LARGEST_PATTERN).dfa_size_limit(LARGEST_PATTERN);
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(patterns)
        .offline()
        .build(schema)
        .map_err(|error| told(&error.to_string()))
}

/// What judging by a schema can cost at most, found by following its references.
struct Weight<'a> {
    root: &'a Value,
    values: usize,
    patterns: usize,
}

impl<'a> Weight<'a> {
    fn add(&mut self, value: &'a Value, depth: usize) -> Result<(), String> {
        self.values += 1;
        if self.values > MOST_VALUES || depth > DEEPEST {
            return Err("it is too large or too deep, or refers to itself".to_owned());
        }
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.add(item, depth + 1)),
            Value::Object(members) => {
                members.iter().try_for_each(|(name, value)| self.add_member(name, value, depth + 1))
            }
            _ => Ok(()),
        }
    }

    fn add_member(&mut self, name: &str, value: &'a Value, depth: usize) -> Result<(), String> {
        if REFUSED.contains(&name) {
            return Err(format!("{name} is not supported"));
        }
        self.patterns += match (name, value) {
            ("pattern", Value::String(_)) => 1,
            ("patternProperties", Value::Object(patterns)) => patterns.len(),
            _ => 0,
        };
        if self.patterns > MOST_PATTERNS {
            return Err(format!("use at most {MOST_PATTERNS} regular expressions"));
        }
        match (name, value) {
            ("$ref", Value::String(reference)) => self.add(self.target(reference)?, depth),
            _ => self.add(value, depth),
        }
    }

    /// A part of this very schema; nothing is ever fetched.
    fn target(&self, reference: &str) -> Result<&'a Value, String> {
        let pointer = reference.strip_prefix('#').filter(|pointer| pointer.starts_with('/'));
        let pointer = pointer.filter(|pointer| !pointer.contains('%'));
        let pointer =
            pointer.ok_or_else(|| "$ref: refer to a part of the schema, as #/$defs/name".to_owned())?;
        self.root.pointer(pointer).ok_or_else(|| "$ref: there is no such part of the schema".to_owned())
    }
}

/// The start of foreign text on one line.
fn told(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut chars = line.chars();
    let start: String = chars.by_ref().take(160).collect();
    chars.next().map_or_else(|| start.clone(), |_| start.chars().chain(once('…')).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_judges_and_may_refer_to_its_own_parts() {
        let schema = json!({
            "$schema": DIALECT,
            "$defs": { "money": { "type": "string", "pattern": "^[0-9]+\\.[0-9]{2}$" } },
            "type": "object",
            "properties": { "amount": { "$ref": "#/$defs/money" }, "fee": { "$ref": "#/$defs/money" } },
            "required": ["amount"],
            "additionalProperties": false,
        });
        let validator = compile(&schema).unwrap();
        assert!(validator.is_valid(&json!({ "amount": "1.50", "fee": "0.10" })));
        for bad in [json!({}), json!({ "amount": "1.5" }), json!({ "amount": "1.50", "tip": "1.00" })] {
            assert!(!validator.is_valid(&bad), "{bad}");
        }
    }

    #[test]
    fn nothing_is_fetched_and_nothing_refers_to_itself() {
        for reference in [
            "https://schemas.example/a.json",
            "http://127.0.0.1/a.json",
            "file:///etc/passwd",
            "other.json",
            "#",
            "#/properties/a",
            "#/$defs/missing",
            "#anchor",
            "#/%24defs/x",
        ] {
            let schema = json!({ "$defs": { "x": {} }, "properties": { "a": { "$ref": reference } } });
            assert!(compile(&schema).is_err(), "{reference}");
        }
        assert!(compile(&json!({ "$id": "https://schemas.example/a.json" })).is_err());
        assert!(compile(&json!({ "$schema": "http://json-schema.org/draft-04/schema#" })).is_err());
    }

    #[test]
    fn references_that_multiply_are_refused() {
        let mut definitions = serde_json::Map::new();
        for level in 0..30 {
            let next = json!({ "$ref": format!("#/$defs/l{}", level + 1) });
            definitions.insert(format!("l{level}"), json!({ "allOf": [next, next] }));
        }
        definitions.insert("l30".to_owned(), json!(true));
        assert!(compile(&json!({ "$defs": definitions, "$ref": "#/$defs/l0" })).is_err());
    }

    #[test]
    fn size_depth_and_expressions_are_bounded() {
        let deep = (0..40).fold(json!({}), |inner, _| json!({ "properties": { "a": inner } }));
        let patterns: Vec<_> = (0..21).map(|_| json!({ "pattern": "a" })).collect();
        for bad in [
            json!({ "description": "x".repeat(LONGEST) }),
            deep,
            json!({ "anyOf": patterns }),
            json!({ "pattern": "((a{100}){100}){100}" }),
            json!({ "pattern": "(?=look)ahead" }),
            json!({ "pattern": "(" }),
            json!({ "type": "thing" }),
            json!(true),
            json!("{}"),
        ] {
            assert!(compile(&bad).is_err(), "{bad}");
        }
    }
}
