//! The schema of a page of records. Each kind of record needs a page schema of its own name, or all pages would look alike.

use std::borrow::Cow;
use std::marker::PhantomData;

use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Documents a [`svc_http::List`] of `T`.
pub(crate) struct Listed<T>(PhantomData<T>);

impl<T: ToSchema> PartialSchema for Listed<T> {
    fn schema() -> RefOr<Schema> {
        let records = ArrayBuilder::new()
            .items(RefOr::Ref(Ref::from_schema_name(T::name())))
            .description(Some("The records of this page."));
        let cursor = Object::builder()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .description(Some("Pass it as `cursor` to get the next page; null on the last."));
        let page = ObjectBuilder::new()
            .description(Some("One page of a list."))
            .property("data", records)
            .property("next_cursor", cursor)
            .required("data")
            .required("next_cursor");
        page.into()
    }
}

impl<T: ToSchema> ToSchema for Listed<T> {
    fn name() -> Cow<'static, str> {
        format!("{}List", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}
