//! JSON Merge Patch (RFC 7396): what is given replaces, null removes, what is left out stays.

use std::borrow::Cow;
use std::marker::PhantomData;

use axum::extract::{FromRequest, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::{Error, Flaw, OrInternal as _, Result};
use utoipa::openapi::RefOr;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use super::expect_type;
use super::json::{document, fitting};
use super::judge::{MOST, may_have};
use crate::body;
use crate::openapi::patches::PATCH_OF;
use crate::render::Problem;
use crate::route::{Docs, Takes};

/// The media type of a patch.
const MERGE_PATCH: &str = "application/merge-patch+json";

/// A patch of a `T`.
#[derive(Clone, Debug)]
pub struct MergePatch<T> {
    patch: Value,
    of: PhantomData<fn() -> T>,
}

/// The same as a plain document: what a `PUT` brings that changes no member which it leaves out.
#[derive(Clone, Debug)]
pub struct Amendment<T>(pub MergePatch<T>);

impl<T: Serialize + DeserializeOwned + ToSchema + 'static> MergePatch<T> {
    /// `present` with the patch applied; what comes out is held against the schema of `T`.
    pub fn apply(self, present: &T) -> Result<T> {
        let mut document = serde_json::to_value(present).or_internal()?;
        let mut flaws = Vec::new();
        find_unknown::<T>((Some(&document), &self.patch), &mut Vec::new(), &mut flaws)?;
        if !flaws.is_empty() {
            return Err(Error::flawed(flaws));
        }
        merge(&mut document, self.patch);
        fitting(&document)
    }
}

impl<T> MergePatch<T> {
    async fn read(request: Request, media_type: &str) -> Result<Self> {
        expect_type(request.headers(), media_type)?;
        let patch = document(&body::read(request.into_body()).await?)?;
        if !patch.is_object() {
            return Err(Error::bad_request("the request body: expected an object"));
        }
        Ok(Self { patch, of: PhantomData })
    }
}

impl<S: Send + Sync, T> FromRequest<S> for MergePatch<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        Ok(Self::read(request, MERGE_PATCH).await?)
    }
}

impl<S: Send + Sync, T> FromRequest<S> for Amendment<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        Ok(Self(MergePatch::read(request, "application/json").await?))
    }
}

impl<T: ToSchema> Takes for Amendment<T> {
    fn document(docs: &mut Docs) {
        docs.takes::<MergePatch<T>>("application/json");
    }
}

impl<T: ToSchema> Takes for MergePatch<T> {
    fn document(docs: &mut Docs) {
        docs.takes::<Self>(MERGE_PATCH);
    }
}

impl<T: ToSchema> PartialSchema for MergePatch<T> {
    fn schema() -> RefOr<Schema> {
        let patch_of = ExtensionsBuilder::new().add(PATCH_OF, T::name()).build();
        let text =
            "A JSON Merge Patch (RFC 7396): what is given replaces, null removes, what is left out stays.";
        let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::Object));
        schema.description(Some(text)).extensions(Some(patch_of)).into()
    }
}

impl<T: ToSchema> ToSchema for MergePatch<T> {
    fn name() -> Cow<'static, str> {
        format!("{}Patch", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

/// Finds the members that a patch removes from a document without them, and that no form of a `T` has: a misspelt name would be
/// passed over. `names` lead to where the document and the patch are.
fn find_unknown<T: ToSchema + 'static>(
    (document, patch): (Option<&Value>, &Value),
    names: &mut Vec<String>,
    flaws: &mut Vec<Flaw>,
) -> Result<()> {
    for (name, value) in patch.as_object().into_iter().flatten() {
        if flaws.len() == MOST {
            break;
        }
        let present = document.and_then(|document| document.get(name));
        names.push(name.clone());
        if !value.is_null() {
            find_unknown::<T>((present, value), names, flaws)?;
        } else if present.is_none() && !may_have::<T>(names)? {
            flaws.push(unknown(names));
        }
        names.pop();
    }
    Ok(())
}

fn unknown(path: &[String]) -> Flaw {
    let within = path.get(..path.len().saturating_sub(1)).unwrap_or_default();
    let step = |name: &String| format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    let pointer = within.iter().map(step).collect();
    Flaw { pointer, detail: format!("unknown field `{}`", path.join(".")), place: None }
}

/// The algorithm of RFC 7396 §2.
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(members) = target else { return };
    for (name, value) in patch {
        if value.is_null() {
            members.remove(&name);
        } else {
            merge(members.entry(name).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    struct Note {
        title: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    fn patched(patch: Value) -> Result<Note> {
        let note = Note { title: "Milk".to_owned(), text: None };
        MergePatch { patch, of: PhantomData }.apply(&note)
    }

    #[test]
    fn null_removes_what_a_record_may_have_and_an_unknown_name_is_refused() {
        let note = Note { title: "Milk".to_owned(), text: None };
        assert_eq!(patched(json!({ "text": null })).unwrap(), note);
        for (patch, told) in [
            (json!({ "txet": null }), "unknown field `txet`"),
            (json!({ "txet": "x" }), "unknown field `txet`"),
            (json!({ "title": null }), "missing field `title`"),
        ] {
            assert_eq!(patched(patch).unwrap_err().detail(), told);
        }
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Page {
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    enum Place {
        Shelf(Page),
        Drawer(Page),
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    struct Folder {
        place: Place,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<Page>,
        #[serde(default)]
        labels: BTreeMap<String, Page>,
        #[serde(default)]
        #[schema(value_type = Object)]
        notes: Map<String, Value>,
    }

    #[test]
    fn a_name_that_no_form_of_a_part_has_is_refused_at_every_depth() {
        let apply = |patch: Value| {
            let place = Place::Shelf(Page::default());
            let folder = Folder { place, first: None, labels: BTreeMap::new(), notes: Map::new() };
            MergePatch { patch, of: PhantomData }.apply(&folder)
        };
        for known in [
            json!({ "first": { "text": null } }),
            json!({ "place": { "drawer": null } }),
            json!({ "place": { "shelf": null, "drawer": { "text": null } } }),
            json!({ "labels": { "a": null, "b": { "text": null } } }),
            json!({ "notes": { "any": null, "other": { "thing": null } } }),
        ] {
            assert!(apply(known.clone()).is_ok(), "{known}");
        }
        for (patch, told) in [
            (json!({ "first": { "txet": null } }), "unknown field `first.txet`"),
            (json!({ "place": { "box": null } }), "unknown field `place.box`"),
            (json!({ "place": { "shelf": { "txet": null } } }), "unknown field `place.shelf.txet`"),
            (json!({ "labels": { "b": { "txet": null } } }), "unknown field `labels.b.txet`"),
        ] {
            assert_eq!(apply(patch).unwrap_err().detail(), told);
        }
        let error = apply(json!({ "labels": { "a/b": { "txet": null } } })).unwrap_err();
        assert_eq!(error.flaws()[0].pointer, "/labels/a~1b");
    }

    #[test]
    fn the_examples_of_the_standard_come_out_as_it_says() {
        for (target, patch, merged) in [
            (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"})),
            (json!({"a":"b"}), json!({"a":null}), json!({})),
            (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}})),
            (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
            (json!({"e":null}), json!({"a":1}), json!({"e":null,"a":1})),
            (json!([1, 2]), json!({"a":"b","c":null}), json!({"a":"b"})),
            (json!({}), json!({"a":{"bb":{"ccc":null}}}), json!({"a":{"bb":{}}})),
        ] {
            let mut outcome = target;
            merge(&mut outcome, patch);
            assert_eq!(outcome, merged);
        }
    }
}
