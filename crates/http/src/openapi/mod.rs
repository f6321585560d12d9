//! The OpenAPI 3.1 document of declared routes: made of the same values as the router, so that the two cannot differ.
#![expect(
    clippy::indexing_slicing,
    reason = "documents are objects of this module's own making; a member that is missing reads as null, or is added"
)]

mod errors;
mod examples;
mod operation;
pub(crate) mod patches;
mod protocol;
pub(crate) mod schemas;
mod security;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_core::Result;
use svc_core::capability::Capability;

use self::protocol::{Offered, Protocol};
use crate::route::{Declared, Guard, JSON, Routes};

/// What a document says of itself besides its routes.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The name of the API.
    pub title: &'a str,
    /// Its version.
    pub version: &'a str,
    /// What there is to know before the first call, in `CommonMark`.
    pub description: &'a str,
    /// Groups of operations with a sentence each, in the order in which people need them; others follow.
    pub tags: &'a [(&'a str, &'a str)],
    /// The scopes of the management API with their sentences.
    pub scopes: &'a [(&'static str, &'static str)],
}

/// The document of a set of routes, to be completed with the issuer of the tenant that publishes it.
#[derive(Clone, Debug)]
pub struct Description {
    document: Value,
    operations: Vec<Operation>,
}

/// Gives the description of the service; the runtime puts it into `Parts::planes`. To make one is much work, and most processes are
/// not asked for theirs: it is made when it is first asked for.
pub struct Describes(pub fn() -> Result<&'static Description>);

/// An operation, but for what the tenant decides about.
#[derive(Clone, Debug)]
struct Operation {
    path: &'static str,
    method: String,
    document: Value,
    protocol: Protocol,
}

impl Routes {
    /// Describes every route that is neither hidden nor a wildcard, which the format cannot express.
    pub fn openapi(&self, about: &About<'_>) -> Description {
        let shown: Vec<_> =
            self.iter().filter(|route| !route.docs.is_hidden && !route.path.contains("{*")).collect();
        let mut collected = errors::collected();
        let operations = shown.iter().map(|route| Operation {
            path: route.path,
            method: route.method.as_str().to_ascii_lowercase(),
            document: operation::of(route, &mut collected),
            protocol: Protocol::of(&route.docs),
        });
        let operations = operations.collect();
        let requests = shown.iter().flat_map(|route| bodies(route));
        let components = json!({
            "schemas": schemas::settled(collected, requests),
            "responses": errors::responses(),
            "securitySchemes": security::schemes(about.scopes),
        });
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": about.title,
                "version": about.version,
                "description": about.description,
                "license": { "name": "Apache License 2.0", "identifier": "Apache-2.0" },
            },
            "servers": [],
            "tags": tags(&shown, about.tags),
            "paths": {},
            "components": components,
        });
        Description { document, operations }
    }
}

impl Description {
    /// The document as the tenant with this issuer publishes it: of the capabilities that it `offers`.
    pub fn at(&self, issuer: &str, offers: impl Fn(&'static Capability) -> bool) -> Value {
        let offered = Offered::new(offers);
        let mut document = self.document.clone();
        document["servers"] = json!([{ "url": issuer }]);
        security::complete(&mut document["components"]["securitySchemes"], issuer);
        for Operation { path, method, document: operation, protocol } in &self.operations {
            if offered.has_path(path) {
                let mut operation = operation.clone();
                protocol.complete(&mut operation, &mut document["components"]["schemas"], &offered);
                document["paths"][*path][method] = operation;
            }
        }
        forget_unused(&mut document);
        document
    }
}

/// The names of the schemas of our own JSON bodies, which are read strictly; the standards have other members ignored.
fn bodies(route: &Declared) -> impl Iterator<Item = String> {
    let is_ours = matches!(route.guard, Guard::Tenant { .. } | Guard::Operator(_));
    route
        .docs
        .bodies
        .iter()
        .filter(move |_| is_ours)
        .filter(|(media_type, _)| *media_type == JSON || media_type.ends_with("+json"))
        .map(|(_, schema)| schema.name())
}

fn tags(routes: &[&Declared], known: &[(&str, &str)]) -> Value {
    let used: BTreeSet<_> = routes.iter().map(|route| route.docs.tag).filter(|tag| !tag.is_empty()).collect();
    let first = known.iter().filter(|(name, _)| used.contains(name));
    let rest = used.iter().filter(|name| !known.iter().any(|(tag, _)| tag == *name));
    first
        .map(|(name, description)| json!({ "name": name, "description": description }))
        .chain(rest.map(|name| json!({ "name": name })))
        .collect()
}

/// Drops tags, responses and schemas that belonged to what is not offered.
fn forget_unused(document: &mut Value) {
    let mut tags = BTreeSet::new();
    for operation in document["paths"].as_object().into_iter().flat_map(Map::values).flat_map(values) {
        tags.extend(
            operation["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned),
        );
    }
    if let Some(listed) = document["tags"].as_array_mut() {
        listed.retain(|tag| tag["name"].as_str().is_some_and(|name| tags.contains(name)));
    }
    let mut answers = BTreeSet::new();
    schemas::references(&document["paths"], errors::PREFIX, &mut |name| {
        answers.insert(name.to_owned());
    });
    if let Some(responses) = document["components"]["responses"].as_object_mut() {
        responses.retain(|name, _| answers.contains(name));
    }
    let mut used = BTreeSet::new();
    for users in [&document["paths"], &document["components"]["responses"]] {
        schemas::used_by(users, &document["components"]["schemas"], &mut used);
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}

fn values(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(Map::values)
}
