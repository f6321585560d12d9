//! Schemas of JSON Merge Patches: no member is required, and null removes what may be absent (RFC 7396 §1).

use serde_json::{Value, json};

use super::schemas::{Components, forget_default, name_of, reference};

/// Marks the schema of a JSON Merge Patch with the name of what is patched.
pub(crate) const PATCH_OF: &str = "x-patch-of";

/// Fills the schemas that are marked as patches.
pub(super) fn fill(components: &mut Components) {
    let marked = components.iter().filter_map(|(name, schema)| {
        let of = schema.get(PATCH_OF)?.as_str()?;
        Some((name.clone(), of.to_owned(), schema.get("description")?.clone()))
    });
    for (name, of, description) in marked.collect::<Vec<_>>() {
        if let Some(mut patch) = patch_of(components, &of) {
            patch.as_object_mut().map(|members| members.insert("description".to_owned(), description));
            components.insert(name, patch);
        }
    }
}

/// The patch of an object with named members.
fn patch_of(components: &mut Components, of: &str) -> Option<Value> {
    let mut patch = components.get(of)?.clone();
    let members = patch.as_object_mut()?;
    let required = members.remove("required");
    let required: Vec<_> = required.iter().filter_map(Value::as_array).flatten().cloned().collect();
    for (name, property) in members.get_mut("properties")?.as_object_mut()? {
        patch_within(components, property);
        if !required.contains(&json!(name)) {
            allow_null(property);
        }
    }
    Some(patch)
}

/// Objects and maps within a document are patched in their turn; arrays are replaced whole.
fn patch_within(components: &mut Components, property: &mut Value) {
    // What is left out of a patch stays, and does not become its default.
    forget_default(property);
    let name = property.get("$ref").and_then(Value::as_str).and_then(name_of).map(str::to_owned);
    if let Some(patch) = name.and_then(|name| place_patch(components, &name)) {
        property["$ref"] = reference(&patch).into();
    }
    for choice in property.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        patch_within(components, choice);
    }
    if let Some(value) = property.get_mut("additionalProperties").filter(|value| value.is_object()) {
        patch_within(components, value);
        allow_null(value);
    }
}

/// Adds the patch of a component that is an object, and returns its name.
fn place_patch(components: &mut Components, of: &str) -> Option<String> {
    let name = format!("{of}Patch");
    if !components.contains_key(&name) {
        let patch = patch_of(components, of)?;
        components.insert(name.clone(), patch);
    }
    Some(name)
}

/// Lets a property be null.
fn allow_null(property: &mut Value) {
    let nothing = json!({ "type": "null" });
    let Some(members) = property.as_object_mut() else { return };
    if let Some(reference) = members.remove("$ref") {
        members.insert("oneOf".to_owned(), json!([{ "$ref": reference }, nothing]));
    } else if let Some(choices) = members.get_mut("oneOf").and_then(Value::as_array_mut) {
        if !choices.contains(&nothing) {
            choices.push(nothing);
        }
    } else if let Some(kind) = members.get_mut("type") {
        match kind {
            Value::Array(kinds) if !kinds.contains(&json!("null")) => kinds.push(json!("null")),
            Value::String(one) => *kind = json!([one, "null"]),
            _ => {}
        }
        if let Some(values) = members.get_mut("enum").and_then(Value::as_array_mut) {
            values.push(Value::Null);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(of: Value, inner: Value) -> Components {
        let mut components = Components::from([
            ("Thing".to_owned(), of),
            ("Inner".to_owned(), inner),
            ("ThingPatch".to_owned(), json!({ PATCH_OF: "Thing", "description": "A patch." })),
        ]);
        fill(&mut components);
        components
    }

    #[test]
    fn null_removes_what_may_be_absent_at_every_depth_and_nothing_that_is_required() {
        let inner =
            json!({ "type": "object", "properties": { "on": { "type": "boolean", "default": true } } });
        let thing = json!({ "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" },
            "order": { "type": "integer", "default": 3 },
            "kind": { "type": "string", "enum": ["a"] },
            "inner": { "$ref": "#/components/schemas/Inner", "description": "Within." },
            "texts": { "type": "object", "additionalProperties": { "type": "string" } },
        } });
        let components = patch(thing, inner);
        let expected = json!({ "type": "object", "description": "A patch.", "properties": {
            "name": { "type": "string" },
            "order": { "type": ["integer", "null"] },
            "kind": { "type": ["string", "null"], "enum": ["a", null] },
            "inner": {
                "oneOf": [{ "$ref": "#/components/schemas/InnerPatch" }, { "type": "null" }],
                "description": "Within.",
            },
            "texts": { "type": ["object", "null"], "additionalProperties": { "type": ["string", "null"] } },
        } });
        assert_eq!(components["ThingPatch"], expected);
        assert_eq!(components["InnerPatch"]["properties"]["on"], json!({ "type": ["boolean", "null"] }));
        assert_eq!(components["Inner"]["properties"]["on"], json!({ "type": "boolean", "default": true }));
    }
}
