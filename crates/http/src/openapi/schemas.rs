//! Schemas as they are published and judged by: flat, and closed where requests are read strictly.
//!
//! A struct that flattens another becomes `allOf`, of which each part would refuse the members of the other once it is
//! closed; the parts are therefore merged into one object.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::patches;

const PREFIX: &str = "#/components/schemas/";

/// Schemas by name.
pub(crate) type Components = BTreeMap<String, Value>;

/// The collected schemas; those that are reachable from `requests` are closed.
pub(crate) fn settled(
    collected: Vec<(String, RefOr<Schema>)>,
    requests: impl Iterator<Item = String>,
) -> Components {
    let written = collected.into_iter().map(|(name, schema)| (name, json!(schema)));
    let mut components: Components = written.collect();
    merge(&mut components);
    components.values_mut().for_each(require);
    patches::fill(&mut components);
    let mut seen = BTreeSet::new();
    requests.for_each(|name| reach(&components, &name, &mut seen));
    for name in &seen {
        components.get_mut(name).into_iter().for_each(close);
    }
    components
}

/// A reference to the component of this name.
pub(super) fn reference(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The name that a reference to a component has.
pub(crate) fn name_of(reference: &str) -> Option<&str> {
    reference.strip_prefix(PREFIX)
}

/// Adds the schemas that `value` refers to, directly or through others.
pub(super) fn used_by(value: &Value, schemas: &Value, used: &mut BTreeSet<String>) {
    references(value, PREFIX, &mut |name| {
        if used.insert(name.to_owned()) {
            used_by(&schemas[name], schemas, used);
        }
    });
}

fn merge(components: &mut Components) {
    let composed = components.iter().filter_map(|(name, schema)| {
        let parts = schema.get("allOf")?.as_array()?;
        Some((name.clone(), merged(components, schema, parts)))
    });
    for (name, schema) in composed.collect::<Vec<_>>() {
        components.insert(name, schema);
    }
}

fn merged(components: &Components, whole: &Value, parts: &[Value]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let (mut description, mut is_closed) = (whole.get("description").cloned(), false);
    let mut examples = whole.get("examples").cloned();
    for part in parts {
        let named = part.get("$ref").and_then(Value::as_str).and_then(name_of);
        let part = named.and_then(|name| components.get(name)).unwrap_or(part);
        // What is flattened may itself flatten another.
        let inner = part.get("allOf").and_then(Value::as_array);
        let inner = inner.map(|parts| merged(components, part, parts));
        let part = inner.as_ref().unwrap_or(part);
        properties.extend(part.get("properties").and_then(Value::as_object).cloned().unwrap_or_default());
        required.extend(part.get("required").and_then(Value::as_array).cloned().unwrap_or_default());
        if named.is_none() {
            is_closed |= part.get("additionalProperties") == Some(&json!(false));
            description = description.or_else(|| part.get("description").cloned());
            examples = examples.or_else(|| part.get("examples").cloned());
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if let Some(members) = schema.as_object_mut() {
        members.extend(description.map(|text| ("description".to_owned(), text)));
        members.extend(examples.map(|examples| ("examples".to_owned(), examples)));
        if !required.is_empty() {
            members.insert("required".to_owned(), required.into());
        }
        if is_closed {
            members.insert("additionalProperties".to_owned(), json!(false));
        }
    }
    schema
}

/// What is required has no default, whatever the type would be without it.
fn require(schema: &mut Value) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for name in required.iter().filter_map(Value::as_str) {
        properties.get_mut(name).into_iter().for_each(forget_default);
    }
}

/// Takes the default from a property.
pub(super) fn forget_default(property: &mut Value) {
    property.as_object_mut().map(|members| members.remove("default"));
}

fn reach(components: &Components, name: &str, seen: &mut BTreeSet<String>) {
    if let Some(schema) = components.get(name)
        && seen.insert(name.to_owned())
    {
        references(schema, PREFIX, &mut |next| reach(components, next, seen));
    }
}

/// Visits the names of what `value` refers to below `prefix`.
pub(super) fn references(value: &Value, prefix: &str, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(members) => {
            let named = members.get("$ref").and_then(Value::as_str);
            named.and_then(|reference| reference.strip_prefix(prefix)).into_iter().for_each(&mut *visit);
            members.values().for_each(|member| references(member, prefix, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, prefix, visit)),
        _ => {}
    }
}

/// Refuses members that are not named, unless the schema says what others may be.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") && !members.contains_key("additionalProperties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
            for (name, member) in members {
                match member {
                    // Its members are schemas; one that is itself called `properties` makes no schema of it.
                    Value::Object(named) if name == "properties" => named.values_mut().for_each(close),
                    member => close(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use utoipa::ToSchema;

    use super::*;
    use crate::route::SchemaOf;

    #[derive(Serialize, ToSchema)]
    struct Thing {
        properties: String,
    }

    #[test]
    fn a_member_that_is_called_properties_gets_no_sibling() {
        let mut collected = Vec::new();
        SchemaOf::of::<Thing>().place(&mut collected);
        let components = settled(collected, ["Thing".to_owned()].into_iter());
        let members: Vec<_> = components["Thing"]["properties"].as_object().unwrap().keys().collect();
        assert_eq!(members, ["properties"]);
    }

    #[derive(Serialize, Deserialize, ToSchema)]
    struct Inner {
        name: String,
    }

    #[derive(Serialize, ToSchema)]
    struct Wrapped {
        #[serde(flatten)]
        inner: Inner,
    }

    #[derive(Default, Serialize, Deserialize, ToSchema)]
    #[serde(default)]
    struct Named {
        #[schema(required = true)]
        name: String,
        note: String,
    }

    #[test]
    fn what_is_required_has_no_default() {
        let mut collected = Vec::new();
        SchemaOf::of::<Named>().place(&mut collected);
        let components = settled(collected, std::iter::empty());
        let default = |name: &str| components["Named"]["properties"][name].get("default").cloned();
        assert_eq!((default("name"), default("note")), (None, Some(json!(""))));
    }

    #[test]
    fn what_flattens_one_alone_has_its_members() {
        let mut collected = Vec::new();
        SchemaOf::of::<Wrapped>().place(&mut collected);
        let components = settled(collected, std::iter::empty());
        assert!(components["Wrapped"].get("allOf").is_none());
        assert!(components["Wrapped"]["properties"].get("name").is_some());
    }

    #[derive(Serialize, ToSchema)]
    struct Outermost {
        secret: String,
        #[serde(flatten)]
        outer: Outer,
    }

    #[derive(Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        id: String,
        #[serde(flatten)]
        inner: Inner,
    }

    #[test]
    fn what_flattens_what_flattens_another_has_the_members_of_all() {
        let mut collected = Vec::new();
        SchemaOf::of::<Outermost>().place(&mut collected);
        let components = settled(collected, std::iter::empty());
        let members: BTreeSet<_> =
            components["Outermost"]["properties"].as_object().unwrap().keys().collect();
        assert!(members.into_iter().eq(["id", "name", "secret"]));
    }

    #[test]
    fn what_flattens_another_is_one_object_that_can_be_satisfied() {
        let mut collected = Vec::new();
        SchemaOf::of::<Outer>().place(&mut collected);
        let components = settled(collected, ["Outer".to_owned()].into_iter());
        let outer = &components["Outer"];
        assert!(outer.get("allOf").is_none(), "{outer}");
        assert_eq!(outer["additionalProperties"], json!(false));
        let schema = json!({ "$ref": "#/components/schemas/Outer", "components": { "schemas": components } });
        assert!(jsonschema::is_valid(&schema, &json!({ "id": "1", "name": "x" })));
        assert!(!jsonschema::is_valid(&schema, &json!({ "id": "1", "name": "x", "other": 1 })));
    }
}
