//! What a declaration may say: its URN (RFC 8141 §2), the names of its attributes, and characteristics that go together (RFC 7643 §7).

use std::collections::BTreeSet;

use svc_core::{Error, Result};

use super::{AttributeType, DeclaredPart, Mutability, Returned, SchemaContent, Uniqueness};

const LONGEST_URN: usize = 200;
const LONGEST_NAME: usize = 64;
const LONGEST_TEXT: usize = 500;
const LONGEST_VALUE: usize = 200;
const MOST_ATTRIBUTES: usize = 100;
const MOST_PARTS: usize = 50;
const MOST_CANONICAL: usize = 100;
const MOST_REFERENCES: usize = 10;

/// What the standard gives a meaning of its own.
const RESERVED: &[&str] = &["schemas", "id", "meta", "externalid", "password"];

/// Refuses an id that is no URN (RFC 8141 §2), or one of the standard's namespace.
pub(super) fn check_urn(urn: &str) -> Result<()> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_$:.".contains(char);
    let mut parts = urn.split(':');
    let is_urn = parts.next() == Some("urn")
        && parts.clone().count() >= 2
        && parts.all(|part| !part.is_empty())
        && urn.chars().all(is_plain)
        && urn.len() <= LONGEST_URN;
    if !is_urn {
        return Err(Error::bad_request(
            "urn: expected urn:<namespace>:<name> of at most 200 letters, digits, hyphens, underscores, dots and colons",
        ));
    }
    if urn.to_ascii_lowercase().starts_with("urn:ietf:") {
        return Err(Error::bad_request("urn: urn:ietf: is the standard's; use a namespace of your own"));
    }
    Ok(())
}

/// Refuses what cannot be a schema.
pub(super) fn check(content: &SchemaContent) -> Result<()> {
    let mut name = content.name.chars();
    let is_name = name.next().is_some_and(|first| first.is_ascii_alphabetic())
        && name.all(|char| char.is_ascii_alphanumeric() || "-_".contains(char))
        && content.name.len() <= LONGEST_NAME;
    if !is_name {
        return Err(Error::bad_request(
            "name: expected a letter, then up to 63 letters, digits, hyphens and underscores",
        ));
    }
    check_text("description", &content.description)?;
    if content.attributes.is_empty() || content.attributes.len() > MOST_ATTRIBUTES {
        return Err(Error::bad_request(format!("attributes: expected 1 to {MOST_ATTRIBUTES}")));
    }
    check_names(content.attributes.iter().map(|attribute| attribute.name.as_str()), "attributes")?;
    for attribute in &content.attributes {
        let place = format!("attributes.{}", attribute.name);
        check_attribute(&place, &attribute.itself())?;
        let parts = &attribute.sub_attributes;
        if (attribute.kind == AttributeType::Complex) == parts.is_empty() || parts.len() > MOST_PARTS {
            return Err(Error::bad_request(format!(
                "{place}.sub_attributes: expected 1 to {MOST_PARTS} of an attribute of type complex, and none of others"
            )));
        }
        check_names(parts.iter().map(|part| part.name.as_str()), &place)?;
        for part in parts {
            check_part(&format!("{place}.{}", part.name), part, attribute.mutability)?;
        }
    }
    Ok(())
}

fn check_part(place: &str, part: &DeclaredPart, of: Mutability) -> Result<()> {
    check_attribute(place, part)?;
    if part.kind == AttributeType::Complex || part.multi_valued {
        return Err(Error::bad_request(format!(
            "{place}: expected a part with one value that is not complex"
        )));
    }
    if part.mutability != of {
        return Err(Error::bad_request(format!("{place}.mutability: use that of the attribute")));
    }
    if part.returned != Returned::Default
        && !(part.returned == Returned::Never && of == Mutability::WriteOnly)
    {
        return Err(Error::bad_request(format!(
            "{place}.returned: leave it out; a part is returned with its attribute"
        )));
    }
    Ok(())
}

fn check_names<'a>(names: impl Iterator<Item = &'a str>, place: &str) -> Result<()> {
    let mut known = BTreeSet::new();
    for name in names {
        let mut chars = name.chars();
        let is_name = chars.next().is_some_and(|first| first.is_ascii_alphabetic())
            && chars.all(|char| char.is_ascii_alphanumeric() || "-_$".contains(char))
            && name.len() <= 100;
        let key = name.to_ascii_lowercase();
        if !is_name || RESERVED.contains(&key.as_str()) {
            let shown: String = name.chars().take(60).collect();
            return Err(Error::bad_request(format!(
                "{place}: {shown:?} is not a valid attribute name; use a letter, then up to 99 letters, digits, hyphens, \
                 underscores and dollar signs, and none of schemas, id, meta, externalId and password"
            )));
        }
        if !known.insert(key) {
            return Err(Error::bad_request(format!("{place}: {name} is there twice")));
        }
    }
    Ok(())
}

fn check_attribute(place: &str, of: &DeclaredPart) -> Result<()> {
    check_text(&format!("{place}.description"), &of.description)?;
    if of.mutability == Mutability::WriteOnly && of.returned != Returned::Never {
        return Err(Error::bad_request(format!("{place}.returned: use `never` for a writeOnly attribute")));
    }
    if of.mutability == Mutability::ReadOnly && of.required {
        return Err(Error::bad_request(format!(
            "{place}.required: use false, because no directory can set a readOnly attribute"
        )));
    }
    let is_comparable = !matches!(of.kind, AttributeType::Complex | AttributeType::Boolean);
    if of.uniqueness != Uniqueness::None && !is_comparable {
        return Err(Error::bad_request(format!(
            "{place}.uniqueness: use `none` for an attribute of type boolean or complex"
        )));
    }
    check_canonical(place, of)?;
    let is_reference = of.kind == AttributeType::Reference;
    if !of.reference_types.is_empty() && !is_reference || of.reference_types.len() > MOST_REFERENCES {
        return Err(Error::bad_request(format!(
            "{place}.reference_types: expected at most {MOST_REFERENCES}, of an attribute of type reference"
        )));
    }
    of.reference_types.iter().try_for_each(|name| check_value(&format!("{place}.reference_types"), name))
}

fn check_canonical(place: &str, of: &DeclaredPart) -> Result<()> {
    let place = format!("{place}.canonical_values");
    if of.canonical_values.is_empty() {
        return Ok(());
    }
    if of.kind != AttributeType::String || of.canonical_values.len() > MOST_CANONICAL {
        return Err(Error::bad_request(format!(
            "{place}: expected at most {MOST_CANONICAL}, of an attribute of type string"
        )));
    }
    of.canonical_values.iter().try_for_each(|value| check_value(&place, value))?;
    let keys: BTreeSet<_> = of.canonical_values.iter().map(|value| of.folded(value)).collect();
    if keys.len() < of.canonical_values.len() {
        return Err(Error::bad_request(format!("{place}: one of them is there twice")));
    }
    Ok(())
}

fn check_value(place: &str, value: &str) -> Result<()> {
    let length = value.chars().count();
    if length == 0 || length > LONGEST_VALUE || value.chars().any(char::is_control) {
        return Err(Error::bad_request(format!(
            "{place}: expected texts of 1 to {LONGEST_VALUE} characters"
        )));
    }
    Ok(())
}

fn check_text(place: &str, text: &str) -> Result<()> {
    if text.chars().count() > LONGEST_TEXT || text.chars().any(char::is_control) {
        return Err(Error::bad_request(format!(
            "{place}: use at most {LONGEST_TEXT} characters on one line"
        )));
    }
    Ok(())
}

impl DeclaredPart {
    /// A text in the form in which it is compared.
    pub(super) fn folded(&self, text: &str) -> String {
        if self.case_exact { text.to_owned() } else { text.to_lowercase() }
    }
}
