//! The records that the operations of a page take and give, each once.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cell;
use super::operation::anchor;

/// What errors are: they have a page of their own.
const PROBLEM: &str = "Problem";

/// The schemas that a page has named so far, in order.
pub struct Schemas<'a> {
    document: &'a Value,
    named: Vec<&'a str>,
    /// Those that a caller sends: they say which members are required.
    taken: BTreeSet<&'a str>,
}

impl<'a> Schemas<'a> {
    pub fn of(document: &'a Value) -> Self {
        Self { document, named: Vec::new(), taken: BTreeSet::new() }
    }

    /// What a reference leads to, or the value itself.
    pub fn resolved(&self, value: &'a Value) -> &'a Value {
        let pointer = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
        pointer.map_or(value, |pointer| self.document.pointer(pointer).unwrap())
    }

    /// The type of a body that callers send.
    pub fn taken(&mut self, schema: &'a Value) -> String {
        self.mark(schema);
        self.kind(schema)
    }

    /// The type of a value; records are linked to.
    pub fn kind(&mut self, schema: &'a Value) -> String {
        if let Some(name) = name(schema) {
            return self.link(name);
        }
        if let Some(choices) = schema["enum"].as_array() {
            return choices
                .iter()
                .map(|choice| format!("`{}`", plain(choice)))
                .collect::<Vec<_>>()
                .join(", ");
        }
        if let Some(several) = schema["oneOf"].as_array() {
            return several.iter().map(|one| self.kind(one)).collect::<Vec<_>>().join(" or ");
        }
        let types = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            Value::String(one) => vec![one.as_str()],
            _ => return "any value".to_owned(),
        };
        types.into_iter().map(|kind| self.one_kind(kind, schema)).collect::<Vec<_>>().join(" or ")
    }

    fn one_kind(&mut self, kind: &str, schema: &'a Value) -> String {
        match (kind, &schema["items"], &schema["additionalProperties"]) {
            ("array", items @ Value::Object(_), _) => format!("list of {}", self.kind(items)),
            ("object", _, values @ Value::Object(_)) => format!("object of {}", self.kind(values)),
            ("string", ..) => match schema["format"].as_str() {
                Some(format) => format!("string ({format})"),
                None => "string".to_owned(),
            },
            _ => kind.to_owned(),
        }
    }

    /// What is said of a value, and what it must keep to where that does not say it.
    pub fn about(text: &str, schema: &Value) -> String {
        let is_said = |limit: &&String| text.contains(limit.trim_end_matches('.'));
        let limits = Self::limits(schema);
        let more = limits.iter().filter(|limit| !is_said(limit)).map(String::as_str);
        cell(&[text].into_iter().chain(more).collect::<Vec<_>>().join(" "))
    }

    /// What a value must keep to, as sentences.
    fn limits(schema: &Value) -> Vec<String> {
        let of = |name: &str| schema.get(name).filter(|value| value.is_number()).map(ToString::to_string);
        let range = |least: Option<String>, most: Option<String>, unit: &str| match (least, most) {
            (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}.")),
            (Some(least), None) if least == "1" => None,
            (Some(least), None) => Some(format!("At least {least}{unit}.")),
            (None, Some(most)) => Some(format!("At most {most}{unit}.")),
            (None, None) => None,
        };
        let default = schema.get("default").filter(|value| !value.is_null());
        let said = [
            range(of("minLength"), of("maxLength"), " characters"),
            range(of("minItems"), of("maxItems"), " of them"),
            range(of("minimum"), of("maximum"), ""),
            default.map(|value| match value {
                Value::Number(number) => format!("{number} unless given."),
                value => format!("`{}` unless given.", plain(value)),
            }),
        ];
        said.into_iter().flatten().collect()
    }

    fn link(&mut self, name: &'a str) -> String {
        if name == PROBLEM {
            return "[an error](../errors.md)".to_owned();
        }
        if !self.named.contains(&name) {
            self.named.push(name);
        }
        format!("[{name}](#{})", anchor(name))
    }

    /// Every record that the page has named, and those that they name.
    pub fn described(&mut self) -> String {
        let mut text = String::new();
        let mut next = 0;
        while let Some(name) = self.named.get(next).copied() {
            text += &self.record(name);
            next += 1;
        }
        if text.is_empty() { text } else { format!("\n## Records\n{text}") }
    }

    fn record(&mut self, name: &'a str) -> String {
        let schema = &self.document["components"]["schemas"][name];
        let about = schema["description"].as_str().unwrap_or_default();
        let mut text = format!("\n### {name}\n");
        if !about.is_empty() {
            text += &format!("\n{about}\n");
        }
        let is_taken = self.taken.contains(name);
        if schema["properties"].is_object() {
            text += &self.members(schema, is_taken);
        } else if let Some(several) =
            schema["oneOf"].as_array().filter(|all| all.iter().all(|one| one["properties"].is_object()))
        {
            for one in several {
                text += &self.members(one, is_taken);
            }
        } else {
            let kind = self.kind(schema);
            text += &format!("\n{}\n", Self::about(&format!("{kind}."), schema));
        }
        text
    }

    fn members(&mut self, schema: &'a Value, is_taken: bool) -> String {
        let required: Vec<_> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut table = String::from("\n| member | type | what it is |\n|---|---|---|\n");
        for (member, value) in schema["properties"].as_object().unwrap() {
            let kind = self.kind(value);
            let inner = value["oneOf"][0]["description"].as_str();
            let text = value["description"].as_str().or(inner).unwrap_or_default();
            let must = if is_taken && required.contains(&member.as_str()) { " Required." } else { "" };
            table += &format!("| `{member}` | {} | {}{must} |\n", cell(&kind), Self::about(text, value));
        }
        table
    }

    /// Callers also send what a body that they send is made of.
    fn mark(&mut self, value: &'a Value) {
        if let Some(name) = name(value) {
            if self.taken.insert(name) {
                self.mark(self.resolved(value));
            }
            return;
        }
        let members = value["properties"].as_object().into_iter().flatten().map(|(_, member)| member);
        let several = value["oneOf"].as_array().into_iter().flatten();
        for inner in members.chain(several).chain([&value["items"], &value["additionalProperties"]]) {
            if inner.is_object() {
                self.mark(inner);
            }
        }
    }
}

/// The schema that a value refers to.
fn name(value: &Value) -> Option<&str> {
    value["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

/// A value as it stands in a text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
