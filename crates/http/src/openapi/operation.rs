//! One operation of the document.

use serde_json::{Map, Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::Schema;

use super::{errors, security};
use crate::route::{Answer, Declared, Docs, FIELDS, Guard, Header, SchemaOf, takes_fields};

/// The operation that a route is.
pub(super) fn of(route: &Declared, schemas: &mut Vec<(String, RefOr<Schema>)>) -> Value {
    let docs = &route.docs;
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": docs.summary,
        "security": security::of(route),
        "parameters": parameters(route),
    });
    if let Some(description) = description(route) {
        operation["description"] = json!(description);
    }
    if !docs.tag.is_empty() {
        operation["tags"] = json!([docs.tag]);
    }
    let bodies = bodies(docs, schemas);
    if !bodies.is_empty() {
        operation["requestBody"] = json!({ "required": !docs.may_lack_body, "content": bodies });
    }
    operation["responses"] = responses(route, schemas).into();
    operation
}

/// What is sent, by media type.
fn bodies(docs: &Docs, schemas: &mut Vec<(String, RefOr<Schema>)>) -> Map<String, Value> {
    let body = |(media_type, schema): &(&'static str, SchemaOf)| {
        let mut content = json!({ "schema": schema.place(schemas) });
        if let Some(example) = docs.example {
            content["example"] = example();
        }
        ((*media_type).to_owned(), content)
    };
    docs.bodies.iter().map(body).collect()
}

/// What is answered, by status; an answer has a content for each media type.
fn responses(route: &Declared, schemas: &mut Vec<(String, RefOr<Schema>)>) -> Map<String, Value> {
    let mut responses = Map::new();
    for answer in &route.docs.answers {
        let new = response(answer, schemas);
        match responses.get_mut(&answer.status.to_string()) {
            Some(known) => known["content"]
                .as_object_mut()
                .into_iter()
                .zip(new["content"].as_object())
                .for_each(|(known, new)| known.extend(new.clone())),
            None => drop(responses.insert(answer.status.to_string(), new)),
        }
    }
    for (status, error) in errors::of(route) {
        responses.entry(status).or_insert(error);
    }
    responses
}

fn description(route: &Declared) -> Option<String> {
    let own = route.docs.description;
    let scope = match route.guard {
        Guard::Tenant { scope } => format!("Needs the scope `{scope}`."),
        Guard::Operator(role) => {
            format!("For operators of the deployment, at the default tenant, from the role `{role}` on.")
        }
        _ => String::new(),
    };
    let text = [own, &scope].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    (!text.is_empty()).then_some(text)
}

fn parameters(route: &Declared) -> Vec<Value> {
    let path = path_params(route.path).map(|name| {
        let description = format!("The identifier of the record in `{}`.", before(route.path, name));
        json!({
            "name": name,
            "in": "path",
            "required": true,
            "description": description,
            "schema": { "type": "string", "minLength": 1 },
        })
    });
    let query = route.docs.query.iter().flat_map(|params| params(|| Some(ParameterIn::Query)));
    let header = |Header { name, description }: &Header| json!({ "name": name, "in": "header", "required": false, "description": description, "schema": { "type": "string" } });
    let key = route.is_idempotent.then(idempotency_key);
    path.chain(query.map(|parameter| json!(parameter)))
        .chain(takes_fields(route).then(fields))
        .chain(route.docs.headers.iter().map(header))
        .chain(key)
        .collect()
}

fn fields() -> Value {
    json!({
        "name": FIELDS,
        "in": "query",
        "required": false,
        "description": "The members to answer with, separated by commas; a dot leads into a member, as in `a.b`. Of a list, they are the \
                        members of its records. The answer has no others.",
        "schema": { "type": "string", "minLength": 1, "maxLength": 2000 },
    })
}

fn idempotency_key() -> Value {
    json!({
        "name": "idempotency-key",
        "in": "header",
        "required": false,
        "description": "Repeat it when retrying: the first response is given again for 24 hours.",
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" },
    })
}

fn response(answer: &Answer, schemas: &mut Vec<(String, RefOr<Schema>)>) -> Value {
    let mut response = json!({ "description": meaning(answer.status) });
    if !answer.headers.is_empty() {
        let headers = answer.headers.iter().map(|header| {
            let value = json!({ "description": header.description, "schema": { "type": "string" } });
            (header.name.to_owned(), value)
        });
        response["headers"] = headers.collect::<Map<_, _>>().into();
    }
    if let Some((media_type, schema)) = &answer.content {
        let content = match schema {
            Some(schema) => json!({ "schema": schema.place(schemas) }),
            None => json!({ "schema": { "type": "string" } }),
        };
        response["content"] = json!({ *media_type: content });
    }
    response
}

/// A stable name for generated clients: the method, then the words of the path.
fn operation_id(route: &Declared) -> String {
    let words = route.path.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.filter(|word| !matches!(*word, "api" | "v1"));
    words.fold(route.method.as_str().to_ascii_lowercase(), |id, word| id + "_" + word)
}

/// What stands before a parameter in the path.
fn before<'a>(path: &'a str, name: &str) -> &'a str {
    let parameter = format!("{{{name}}}");
    path.split_once(&parameter).map_or(path, |(before, _)| before.trim_end_matches('/'))
}

fn path_params(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}

fn meaning(status: u16) -> &'static str {
    match status {
        201 => "Created.",
        204 => "Done.",
        303 => "Continue at another address.",
        503 => "Unavailable.",
        _ => "Success.",
    }
}
