//! Bodies are held against the schema that is published for them, so that all their faults are named at once and the
//! document cannot promise what the reader refuses.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, RwLock};

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};
use svc_core::{Error, Flaw, OrInternal as _, Result};
use utoipa::ToSchema;

use super::members;
use crate::openapi::schemas::settled;
use crate::route::SchemaOf;

/// Most faults that are named at once.
pub(super) const MOST: usize = 20;
/// A wrong choice is shown up to this length.
const SHOWN: usize = 40;

type Judges = RwLock<BTreeMap<TypeId, Arc<Judge>>>;

/// A published schema, and what holds documents against it.
struct Judge {
    schema: Value,
    validator: Validator,
}

/// Refuses a document that the schema of `T` refuses.
pub(super) fn judge<T: ToSchema + 'static>(document: &Value) -> Result<()> {
    let judge = &judge_of::<T>()?.validator;
    // Nearly every document fits, and that is found out for less than what is wrong with one.
    if judge.is_valid(document) {
        return Ok(());
    }
    let mut flaws = Vec::new();
    judge.iter_errors(document).for_each(|error| tell(&error, &mut flaws));
    flaws.truncate(MOST);
    if flaws.is_empty() { Ok(()) } else { Err(Error::flawed(flaws)) }
}

/// Whether a `T` may have a member at this path.
pub(super) fn may_have<T: ToSchema + 'static>(path: &[String]) -> Result<bool> {
    Ok(members::may_have(&judge_of::<T>()?.schema, path))
}

fn judge_of<T: ToSchema + 'static>() -> Result<Arc<Judge>> {
    static JUDGES: LazyLock<Judges> = LazyLock::new(RwLock::default);
    let key = TypeId::of::<T>();
    if let Some(judge) = JUDGES.read().ok().and_then(|judges| judges.get(&key).cloned()) {
        return Ok(judge);
    }
    let mut collected = Vec::new();
    let mut schema = json!(SchemaOf::of::<T>().place(&mut collected));
    let components = settled(collected, [T::name().into_owned()].into_iter());
    if let Some(members) = schema.as_object_mut() {
        members.insert("components".to_owned(), json!({ "schemas": components }));
    }
    let validator = jsonschema::options().offline().build(&schema).map_err(|error| error.to_string());
    let judge = Arc::new(Judge { validator: validator.or_internal()?, schema });
    if let Ok(mut judges) = JUDGES.write() {
        judges.insert(key, Arc::clone(&judge));
    }
    Ok(judge)
}

/// Adds what is wrong; a value is shown where it is one of a few words, because any other may be a secret.
fn tell(error: &ValidationError<'_>, flaws: &mut Vec<Flaw>) {
    let pointer = error.instance_path().as_str();
    let path = dotted(pointer);
    let mut add = |detail: String| flaws.push(Flaw { pointer: pointer.to_owned(), detail, place: None });
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                add(format!("unknown field `{}{name}`", prefix(&path, ".")));
            }
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            add(format!("{}missing field `{name}`", prefix(&path, ": ")));
        }
        Kind::Type { kind } => add(format!("{}expected {}", subject(&path), expected(kind))),
        Kind::Enum { options } => add(format!("{}{}", subject(&path), choices(error, options))),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => match meant(context, pointer) {
            Meant::Branch(branch) => branch.iter().for_each(|error| tell(error, flaws)),
            Meant::OneOf(names) => add(format!("{}expected one of {}", subject(&path), names.join(", "))),
            Meant::Nothing => add(format!("{}none of the forms that are accepted here", subject(&path))),
        },
        _ => add(format!("{}{}", subject(&path), error.masked_with("the value"))),
    }
}

/// Which of several forms a value was to have.
enum Meant<'e> {
    /// The one that these faults keep it from.
    Branch(&'e [ValidationError<'static>]),
    /// One of those that are told apart by a member of their own, of which it has none.
    OneOf(Vec<&'e str>),
    /// It cannot be said.
    Nothing,
}

fn meant<'e>(context: &'e [Vec<ValidationError<'static>>], pointer: &str) -> Meant<'e> {
    // The other branch of an optional member is null.
    let branches = || context.iter().filter(|branch| !branch.iter().any(wants_null));
    let lacks = |branch: &'e [ValidationError<'static>]| {
        branch.iter().find_map(|error| match error.kind() {
            Kind::Required { property } if error.instance_path().as_str() == pointer => property.as_str(),
            _ => None,
        })
    };
    let names: Vec<_> = branches().filter_map(|branch| lacks(branch.as_slice())).collect();
    if names.len() > 1 && names.len() == branches().count() {
        return Meant::OneOf(names);
    }
    let has_its_own = branches().rfind(|branch| lacks(branch.as_slice()).is_none());
    has_its_own.or_else(|| branches().next_back()).map_or(Meant::Nothing, |branch| Meant::Branch(branch))
}

fn wants_null(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), Kind::Type { kind: TypeKind::Single(jsonschema::JsonType::Null) })
}

fn choices(error: &ValidationError<'_>, options: &Value) -> String {
    let options: Vec<_> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let options = options.join(", ");
    match error.instance().as_str() {
        Some(value) if value.chars().count() <= SHOWN => format!("{value:?} is not one of {options}"),
        _ => format!("expected one of {options}"),
    }
}

fn expected(kind: &TypeKind) -> String {
    let named = |kind: jsonschema::JsonType| match kind {
        jsonschema::JsonType::Array => "an array",
        jsonschema::JsonType::Boolean => "a boolean",
        jsonschema::JsonType::Integer => "a whole number",
        jsonschema::JsonType::Null => "null",
        jsonschema::JsonType::Number => "a number",
        jsonschema::JsonType::Object => "an object",
        jsonschema::JsonType::String => "a string",
    };
    match kind {
        TypeKind::Single(kind) => named(*kind).to_owned(),
        TypeKind::Multiple(kinds) => {
            let (null, others): (Vec<_>, Vec<_>) = kinds.iter().map(named).partition(|name| *name == "null");
            others.into_iter().chain(null).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn subject(path: &str) -> String {
    if path.is_empty() { "the request body: ".to_owned() } else { format!("{path}: ") }
}

fn prefix(path: &str, separator: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}{separator}") }
}

/// A JSON pointer as people write it: `/scopes/0/name` is `scopes[0].name`.
fn dotted(pointer: &str) -> String {
    pointer.split('/').skip(1).fold(String::new(), |path, step| {
        let step = step.replace("~1", "/").replace("~0", "~");
        match (path.as_str(), step.parse::<usize>()) {
            (_, Ok(index)) => format!("{path}[{index}]"),
            ("", Err(_)) => step,
            (_, Err(_)) => format!("{path}.{step}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Web,
        Native,
    }

    #[derive(Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its schema is tested")]
    struct Inner {
        #[schema(max_length = 3)]
        name: String,
    }

    #[derive(Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is tested")]
    enum Place {
        Shelf(Inner),
        Box(Inner),
    }

    #[derive(Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its schema is tested")]
    struct Stored {
        place: Place,
    }

    #[test]
    fn of_several_forms_the_one_that_was_meant_is_told() {
        let told =
            |place: Value| judge::<Stored>(&json!({ "place": place })).unwrap_err().detail().to_owned();
        assert!(judge::<Stored>(&json!({ "place": { "shelf": { "name": "A1" } } })).is_ok());
        assert_eq!(told(json!({})), "place: expected one of shelf, box");
        assert_eq!(told(json!({ "shelf": {} })), "place.shelf: missing field `name`");
        assert_eq!(told(json!({ "box": { "name": 1 } })), "place.box.name: expected a string");
    }

    #[derive(Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its schema is tested")]
    struct Outer {
        kind: Option<Kind>,
        list: Vec<Inner>,
        secret: Option<String>,
    }

    #[test]
    fn every_fault_of_a_document_is_named_at_once_with_its_place() {
        let document = json!({ "kind": "spaceship", "list": [{ "name": "long" }, {}, { "name": "ok", "more": 1 }], "secret": 7 });
        let error = judge::<Outer>(&document).unwrap_err();
        let told: Vec<_> =
            error.flaws().iter().map(|flaw| (flaw.pointer.as_str(), flaw.detail.as_str())).collect();
        assert_eq!(
            told,
            [
                ("/kind", "kind: \"spaceship\" is not one of web, native"),
                ("/list/0/name", "list[0].name: the value is longer than 3 characters"),
                ("/list/1", "list[1]: missing field `name`"),
                ("/list/2", "unknown field `list[2].more`"),
                ("/secret", "secret: expected a string or null"),
            ]
        );
        assert!(error.detail().contains("kind: ") && error.detail().contains("; secret: expected"));
        assert!(judge::<Outer>(&json!({ "kind": null, "list": [] })).is_ok());
    }

    #[test]
    fn a_document_is_found_to_fit_exactly_where_nothing_is_wrong_with_it() {
        let fit = json!({ "kind": "web", "list": [{ "name": "abc" }], "secret": null });
        let unfit = [
            json!({ "kind": "Web", "list": [] }),
            json!({ "kind": "web" }),
            json!({ "list": [{ "name": "abcd" }] }),
            json!({ "list": {} }),
            json!([]),
        ];
        let judge = &judge_of::<Outer>().unwrap().validator;
        for (document, is_fit) in unfit.iter().map(|document| (document, false)).chain([(&fit, true)]) {
            assert_eq!(judge.is_valid(document), is_fit, "{document}");
            assert_eq!(judge.iter_errors(document).next().is_none(), is_fit, "{document}");
        }
    }
}
