//! The OpenAPI 3.1 document of declared routes: made of the same values as the router, so that the two cannot differ.
#![expect(
    clippy::indexing_slicing,
    reason = "documents are objects of this module's own making; a member that is missing reads as null, or is added"
)]

mod errors;
mod operation;
pub(crate) mod schemas;
mod security;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use self::errors::{PROBLEM, PROBLEMS};
use crate::route::{Declared, JSON, Routes};

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
    operations: Vec<(&'static str, String)>,
}

impl Routes {
    /// Describes every route that is neither hidden nor a wildcard, which the format cannot express.
    pub fn openapi(&self, about: &About<'_>) -> Description {
        let shown: Vec<_> =
            self.iter().filter(|route| !route.docs.is_hidden && !route.path.contains("{*")).collect();
        let mut collected = errors::schemas();
        let (mut paths, mut operations) = (Map::new(), Vec::new());
        for route in &shown {
            let operation = operation::of(route, &mut collected);
            let method = route.method.as_str().to_ascii_lowercase();
            operations.push((route.path, method.clone()));
            if let Some(path) = paths.entry(route.path).or_insert_with(|| json!({})).as_object_mut() {
                path.insert(method, operation);
            }
        }
        let requests = shown.iter().flat_map(|route| bodies(route));
        let components = json!({
            "schemas": schemas::settled(collected, requests),
            "responses": errors::responses(),
            "securitySchemes": security::schemes(about.scopes),
        });
        let document = json!({
            "openapi": "3.1.0",
            "info": { "title": about.title, "version": about.version, "description": about.description },
            "servers": [],
            "tags": tags(&shown, about.tags),
            "paths": paths,
            "components": components,
        });
        Description { document, operations }
    }
}

impl Description {
    /// The document as the tenant with this issuer publishes it: of the routes that it `offers`.
    pub fn at(&self, issuer: &str, offers: impl Fn(&str) -> bool) -> Value {
        let mut document = self.document.clone();
        document["servers"] = json!([{ "url": issuer }]);
        security::complete(&mut document["components"]["securitySchemes"], issuer);
        for (path, method) in &self.operations {
            if !offers(path)
                && let Some(paths) = document["paths"].as_object_mut()
                && let Some(operations) = paths.get_mut(*path).and_then(Value::as_object_mut)
            {
                operations.remove(method);
            }
        }
        if let Some(paths) = document["paths"].as_object_mut() {
            paths.retain(|_, operations| operations.as_object().is_some_and(|methods| !methods.is_empty()));
        }
        forget_unused(&mut document);
        document
    }
}

/// The names of the schemas of JSON bodies, which are read strictly; forms are read as OAuth says.
fn bodies(route: &Declared) -> impl Iterator<Item = String> {
    route
        .docs
        .bodies
        .iter()
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

/// Drops tags and schemas that belonged to what is not offered.
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
    let mut used: BTreeSet<String> = [PROBLEM, PROBLEMS].map(str::to_owned).into();
    schemas::used_by(&document["paths"], &document["components"]["schemas"], &mut used);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}

fn values(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(Map::values)
}
