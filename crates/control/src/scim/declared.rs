//! The extensions that a tenant declares (RFC 7643 §3.3, §7): as the schema that reads resources, and what people have of them.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_domain::scim::schemas::{
    AttributeType, DeclaredAttribute, DeclaredPart, Mutability, Returned, ScimSchema, StoredValue,
    Uniqueness, Values, digest_of,
};
use svc_keys::digest;

use super::document::{accepted_members, is_unassigned, misfit};
use super::filter::plain;
use super::schema::{Attribute, Kind, Schema, USERS};

/// The schema of people with the extensions of the tenant.
pub(super) fn for_people(declared: &[ScimSchema]) -> Arc<Schema> {
    if declared.is_empty() {
        return Arc::clone(&USERS);
    }
    let mut schema = Schema::clone(&USERS);
    schema.extensions.extend(declared.iter().map(|one| Arc::new(extension(one))));
    Arc::new(schema)
}

fn extension(declared: &ScimSchema) -> Schema {
    Schema {
        id: declared.urn.clone().into(),
        name: declared.content.name.clone().into(),
        about: declared.content.description.clone().into(),
        attributes: declared.content.attributes.iter().map(attribute).collect(),
        extensions: Vec::new(),
        is_closed: true,
    }
}

fn attribute(declared: &DeclaredAttribute) -> Attribute {
    Attribute { parts: declared.sub_attributes.iter().map(part).collect(), ..part(&declared.itself()) }
}

fn part(declared: &DeclaredPart) -> Attribute {
    let kind = match declared.kind {
        AttributeType::String => Kind::Text,
        AttributeType::Boolean => Kind::Boolean,
        AttributeType::Decimal => Kind::Decimal,
        AttributeType::Integer => Kind::Integer,
        AttributeType::DateTime => Kind::DateTime,
        AttributeType::Reference => Kind::Reference,
        AttributeType::Binary => Kind::Binary,
        AttributeType::Complex => Kind::Complex,
    };
    Attribute {
        name: declared.name.clone().into(),
        about: declared.description.clone().into(),
        kind,
        is_multi: declared.multi_valued,
        is_required: declared.required,
        is_case_exact: declared.case_exact,
        mutability: declared.mutability,
        returned: declared.returned,
        uniqueness: declared.uniqueness,
        canonical: owned(&declared.canonical_values),
        references: owned(&declared.reference_types),
        parts: Vec::new(),
        is_strict: true,
    }
}

fn owned(texts: &[String]) -> Vec<Cow<'static, str>> {
    texts.iter().cloned().map(Cow::Owned).collect()
}

/// What a directory said under a URN before the tenant declared it; an error where that does not fit.
pub(crate) fn adopted(declared: &ScimSchema, said: Value) -> Result<Values> {
    let Value::Object(members) = said else { return Err(misfit(&declared.urn, "expected an object")) };
    let members = accepted_members(members, &extension(declared))?;
    Ok(values(declared, &members))
}

/// What a document has of an extension.
pub(super) fn values_of(declared: &ScimSchema, document: &Map<String, Value>) -> Values {
    let none = Map::new();
    values(declared, plain(document, &declared.urn).and_then(Value::as_object).unwrap_or(&none))
}

fn values(declared: &ScimSchema, members: &Map<String, Value>) -> Values {
    let mut stored = Vec::new();
    let mut shown = Map::new();
    for attribute in &declared.content.attributes {
        let Some(value) = plain(members, &attribute.name) else { continue };
        if attribute.returned != Returned::Never {
            shown.insert(attribute.name.clone(), value.clone());
        }
        let name = attribute.name.to_ascii_lowercase();
        let each = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for one in each {
            stored.push(stored_value(&name, &attribute.itself(), one));
            for part in &attribute.sub_attributes {
                let place = format!("{name}.{}", part.name.to_ascii_lowercase());
                let value = one.as_object().and_then(|parts| plain(parts, &part.name));
                stored.extend(value.map(|value| stored_value(&place, part, value)));
            }
        }
    }
    if !members.is_empty() {
        let itself =
            StoredValue { attribute: String::new(), digest: digest(""), uniqueness: Uniqueness::None };
        stored.push(itself);
    }
    let (urn, name) = (declared.urn.clone(), declared.content.name.clone());
    Values { schema: declared.id, version: declared.version, urn, name, stored, shown }
}

fn stored_value(place: &str, of: &DeclaredPart, value: &Value) -> StoredValue {
    StoredValue { attribute: place.to_owned(), digest: digest_of(of, value), uniqueness: of.uniqueness }
}

/// A whole resource that was sent, with what a caller need not or cannot repeat: what may be given once, and what is not returned
/// (RFC 7644 §3.5.1).
pub(super) fn completed(
    mut sent: Map<String, Value>,
    present: &Map<String, Value>,
    schema: &Schema,
) -> Map<String, Value> {
    for extension in schema.extensions.iter().filter(|extension| extension.is_closed) {
        let Some(before) = plain(present, &extension.id).and_then(Value::as_object) else { continue };
        let is_sent = plain(&sent, &extension.id).is_some_and(|value| !is_unassigned(value));
        let mut kept = extension.attributes.iter().filter(|attribute| is_kept(attribute));
        let keeps_any = kept.any(|attribute| plain(before, &attribute.name).is_some());
        // Without what the schema requires, what is kept would be no extension.
        let is_carried =
            |attribute: &&Attribute| is_kept(attribute) || (keeps_any && !is_sent && attribute.is_required);
        for attribute in extension.attributes.iter().filter(is_carried) {
            let Some(value) = plain(before, &attribute.name) else { continue };
            let id = sent.keys().find(|name| name.eq_ignore_ascii_case(&extension.id)).cloned();
            let there = sent.entry(id.unwrap_or_else(|| extension.id.to_string()));
            let there = there.or_insert_with(|| Value::Object(Map::new()));
            if there.is_null() {
                *there = Value::Object(Map::new());
            }
            let Some(members) = there.as_object_mut() else { continue };
            if plain(members, &attribute.name).is_none() {
                members.insert(attribute.name.to_string(), value.clone());
            }
        }
    }
    sent
}

fn is_kept(attribute: &Attribute) -> bool {
    attribute.mutability == Mutability::Immutable || attribute.returned == Returned::Never
}

/// Refuses another value of what may be given once.
pub(super) fn check_immutable(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    schema: &Schema,
) -> Result<()> {
    let of = |document: &Map<String, Value>, id: &str, name: &str| {
        let value = plain(plain(document, id)?.as_object()?, name)?;
        Some(value.clone()).filter(|value| !is_unassigned(value))
    };
    for extension in schema.extensions.iter().filter(|extension| extension.is_closed) {
        let once = extension.attributes.iter().filter(|one| one.mutability == Mutability::Immutable);
        for attribute in once {
            let before = of(before, &extension.id, &attribute.name);
            if before.is_some() && before != of(after, &extension.id, &attribute.name) {
                let name = format!("{}:{}", extension.id, attribute.name);
                return Err(Error::bad_request(format!(
                    "{name}: cannot be changed once it is set; leave it out"
                ))
                .called("mutability"));
            }
        }
    }
    Ok(())
}

/// A resource without what is never returned, also not to conditions and orders, which would tell it.
pub(super) fn readable(mut resource: Map<String, Value>, schema: &Schema) -> Map<String, Value> {
    for extension in schema.extensions.iter().filter(|extension| extension.is_closed) {
        let is_hidden = |name: &str| {
            extension.attribute(name).is_some_and(|attribute| attribute.returned == Returned::Never)
        };
        resource.retain(|id, value| match value.as_object_mut() {
            Some(members) if id.eq_ignore_ascii_case(&extension.id) => {
                members.retain(|name, _| !is_hidden(name));
                !members.is_empty()
            }
            _ => true,
        });
    }
    resource
}
