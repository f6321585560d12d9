//! Which members a document may have by its published schema, in whichever of its forms.

use serde_json::Value;

/// Words of a schema that say which members an object has.
const TELLING: [&str; 6] = ["$ref", "allOf", "oneOf", "anyOf", "properties", "additionalProperties"];

/// Whether some form of a schema, which has its components with it, has a member at this path.
pub(super) fn may_have(schema: &Value, path: &[String]) -> bool {
    let components = schema.pointer("/components/schemas").unwrap_or(&Value::Null);
    let mut places = vec![schema];
    for name in path {
        let shapes: Vec<_> = places.iter().copied().flat_map(|place| forms(place, components)).collect();
        if shapes.iter().copied().any(is_free) {
            return true;
        }
        places = shapes.iter().copied().filter_map(|shape| below(shape, name)).collect();
    }
    !places.is_empty()
}

/// A schema with those that it refers to and those that it combines.
fn forms<'a>(schema: &'a Value, components: &'a Value) -> Vec<&'a Value> {
    let referred = schema["$ref"].as_str().and_then(|name| components.get(name.rsplit('/').next()?));
    let combined = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|of| schema[of].as_array()).flatten();
    let others = referred.into_iter().chain(combined).flat_map(|part| forms(part, components));
    std::iter::once(schema).chain(others).collect()
}

/// What a member of this name has to fit.
fn below<'a>(form: &'a Value, name: &str) -> Option<&'a Value> {
    let named = form["properties"].get(name);
    named.or_else(|| form.get("additionalProperties").filter(|others| others.is_object()))
}

/// Whether an object of this form may have any members.
fn is_free(form: &Value) -> bool {
    let is_object = |kind: &Value| kind == "object";
    let may_be_object = match &form["type"] {
        Value::Null => form["enum"].is_null(),
        Value::Array(kinds) => kinds.iter().any(is_object),
        kind => is_object(kind),
    };
    form["additionalProperties"] == true
        || (may_be_object && !TELLING.iter().any(|word| form.get(word).is_some()))
}
