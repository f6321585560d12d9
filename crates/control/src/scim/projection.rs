//! Which attributes an answer has: `attributes` and `excludedAttributes` (RFC 7644 §3.4.2.5, §3.9).

use serde_json::{Map, Value};
use svc_core::{Error, Result};

use super::filter::AttributePath;
use super::schema::Schema;

/// What is in every answer.
const ALWAYS: &[&str] = &["schemas", "id"];

/// The attributes that a caller asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Projection {
    /// All of them.
    #[default]
    Whole,
    /// These.
    Only(Vec<AttributePath>),
    /// All but these.
    Without(Vec<AttributePath>),
}

impl Projection {
    /// Reads both parameters, of which one may be given.
    pub(super) fn of(only: &[String], without: &[String], schema: &'static Schema) -> Result<Self> {
        // An attribute that nothing has is asked for in vain.
        let paths = |names: &[String]| {
            names.iter().filter_map(|name| AttributePath::parse(name.trim(), schema)).collect()
        };
        match (only, without) {
            ([], []) => Ok(Self::Whole),
            (only, []) => Ok(Self::Only(paths(only))),
            ([], without) => Ok(Self::Without(paths(without))),
            _ => Err(Error::bad_request("attributes: give it or excludedAttributes, not both")
                .called("invalidValue")),
        }
    }

    /// Whether an attribute is shown, if only in part.
    pub(super) fn shows(&self, name: &str) -> bool {
        let is_it = |path: &&AttributePath| path.name.eq_ignore_ascii_case(name);
        match self {
            Self::Whole => true,
            Self::Only(paths) => paths.iter().any(|path| is_it(&path)),
            Self::Without(paths) => !paths.iter().filter(is_it).any(|path| path.part.is_none()),
        }
    }

    /// The resource with these attributes.
    pub(super) fn apply(&self, resource: Map<String, Value>) -> Map<String, Value> {
        match self {
            Self::Whole => resource,
            Self::Only(paths) => {
                let chosen = |(name, value): (String, Value)| {
                    let value =
                        if ALWAYS.contains(&name.as_str()) { Some(value) } else { only(&name, value, paths) };
                    value.map(|value| (name, value))
                };
                resource.into_iter().filter_map(chosen).collect()
            }
            Self::Without(paths) => {
                let chosen = |(name, value): (String, Value)| {
                    let value = if ALWAYS.contains(&name.as_str()) {
                        Some(value)
                    } else {
                        without(&name, value, paths)
                    };
                    value.map(|value| (name, value))
                };
                resource.into_iter().filter_map(chosen).collect()
            }
        }
    }
}

/// What of a member of the resource is asked for.
fn only(member: &str, value: Value, paths: &[AttributePath]) -> Option<Value> {
    let of_extension: Vec<_> = paths.iter().filter(|path| is_extension(path, member)).collect();
    if !of_extension.is_empty() {
        if of_extension.iter().any(|path| path.name.is_empty()) {
            return Some(value);
        }
        let Value::Object(members) = value else { return None };
        let inner: Vec<_> = of_extension.into_iter().map(as_core).collect();
        let kept: Map<_, _> = members
            .into_iter()
            .filter_map(|(name, value)| only(&name, value, &inner).map(|value| (name, value)))
            .collect();
        return (!kept.is_empty()).then_some(Value::Object(kept));
    }
    let parts = parts_of(member, paths);
    if parts.is_empty() {
        return None;
    }
    if parts.contains(&None) {
        return Some(value);
    }
    let is_asked = |name: &str| parts.iter().flatten().any(|part| part.eq_ignore_ascii_case(name));
    Some(retaining(value, &is_asked))
}

/// What is left of a member of the resource.
fn without(member: &str, value: Value, paths: &[AttributePath]) -> Option<Value> {
    let of_extension: Vec<_> = paths.iter().filter(|path| is_extension(path, member)).collect();
    if !of_extension.is_empty() {
        if of_extension.iter().any(|path| path.name.is_empty()) {
            return None;
        }
        let Value::Object(members) = value else { return Some(value) };
        let inner: Vec<_> = of_extension.into_iter().map(as_core).collect();
        let kept: Map<_, _> = members
            .into_iter()
            .filter_map(|(name, value)| without(&name, value, &inner).map(|value| (name, value)))
            .collect();
        return Some(Value::Object(kept));
    }
    let parts = parts_of(member, paths);
    if parts.contains(&None) {
        return None;
    }
    let is_kept = |name: &str| !parts.iter().flatten().any(|part| part.eq_ignore_ascii_case(name));
    Some(retaining(value, &is_kept))
}

fn retaining(value: Value, is_kept: &dyn Fn(&str) -> bool) -> Value {
    match value {
        Value::Object(mut parts) => {
            parts.retain(|name, _| is_kept(name));
            Value::Object(parts)
        }
        Value::Array(values) => values.into_iter().map(|value| retaining(value, is_kept)).collect(),
        plain => plain,
    }
}

fn is_extension(path: &AttributePath, member: &str) -> bool {
    path.extension.as_ref().is_some_and(|id| id.eq_ignore_ascii_case(member))
}

fn as_core(path: &AttributePath) -> AttributePath {
    AttributePath { extension: None, ..path.clone() }
}

fn parts_of<'a>(member: &str, paths: &'a [AttributePath]) -> Vec<Option<&'a str>> {
    let named =
        paths.iter().filter(|path| path.extension.is_none() && path.name.eq_ignore_ascii_case(member));
    named.map(|path| path.part.as_deref()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scim::schema::{ENTERPRISE, USERS};

    fn shown(only: &[&str], without: &[&str]) -> Value {
        let resource = json!({
            "schemas": [], "id": "1", "userName": "ada", "name": { "givenName": "Ada", "familyName": "L" },
            "emails": [{ "value": "a", "type": "work" }], ENTERPRISE: { "department": "R", "division": "D" },
        });
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let projection = Projection::of(&texts(only), &texts(without), &USERS).unwrap();
        projection.apply(resource.as_object().unwrap().clone()).into()
    }

    #[test]
    fn an_answer_has_what_was_asked_for_and_always_its_id() {
        let department = format!("{ENTERPRISE}:department");
        for (only, kept) in [
            (vec!["userName"], json!({ "schemas": [], "id": "1", "userName": "ada" })),
            (vec!["NAME.givenname"], json!({ "schemas": [], "id": "1", "name": { "givenName": "Ada" } })),
            (vec!["emails.type"], json!({ "schemas": [], "id": "1", "emails": [{ "type": "work" }] })),
            (
                vec![department.as_str()],
                json!({ "schemas": [], "id": "1", ENTERPRISE: { "department": "R" } }),
            ),
            (
                vec![ENTERPRISE],
                json!({ "schemas": [], "id": "1", ENTERPRISE: { "department": "R", "division": "D" } }),
            ),
            (vec!["nothing"], json!({ "schemas": [], "id": "1" })),
        ] {
            assert_eq!(shown(&only, &[]), kept, "{only:?}");
        }
    }

    #[test]
    fn what_was_excluded_is_left_out_but_for_the_id() {
        let division = format!("{ENTERPRISE}:division");
        let kept = shown(&[], &["id", "userName", "name.familyName", "emails", &division]);
        let wanted = json!({ "schemas": [], "id": "1", "name": { "givenName": "Ada" }, ENTERPRISE: { "department": "R" } });
        assert_eq!(kept, wanted);
        assert!(Projection::of(&["a".to_owned()], &["b".to_owned()], &USERS).is_err());
    }
}
