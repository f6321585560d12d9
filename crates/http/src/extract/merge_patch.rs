//! JSON Merge Patch (RFC 7396): what is given replaces, null removes, what is left out stays.

use std::borrow::Cow;
use std::marker::PhantomData;

use axum::extract::{FromRequest, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::{Error, OrInternal as _, Result};
use utoipa::openapi::RefOr;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use super::expect_type;
use super::json::{document, fitting};
use super::judge::judge;
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

impl<T: Serialize + DeserializeOwned + ToSchema + 'static> MergePatch<T> {
    /// `present` with the patch applied; what comes out is held against the schema of `T`.
    pub fn apply(self, present: &T) -> Result<T> {
        let mut document = serde_json::to_value(present).or_internal()?;
        let absent = removed_though_absent(&document, &self.patch);
        merge(&mut document, self.patch);
        refuse_unknown::<T>(&document, &absent)?;
        fitting(&document)
    }
}

impl<S: Send + Sync, T> FromRequest<S> for MergePatch<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        expect_type(request.headers(), MERGE_PATCH)?;
        let patch = document(&body::read(request.into_body()).await?)?;
        if !patch.is_object() {
            return Err(Error::bad_request("the request body: expected an object").into());
        }
        Ok(Self { patch, of: PhantomData })
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

/// The members that a patch removes from a document without them.
fn removed_though_absent(document: &Value, patch: &Value) -> Vec<String> {
    let is_there = |name: &str| document.get(name).is_some();
    let removed = patch.as_object().into_iter().flatten().filter(|(_, value)| value.is_null());
    removed.map(|(name, _)| name).filter(|name| !is_there(name)).cloned().collect()
}

/// Refuses those of `absent` that a `T` never has: a misspelt name would be passed over.
fn refuse_unknown<T: ToSchema + 'static>(document: &Value, absent: &[String]) -> Result<()> {
    if absent.is_empty() {
        return Ok(());
    }
    let mut document = document.clone();
    if let Some(members) = document.as_object_mut() {
        members.extend(absent.iter().map(|name| (name.clone(), Value::Null)));
    }
    let Err(error) = judge::<T>(&document) else { return Ok(()) };
    let unknown: Vec<_> = absent.iter().map(|name| format!("unknown field `{name}`")).collect();
    let flaws: Vec<_> = error.flaws().iter().filter(|flaw| unknown.contains(&flaw.detail)).cloned().collect();
    if flaws.is_empty() { Ok(()) } else { Err(Error::flawed(flaws)) }
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
