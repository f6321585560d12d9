//! What a route says about its documents, kept as functions so that nothing is built before somebody asks.

use std::borrow::Cow;

use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, ToSchema};

type Schemas = Vec<(String, RefOr<Schema>)>;
type ParamsOf = fn(fn() -> Option<ParameterIn>) -> Vec<Parameter>;

/// The documentation of a route.
#[derive(Default)]
pub(crate) struct Docs {
    pub summary: &'static str,
    pub tag: &'static str,
    pub body: Option<(&'static str, SchemaOf)>,
    pub returns: Vec<(u16, Option<SchemaOf>)>,
    pub query: Vec<ParamsOf>,
    pub is_hidden: bool,
}

/// A type's schema.
#[derive(Clone, Copy)]
pub(crate) struct SchemaOf {
    name: fn() -> Cow<'static, str>,
    schema: fn() -> RefOr<Schema>,
    parts: fn(&mut Schemas),
}

impl SchemaOf {
    pub(crate) fn of<T: ToSchema>() -> Self {
        Self { name: T::name, schema: T::schema, parts: T::schemas }
    }

    /// A reference to the schema, which is put among the components with all that it refers to.
    pub(crate) fn place(self, components: &mut Schemas) -> RefOr<Schema> {
        let name = (self.name)().into_owned();
        components.push((name.clone(), (self.schema)()));
        (self.parts)(components);
        RefOr::Ref(Ref::from_schema_name(name))
    }
}

/// The query parameters of a type.
pub(crate) fn params_of<T: IntoParams>() -> ParamsOf {
    |place| T::into_params(place)
}
