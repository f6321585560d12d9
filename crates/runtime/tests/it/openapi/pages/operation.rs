//! One operation on the page of its group: address, scope, parameters, body, answers.

use serde_json::Value;

use super::cell;
use super::schemas::Schemas;

/// `get /api/v1/roles` as people write it.
pub fn title(name: &str) -> String {
    let (method, path) = name.split_once(' ').unwrap();
    format!("{} {path}", method.to_uppercase())
}

/// The anchor of its heading.
pub fn anchor(title: &str) -> String {
    let text = title.to_lowercase().replace(' ', "-");
    text.chars().filter(|char| char.is_alphanumeric() || ['-', '_'].contains(char)).collect()
}

/// Everything that the document says of an operation.
pub fn part<'a>(schemas: &mut Schemas<'a>, (title, operation): (&str, &'a Value)) -> String {
    let summary = operation["summary"].as_str().unwrap();
    let mut part = format!("## `{title}`\n\n{summary}.{}\n", needs(operation));
    part += &parameters(schemas, operation);
    part += &body(schemas, operation);
    part += &answers(schemas, operation);
    part
}

/// What a caller needs, and what else the description says.
fn needs(operation: &Value) -> String {
    let description = operation["description"].as_str().unwrap_or_default();
    let text = description.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { text } else { format!(" {text}") }
}

fn parameters<'a>(schemas: &mut Schemas<'a>, operation: &'a Value) -> String {
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if parameters.is_empty() {
        return String::new();
    }
    let mut table = String::from("\n| parameter | in | type | what it is |\n|---|---|---|---|\n");
    for parameter in parameters {
        let parameter = schemas.resolved(parameter);
        let text = |name: &str| parameter[name].as_str().unwrap_or_default();
        let schema = &parameter["schema"];
        let kind = schemas.kind(schema);
        let about = Schemas::about(text("description"), schema);
        let name = text("name");
        table += &format!("| `{name}` | {} | {} | {about} |\n", text("in"), cell(&kind));
    }
    table
}

fn body<'a>(schemas: &mut Schemas<'a>, operation: &'a Value) -> String {
    let Some(contents) = operation["requestBody"]["content"].as_object() else { return String::new() };
    let mut part = String::new();
    for (media_type, content) in contents {
        let schema = &content["schema"];
        part += &format!("\nThe body, `{media_type}`: {}\n", schemas.taken(schema));
        let example = content.get("example").or_else(|| schemas.resolved(schema)["examples"].get(0));
        if let Some(example) = example.filter(|example| !example.is_string()) {
            part += &format!("\n```json\n{}\n```\n", serde_json::to_string_pretty(example).unwrap());
        }
    }
    part
}

/// What comes back: each success with its body, then the statuses of errors.
fn answers<'a>(schemas: &mut Schemas<'a>, operation: &'a Value) -> String {
    let mut table = String::from("\n| answer | what comes |\n|---|---|\n");
    let mut errors = Vec::new();
    for (status, answer) in operation["responses"].as_object().unwrap() {
        if status.starts_with(['4', '5']) {
            errors.push(status.as_str());
        } else if status != "default" {
            table += &format!("| {status} | {} |\n", answer_of(schemas, answer));
        }
    }
    if !errors.is_empty() {
        table += &format!("| {} | [an error](../errors.md) |\n", errors.join(", "));
    }
    table
}

fn answer_of<'a>(schemas: &mut Schemas<'a>, answer: &'a Value) -> String {
    let answer = schemas.resolved(answer);
    let about = answer["description"].as_str().unwrap_or_default();
    let contents = answer["content"].as_object().into_iter().flatten();
    let bodies = contents.map(|(media_type, content)| {
        let kind = schemas.kind(&content["schema"]);
        if media_type == "application/json" { kind } else { format!("`{media_type}`: {kind}") }
    });
    let bodies: Vec<_> = bodies.collect();
    let headers: Vec<_> =
        answer["headers"].as_object().into_iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
    let headers =
        if headers.is_empty() { String::new() } else { format!(" Headers: {}.", headers.join(", ")) };
    cell(&format!("{about} {}{headers}", bodies.join(", or ")))
}
