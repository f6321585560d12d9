//! What a route says about its documents, kept as functions so that nothing is built before the document is asked for.

use std::borrow::Cow;

use serde_json::Value;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, ToSchema};

use super::parameter::Parameter as ProtocolParameter;
use super::{FormOf, Route};

type Schemas = Vec<(String, RefOr<Schema>)>;
type ParamsOf = fn(fn() -> Option<ParameterIn>) -> Vec<Parameter>;

/// The media type of our API's documents.
pub(crate) const JSON: &str = "application/json";

/// The media type of SCIM (RFC 7644 §8.1).
pub(crate) const SCIM_JSON: &str = "application/scim+json";

/// The media type of hosted pages.
pub(crate) const HTML: &str = "text/html";

/// The documentation of a route.
#[derive(Default)]
pub struct Docs {
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    pub(crate) tag: &'static str,
    pub(crate) bodies: Vec<(&'static str, SchemaOf)>,
    pub(crate) may_lack_body: bool,
    pub(crate) forms: Option<fn() -> Vec<FormOf>>,
    pub(crate) parameters: Option<fn() -> Vec<ProtocolParameter>>,
    pub(crate) example: Option<fn() -> Value>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) query: Vec<ParamsOf>,
    pub(crate) headers: Vec<Header>,
    pub(crate) credential: Credential,
    pub(crate) is_hidden: bool,
}

/// One way in which a route answers.
pub(crate) struct Answer {
    pub status: u16,
    pub content: Option<(&'static str, Option<SchemaOf>)>,
    pub headers: Vec<Header>,
}

/// A header of a request or of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub name: &'static str,
    pub description: &'static str,
}

/// What a route that is not a tenant's API is called with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Credential {
    /// Nothing besides what its guard asks for.
    #[default]
    None,
    /// An access token or a registration access token.
    Bearer,
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

    /// The name of the schema.
    pub(crate) fn name(self) -> String {
        (self.name)().into_owned()
    }

    /// A reference to the schema, which is put among the components with all that it refers to; a schema without a name
    /// of its own stands where it is used.
    pub(crate) fn place(self, components: &mut Schemas) -> RefOr<Schema> {
        let (name, schema) = ((self.name)().into_owned(), (self.schema)());
        (self.parts)(components);
        if name == "Value" || name == "Array" {
            return schema;
        }
        components.push((name.clone(), schema));
        RefOr::Ref(Ref::from_schema_name(name))
    }
}

impl Docs {
    /// The forms of which one is taken.
    pub(crate) fn taken(&self) -> Vec<FormOf> {
        self.forms.map(|forms| forms()).unwrap_or_default()
    }

    /// Whether it answers with a hosted page.
    pub(crate) fn has_page(&self) -> bool {
        self.answers.iter().any(|answer| matches!(answer.content, Some((HTML, _))))
    }

    /// Adds a body of this media type.
    pub(crate) fn takes<T: ToSchema>(&mut self, media_type: &'static str) {
        self.bodies.push((media_type, SchemaOf::of::<T>()));
    }

    /// Adds an answer.
    pub(crate) fn answers<T: ToSchema>(&mut self, status: u16, media_type: &'static str, headers: &[Header]) {
        let content = Some((media_type, Some(SchemaOf::of::<T>())));
        self.answers.push(Answer { status, content, headers: headers.to_vec() });
    }

    /// Adds an answer without a document that has a schema.
    pub(crate) fn answers_plainly(
        &mut self,
        status: u16,
        media_type: Option<&'static str>,
        headers: &[Header],
    ) {
        let content = media_type.map(|media_type| (media_type, None));
        self.answers.push(Answer { status, content, headers: headers.to_vec() });
    }

    /// Adds the query parameters of a type.
    pub(crate) fn asks<T: IntoParams>(&mut self) {
        self.query.push(|place| T::into_params(place));
    }
}

impl Route {
    /// A header that it reads, where its handler's types do not say so.
    #[must_use]
    pub fn header(mut self, name: &'static str, description: &'static str) -> Self {
        self.declared.docs.headers.push(Header { name, description });
        self
    }
}
