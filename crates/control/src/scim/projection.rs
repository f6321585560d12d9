//! Which attributes an answer has: `attributes` and `excludedAttributes` (RFC 7644 §3.4.2.5, §3.9).

use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_domain::scim::schemas::Returned;

use super::filter::{AttributePath, plain};
use super::schema::Schema;

/// What is in every answer.
const ALWAYS: &[&str] = &["schemas", "id"];

/// The attributes that a caller asked for, and those that are shown by a rule of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Projection {
    asked: Choice,
    particular: Vec<(AttributePath, Returned)>,
}

/// The attributes that a caller asked for.
#[derive(Clone, Debug, Default, PartialEq)]
enum Choice {
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
    pub(super) fn of(only: &[String], without: &[String], schema: &Schema) -> Result<Self> {
        // An attribute that nothing has is asked for in vain.
        let paths = |names: &[String]| {
            names.iter().filter_map(|name| AttributePath::parse(name.trim(), schema)).collect()
        };
        let asked = match (only, without) {
            ([], []) => Choice::Whole,
            (only, []) => Choice::Only(paths(only)),
            ([], without) => Choice::Without(paths(without)),
            _ => {
                return Err(Error::bad_request("attributes: give it or excludedAttributes, not both")
                    .called("invalidValue"));
            }
        };
        Ok(Self { asked, particular: particular(schema) })
    }

    /// The same for the answer to a change, which shows what it gave, too (RFC 7643 §7, `request`).
    pub(super) fn and_given(mut self, sent: &Map<String, Value>) -> Self {
        self.particular.retain(|(path, returned)| *returned != Returned::Request || !gives(sent, path));
        self
    }

    /// Whether an attribute is shown, if only in part.
    pub(super) fn shows(&self, name: &str) -> bool {
        let is_it = |path: &&AttributePath| path.name.eq_ignore_ascii_case(name);
        match &self.asked {
            Choice::Whole => true,
            Choice::Only(paths) => paths.iter().any(|path| is_it(&path)),
            Choice::Without(paths) => !paths.iter().filter(is_it).any(|path| path.part.is_none()),
        }
    }

    /// The resource with these attributes.
    pub(super) fn apply(&self, resource: Map<String, Value>) -> Map<String, Value> {
        if self.particular.is_empty() {
            return self.asked.apply(resource);
        }
        let mut shown = self.asked.apply(resource.clone());
        for (path, returned) in &self.particular {
            match returned {
                Returned::Always => put(&mut shown, path, &resource),
                Returned::Request if !self.asked.names(path) => hide(&mut shown, path),
                _ => {}
            }
        }
        shown
    }
}

impl Choice {
    fn apply(&self, resource: Map<String, Value>) -> Map<String, Value> {
        let chosen = |(name, value): (String, Value)| {
            let value = match self {
                Self::Only(paths) if !ALWAYS.contains(&name.as_str()) => only(&name, value, paths),
                Self::Without(paths) if !ALWAYS.contains(&name.as_str()) => without(&name, value, paths),
                _ => Some(value),
            };
            value.map(|value| (name, value))
        };
        resource.into_iter().filter_map(chosen).collect()
    }

    /// Whether an attribute was asked for by its name.
    fn names(&self, wanted: &AttributePath) -> bool {
        let is_it = |path: &AttributePath| {
            path.extension == wanted.extension && path.name.eq_ignore_ascii_case(&wanted.name)
        };
        matches!(self, Self::Only(paths) if paths.iter().any(is_it))
    }
}

/// The attributes of extensions that are not shown by default (RFC 7643 §7, `returned`).
fn particular(schema: &Schema) -> Vec<(AttributePath, Returned)> {
    let mut particular = Vec::new();
    for extension in &schema.extensions {
        let rules = extension.attributes.iter().filter(|one| one.returned != Returned::Default);
        particular.extend(rules.map(|one| {
            let (id, name) = (extension.id.to_string(), one.name.to_string());
            (AttributePath { extension: Some(id), name, part: None }, one.returned)
        }));
    }
    particular
}

/// Whether a resource or the operations of a change name an attribute of an extension.
fn gives(sent: &Map<String, Value>, path: &AttributePath) -> bool {
    let id = path.extension.as_deref().unwrap_or_default();
    let whole = format!("{id}:{}", path.name);
    let has = |value: &Value| value.as_object().is_some_and(|members| plain(members, &path.name).is_some());
    let is_in = |members: &Map<String, Value>| {
        plain(members, &whole).is_some() || plain(members, id).is_some_and(has)
    };
    let by_operation = |operation: &Map<String, Value>| {
        let value = plain(operation, "value");
        match plain(operation, "path").and_then(Value::as_str) {
            None => value.and_then(Value::as_object).is_some_and(is_in),
            Some(at) if at.eq_ignore_ascii_case(id) => value.is_some_and(has),
            Some(at) => at.get(..whole.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(&whole)),
        }
    };
    let operations = plain(sent, "Operations").and_then(Value::as_array).into_iter().flatten();
    is_in(sent) || operations.filter_map(Value::as_object).any(by_operation)
}

/// Shows an attribute of an extension whatever was asked for.
fn put(shown: &mut Map<String, Value>, path: &AttributePath, resource: &Map<String, Value>) {
    let id = path.extension.as_deref().unwrap_or_default();
    let value = plain(resource, id).and_then(Value::as_object).and_then(|members| plain(members, &path.name));
    let Some(value) = value else { return };
    let members = shown.entry(id).or_insert_with(|| Value::Object(Map::new()));
    if let Some(members) = members.as_object_mut() {
        members.insert(path.name.clone(), value.clone());
    }
}

/// Leaves out an attribute of an extension.
fn hide(shown: &mut Map<String, Value>, path: &AttributePath) {
    let id = path.extension.as_deref().unwrap_or_default();
    let Some(members) = shown.get_mut(id).and_then(Value::as_object_mut) else { return };
    members.retain(|name, _| !name.eq_ignore_ascii_case(&path.name));
    if members.is_empty() {
        shown.remove(id);
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
