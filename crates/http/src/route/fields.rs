//! `fields`: the members that a reader wants of a record, or of each record of a list; the answer leaves out the others.

use std::collections::BTreeSet;

use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use serde_json::{Map, Value, json};
use svc_core::{Class, Error, OrInternal as _, Result};

use super::{Declared, Guard, JSON};
use crate::extract::Params;

/// The name of the parameter.
pub(crate) const FIELDS: &str = "fields";

/// Most members that a request names.
const MOST: usize = 50;

/// The members that can be asked for: those of the schema of what a route answers with.
pub(super) struct Fields {
    record: Value,
    components: Map<String, Value>,
    is_list: bool,
}

/// The members that a request asks for, as paths.
pub(super) struct Chosen {
    paths: Vec<Vec<String>>,
    is_list: bool,
}

/// Whether a route reads a record or a list of them.
pub(crate) fn is_taken(route: &Declared) -> bool {
    Fields::of(route).is_some()
}

/// Takes what `fields` says out of the query: it is no filter, and a cursor goes on whatever members are asked for.
pub(super) fn take(parts: &mut Parts) -> Result<Option<String>> {
    let query = parts.uri.query().unwrap_or_default();
    let is_ours = |pair: &&str| pair.split('=').next() == Some(FIELDS);
    let (ours, others): (Vec<_>, Vec<_>) = query.split('&').partition(is_ours);
    if ours.is_empty() {
        return Ok(None);
    }
    let asked = Params::parse(&ours.join("&")).map_err(|error| error.reclass(Class::BadRequest))?;
    let nothing = || Error::bad_request(format!("{FIELDS}: name a member, or leave the parameter out"));
    let named = asked.one(FIELDS).ok_or_else(nothing)?.to_owned();
    let address = match others.join("&") {
        others if others.is_empty() => parts.uri.path().to_owned(),
        others => format!("{}?{others}", parts.uri.path()),
    };
    let mut whole = parts.uri.clone().into_parts();
    whole.path_and_query = Some(address.parse().or_internal()?);
    parts.uri = Uri::from_parts(whole).or_internal()?;
    Ok(Some(named))
}

impl Fields {
    /// Those of a route, or `None` where it reads no record of the management API.
    pub(super) fn of(route: &Declared) -> Option<Self> {
        let is_api = matches!(route.guard, Guard::Tenant { .. } | Guard::Operator(_));
        if !is_api || route.method != Method::GET || route.docs.answers.len() != 1 {
            return None;
        }
        let (media_type, schema) = route.docs.answers.first()?.content.as_ref()?;
        let mut placed = Vec::new();
        let whole = json!(schema.filter(|_| *media_type == JSON)?.place(&mut placed));
        let components = placed.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
        let mut fields = Self { record: whole, components, is_list: false };
        let members = fields.members(&fields.record);
        let is_page = members.iter().any(|(name, _)| *name == "next_cursor");
        let items =
            members.iter().find(|(name, _)| *name == "data" && is_page).map(|(_, data)| &data["items"]);
        match items.cloned() {
            Some(record) => (fields.record, fields.is_list) = (record, true),
            None if members.is_empty() => return None,
            None => {}
        }
        Some(fields)
    }

    /// What a request asks for, separated by commas; a dot leads into a member.
    pub(super) fn choose(&self, asked: &str) -> Result<Chosen> {
        let names: Vec<_> = asked.split(',').map(str::trim).collect();
        if names.len() > MOST {
            return Err(Error::bad_request(format!("{FIELDS}: name at most {MOST} members")));
        }
        let path = |name: &&str| self.path(name);
        Ok(Chosen { paths: names.iter().map(path).collect::<Result<_>>()?, is_list: self.is_list })
    }

    fn path(&self, name: &str) -> Result<Vec<String>> {
        let mut schema = &self.record;
        for step in name.split('.') {
            let members = self.members(schema);
            if members.is_empty() && self.is_free(schema) {
                break;
            }
            let known = members.iter().find(|(name, _)| *name == step);
            schema = known.map(|(_, schema)| *schema).ok_or_else(|| unknown(name, &members))?;
        }
        Ok(name.split('.').map(str::to_owned).collect())
    }

    /// The members that a schema names, through references, alternatives and the items of arrays.
    fn members<'a>(&'a self, schema: &'a Value) -> Vec<(&'a str, &'a Value)> {
        let named = schema["properties"].as_object().into_iter().flatten();
        let own = named.map(|(name, schema)| (name.as_str(), schema));
        own.chain(self.parts(schema).flat_map(|part| self.members(part))).collect()
    }

    /// Whether a schema is of objects whose members it does not name.
    fn is_free(&self, schema: &Value) -> bool {
        let kind = &schema["type"];
        let is_object = |kind: &Value| kind == "object";
        is_object(kind)
            || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_object))
            || self.parts(schema).any(|part| self.is_free(part))
    }

    fn parts<'a>(&'a self, schema: &'a Value) -> impl Iterator<Item = &'a Value> {
        let referred = schema["$ref"].as_str().and_then(|name| self.components.get(name.rsplit('/').next()?));
        let items = schema.get("items");
        let alternatives = ["allOf", "oneOf", "anyOf"].map(|of| schema[of].as_array().into_iter().flatten());
        referred.into_iter().chain(items).chain(alternatives.into_iter().flatten())
    }
}

fn unknown(name: &str, members: &[(&str, &Value)]) -> Error {
    let shown: String = name.chars().take(40).collect();
    if members.is_empty() {
        return Error::bad_request(format!(
            "{FIELDS}: `{shown}` leads into a member that has none of its own"
        ));
    }
    let mut seen = BTreeSet::new();
    let names = members.iter().map(|(name, _)| *name);
    let known: Vec<_> = names.filter(|name| seen.insert(*name)).collect();
    Error::bad_request(format!("{FIELDS}: `{shown}` is no member here; there are {}", known.join(", ")))
}

impl Chosen {
    /// The answer with these members alone; what is no record is left as it is.
    pub(super) async fn narrow(&self, response: Response) -> Result<Response> {
        let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(JSON.as_bytes());
        if response.status() != StatusCode::OK || !response.headers().get(CONTENT_TYPE).is_some_and(is_json) {
            return Ok(response);
        }
        let (mut parts, body) = response.into_parts();
        // Our own handler has made it, within the limits of lists.
        let bytes = to_bytes(body, usize::MAX).await.or_internal()?;
        let mut document: Value = serde_json::from_slice(&bytes).or_internal()?;
        let paths: Vec<_> = self.paths.iter().map(Vec::as_slice).collect();
        match document.get_mut("data").filter(|_| self.is_list) {
            Some(records) => keep(records, &paths),
            None => keep(&mut document, &paths),
        }
        parts.headers.remove(CONTENT_LENGTH);
        Ok(Response::from_parts(parts, Body::from(serde_json::to_vec(&document).or_internal()?)))
    }
}

/// Removes the members that no path leads to.
fn keep(value: &mut Value, paths: &[&[String]]) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| keep(value, paths)),
        Value::Object(members) => members.retain(|name, member| {
            let of_it =
                paths.iter().filter_map(|path| path.split_first()).filter(|(first, _)| *first == name);
            let deeper: Vec<_> = of_it.map(|(_, rest)| rest).collect();
            if !deeper.iter().any(|rest| rest.is_empty()) {
                keep(member, &deeper);
            }
            !deeper.is_empty()
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Fields {
        let record = json!({ "$ref": "#/components/schemas/Record" });
        let name = json!({ "type": "object", "properties": { "first": { "type": "string" } } });
        let components = json!({
            "Record": { "allOf": [
                { "properties": { "id": { "type": "string" }, "tags": { "type": "object" } } },
                { "properties": { "names": { "type": "array", "items": { "oneOf": [{ "type": "null" }, name] } } } },
            ] },
        });
        Fields { record, components: components.as_object().unwrap().clone(), is_list: false }
    }

    #[test]
    fn members_are_chosen_along_the_schema() {
        for good in ["id", "id,names", " id , names.first", "tags.any.thing", "names.first,names"] {
            assert!(fields().choose(good).is_ok(), "{good}");
        }
        let unknown = fields().choose("id,nmes").err().unwrap().to_string();
        assert!(unknown.contains("fields: `nmes` is no member here; there are id, tags, names"), "{unknown}");
        for bad in ["", "id,", "id.more", "names.last", "names.first.more", "Id"] {
            assert!(fields().choose(bad).is_err(), "{bad}");
        }
        assert!(fields().choose(&vec!["id"; MOST].join(",")).is_ok());
        assert!(fields().choose(&vec!["id"; MOST + 1].join(",")).is_err());
    }

    #[test]
    fn a_member_that_several_forms_have_is_named_once() {
        let form = json!({ "properties": { "id": { "type": "string" }, "name": { "type": "string" } } });
        let record = json!({ "oneOf": [form, { "type": "array", "items": form }] });
        let fields = Fields { record, components: Map::new(), is_list: false };
        let refused = fields.choose("nmae").err().unwrap();
        assert_eq!(refused.detail(), "fields: `nmae` is no member here; there are id, name");
    }

    #[test]
    fn the_other_members_are_left_out() {
        let whole =
            json!({ "id": 1, "tags": { "a": 1, "b": 2 }, "names": [{ "first": "A", "last": "B" }, null] });
        for (asked, left) in [
            ("id", json!({ "id": 1 })),
            ("tags.b,id", json!({ "id": 1, "tags": { "b": 2 } })),
            ("names.first", json!({ "names": [{ "first": "A" }, null] })),
            ("names.first,names", json!({ "names": [{ "first": "A", "last": "B" }, null] })),
            ("tags.none", json!({ "tags": {} })),
        ] {
            let chosen = fields().choose(asked).unwrap();
            let paths: Vec<_> = chosen.paths.iter().map(Vec::as_slice).collect();
            let mut value = whole.clone();
            keep(&mut value, &paths);
            assert_eq!(value, left, "{asked}");
        }
    }

    #[test]
    fn what_is_asked_for_is_no_part_of_the_query() {
        let parts_of = |query| axum::http::Request::get(query).body(()).unwrap().into_parts().0;
        for (query, asked, left) in [
            ("/a?fields=id%2Cname&limit=2", Some("id,name"), "/a?limit=2"),
            ("/a?fields=id", Some("id"), "/a"),
            ("/a?limit=2", None, "/a?limit=2"),
            ("/a", None, "/a"),
        ] {
            let mut parts = parts_of(query);
            assert_eq!(take(&mut parts).unwrap().as_deref(), asked, "{query}");
            assert_eq!(parts.uri.to_string(), left, "{query}");
        }
        for wrong in ["/a?fields=id&fields=name", "/a?fields=&limit=2", "/a?fields=%ff"] {
            assert!(take(&mut parts_of(wrong)).is_err(), "{wrong}");
        }
    }
}
