//! From an OpenAPI document (3.1, §4.8) to the page that people read.
#![expect(clippy::indexing_slicing, reason = "a member that a document lacks reads as null")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::pages::{Answer, Body, Group, Operation, Parameter, Part, Reference, Shared};

/// How deep an example goes into schemas that contain each other.
const DEEPEST: usize = 6;
/// As many operations have a parameter that stands once for all of them.
const MANY: usize = 10;

/// The page of a document, its groups in the order of the document's tags.
pub fn page(document: &Value) -> Reference {
    let reader = Reader { document, shared: shared_parameters(document) };
    let groups = list(&document["tags"]).map(|tag| reader.group(tag));
    Reference {
        title: text(&document["info"]["title"]).into(),
        version: text(&document["info"]["version"]).into(),
        paragraphs: text(&document["info"]["description"]).split("\n\n").map(parts).collect(),
        parameters: reader.shared.iter().map(|parameter| reader.parameter(parameter)).collect(),
        errors: reader.errors(),
        groups: groups.collect(),
        sign_in: None,
    }
}

/// A paragraph of `CommonMark` as far as our own description uses it: strong text and code.
fn parts(paragraph: &str) -> Vec<Part> {
    let styled = paragraph.split("**").enumerate().flat_map(|(at, piece)| {
        let outer = if at % 2 == 1 { "strong" } else { "" };
        let inner = move |(at, text): (usize, &str)| Part {
            text: text.into(),
            style: if at % 2 == 1 { "code" } else { outer },
        };
        piece.split('`').enumerate().map(inner).collect::<Vec<_>>()
    });
    styled.collect()
}

struct Reader<'a> {
    document: &'a Value,
    shared: Vec<&'a Value>,
}

/// The optional parameters that many operations have, in the order in which they first occur.
fn shared_parameters(document: &Value) -> Vec<&Value> {
    let operations = object(&document["paths"]).flat_map(|(_, methods)| object(methods));
    let all: Vec<_> = operations.flat_map(|(_, operation)| list(&operation["parameters"])).collect();
    let mut counts = BTreeMap::<String, usize>::new();
    for parameter in &all {
        *counts.entry(parameter.to_string()).or_default() += 1;
    }
    let is_shared = |parameter: &&&Value| {
        parameter["required"] != true
            && counts.get(&parameter.to_string()).is_some_and(|count| *count >= MANY)
    };
    let mut seen = BTreeSet::new();
    all.iter().filter(is_shared).filter(|parameter| seen.insert(parameter.to_string())).copied().collect()
}

impl Reader<'_> {
    fn group(&self, tag: &Value) -> Group {
        let name = text(&tag["name"]);
        let mut operations = Vec::new();
        for (path, methods) in object(&self.document["paths"]) {
            for (method, operation) in object(methods) {
                if list(&operation["tags"]).any(|tag| text(tag) == name) {
                    operations.push(self.operation(path, method, operation));
                }
            }
        }
        let id = name.to_lowercase().replace(' ', "-").into();
        Group { id, name: name.into(), description: text(&tag["description"]).into(), operations }
    }

    /// What operations answer by reference, in the order of statuses.
    fn errors(&self) -> Vec<Answer> {
        let operations = object(&self.document["paths"]).flat_map(|(_, methods)| object(methods));
        let answers = operations.flat_map(|(_, operation)| object(&operation["responses"]));
        let shared: BTreeMap<_, _> = answers.filter(|(_, answer)| is_shared(answer)).collect();
        shared.into_iter().map(|answer| self.answer(answer)).collect()
    }

    fn answer(&self, (status, answer): (&String, &Value)) -> Answer {
        Answer { status: status.into(), description: parts(text(&self.resolved(answer)["description"])) }
    }

    fn operation(&self, path: &str, method: &str, operation: &Value) -> Operation {
        let (shared, own): (Vec<_>, Vec<_>) =
            list(&operation["parameters"]).partition(|parameter| self.shared.contains(parameter));
        let told = |parameter: &Value| Shared {
            name: text(&parameter["name"]).into(),
            place: text(&parameter["in"]).into(),
        };
        let (errors, answers): (Vec<_>, Vec<_>) =
            object(&operation["responses"]).partition(|(_, answer)| is_shared(answer));
        Operation {
            id: text(&operation["operationId"]).into(),
            method: method.to_uppercase().into(),
            path: path.into(),
            summary: text(&operation["summary"]).into(),
            description: parts(text(&operation["description"])),
            parameters: own.into_iter().map(|parameter| self.parameter(parameter)).collect(),
            shared: shared.into_iter().map(told).collect(),
            body: object(&operation["requestBody"]["content"])
                .next()
                .map(|(media_type, content)| self.body(media_type, &content["schema"])),
            answers: answers.into_iter().map(|answer| self.answer(answer)).collect(),
            errors: errors.into_iter().map(|(status, _)| status.into()).collect(),
        }
    }

    fn parameter(&self, parameter: &Value) -> Parameter {
        Parameter {
            name: text(&parameter["name"]).into(),
            place: text(&parameter["in"]).into(),
            kind: self.kind(&parameter["schema"]).into(),
            is_required: parameter["required"] == true,
            description: parts(text(&parameter["description"])),
        }
    }

    fn body(&self, media_type: &str, schema: &Value) -> Body {
        let (mut members, mut required) = (Map::new(), Vec::new());
        self.collect(schema, &mut members, &mut required, 0);
        let is_required = |name: &str| required.iter().any(|known| known == name);
        let wanted = members.iter().filter(|(name, _)| required.is_empty() || is_required(name));
        let own = self.resolved(schema)["examples"][0].as_object().cloned();
        let made = || wanted.map(|(name, schema)| (name.clone(), self.example(schema, 0))).collect();
        let example: Map<_, _> = own.unwrap_or_else(made);
        let example = if media_type.ends_with("json") {
            serde_json::to_string_pretty(&example).unwrap_or_default()
        } else {
            let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            example
                .iter()
                .map(|(name, value)| format!("{name}={}", plain(value)))
                .collect::<Vec<_>>()
                .join("&")
        };
        let member = |(name, schema): (&String, &Value)| Parameter {
            name: name.into(),
            place: "".into(),
            kind: self.kind(schema).into(),
            is_required: is_required(name),
            description: parts(text(&self.resolved(schema)["description"])),
        };
        Body {
            media_type: media_type.into(),
            members: members.iter().map(member).collect(),
            example: example.into(),
        }
    }

    /// The members of a schema and of those that it is put together from.
    fn collect(
        &self,
        schema: &Value,
        members: &mut Map<String, Value>,
        required: &mut Vec<String>,
        depth: usize,
    ) {
        let schema = self.resolved(schema);
        if depth > DEEPEST {
            return;
        }
        members.extend(object(&schema["properties"]).map(|(name, schema)| (name.clone(), schema.clone())));
        required.extend(list(&schema["required"]).map(|name| text(name).to_owned()));
        for part in list(&schema["allOf"]).chain(list(&schema["oneOf"]).take(1)) {
            self.collect(part, members, required, depth + 1);
        }
    }

    /// A value to begin with: an example of the schema's own, its default, its first choice, or an empty one.
    fn example(&self, schema: &Value, depth: usize) -> Value {
        let schema = self.resolved(schema);
        let own = [&schema["example"], &schema["examples"][0], &schema["default"], &schema["enum"][0]];
        if let Some(own) = own.into_iter().find(|value| !value.is_null()) {
            return own.clone();
        }
        if depth > DEEPEST {
            return Value::Null;
        }
        match self.kind(schema).as_str() {
            "object" => {
                let (mut members, mut required) = (Map::new(), Vec::new());
                self.collect(schema, &mut members, &mut required, depth);
                let members = members.into_iter().filter(|(name, _)| required.contains(name));
                members.map(|(name, schema)| (name, self.example(&schema, depth + 1))).collect()
            }
            "array" => json!([self.example(&schema["items"], depth + 1)]),
            "integer" | "number" => json!(1),
            "boolean" => json!(false),
            _ => json!(""),
        }
    }

    /// The type of a schema in one word.
    fn kind(&self, schema: &Value) -> String {
        let schema = self.resolved(schema);
        let named = list(&schema["type"]).map(text).find(|kind| *kind != "null");
        let named = named.or_else(|| schema["type"].as_str());
        let parts = || list(&schema["allOf"]).chain(list(&schema["oneOf"])).chain(list(&schema["anyOf"]));
        match named {
            Some(kind) => kind.to_owned(),
            None if schema["properties"].is_object() => "object".to_owned(),
            None => {
                let known = parts().find(|part| part["type"] != "null" && !std::ptr::eq(*part, schema));
                known.map(|part| self.kind(part)).unwrap_or_default()
            }
        }
    }

    /// What a reference names, or the value itself.
    fn resolved<'v>(&'v self, value: &'v Value) -> &'v Value {
        let path = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
        path.and_then(|path| self.document.pointer(path)).unwrap_or(value)
    }
}

/// Whether an answer stands once in the document, for all operations that have it.
fn is_shared(answer: &Value) -> bool {
    answer["$ref"].is_string()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_of_many_operations_stands_once() {
        let limit = json!({ "name": "limit", "in": "query", "schema": { "type": "integer" } });
        let operation = |at: usize| {
            let own = json!({ "name": format!("of{at}"), "in": "query", "schema": { "type": "string" } });
            json!({ "operationId": format!("get_{at}"), "tags": ["All"], "parameters": [own, limit], "responses": {} })
        };
        let paths: Map<_, _> =
            (0..MANY).map(|at| (format!("/{at}"), json!({ "get": operation(at) }))).collect();
        let page = page(&json!({ "tags": [{ "name": "All" }], "paths": paths }));
        assert_eq!(
            json!(page.parameters.iter().map(|shared| &shared.name).collect::<Vec<_>>()),
            json!(["limit"])
        );
        for (at, operation) in page.groups[0].operations.iter().enumerate() {
            assert_eq!(json!(operation.parameters[0].name), json!(format!("of{at}")));
            assert_eq!(json!(operation.shared), json!([{ "name": "limit", "place": "query" }]));
        }
    }

    #[test]
    fn a_document_is_told_by_task_with_examples_of_its_bodies() {
        let document = json!({
            "info": { "title": "T", "version": "1", "description": "**Lists** answer `data`.\n\nMore." },
            "tags": [{ "name": "Second things", "description": "B." }, { "name": "First" }],
            "paths": { "/a/{id}": {
                "put": {
                    "operationId": "put_a", "summary": "Change", "tags": ["Second things"],
                    "description": "Needs the scope `a:write`.",
                    "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
                    "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/A" } } } },
                    "responses": {
                        "200": { "description": "Success." },
                        "404": { "$ref": "#/components/responses/NotFound" },
                    },
                },
            } },
            "components": { "responses": { "NotFound": { "description": "No `a`." } }, "schemas": {
                "A": { "allOf": [{ "$ref": "#/components/schemas/B" }], "required": ["kinds"], "properties": {
                    "kinds": { "type": "array", "items": { "enum": ["one", "two"] } },
                    "note": { "type": ["string", "null"], "description": "A note." },
                } },
                "B": { "required": ["count"], "properties": { "count": { "type": "integer", "default": 7 } } },
            } },
        });
        let page = page(&document);
        assert_eq!(page.groups.iter().map(|group| group.operations.len()).collect::<Vec<_>>(), [1, 0]);
        let operation = &page.groups[0].operations[0];
        assert_eq!((json!(operation.answers[0].status), operation.answers.len()), (json!("200"), 1));
        assert_eq!((json!(operation.errors), json!(page.errors[0].status)), (json!(["404"]), json!("404")));
        assert_eq!(json!(page.errors[0].description[1]), json!({ "text": "a", "style": "code" }));
        assert_eq!(json!(operation.description[1]), json!({ "text": "a:write", "style": "code" }));
        let body = operation.body.as_ref().unwrap();
        let example: Value = serde_json::from_str(json!(body)["example"].as_str().unwrap()).unwrap();
        assert_eq!(example, json!({ "kinds": ["one"], "count": 7 }));
        let members: Vec<_> =
            body.members.iter().map(|member| (json!(member.name), json!(member.kind))).collect();
        let kinds = [("kinds", "array"), ("note", "string"), ("count", "integer")];
        assert_eq!(members, kinds.map(|(name, kind)| (json!(name), json!(kind))));
        let styles: Vec<_> = page.paragraphs[0].iter().map(|part| part.style).collect();
        assert_eq!(styles, ["", "strong", "", "code", ""]);
    }
}
