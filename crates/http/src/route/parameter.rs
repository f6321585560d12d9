//! Parameters of the protocol endpoints, which stand in a query or in a form, as the document has them.

use serde_json::Value;
use svc_core::capability::Capability;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, SchemaType, Type};

/// A parameter of a protocol endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it says, in `CommonMark`.
    pub description: &'static str,
    /// A value that it may have.
    pub example: &'static str,
    /// Every value that it may have, where they can be counted.
    pub values: &'static [&'static str],
    /// Whether a request without it is refused.
    pub is_required: bool,
    /// Whether the example has it although it is not required.
    pub is_shown: bool,
}

/// A form that an endpoint takes, alone or as one of several.
#[derive(Clone, Debug)]
pub struct FormOf {
    /// The name of its schema.
    pub name: String,
    /// What is asked for with it.
    pub description: String,
    /// What it belongs to, where that can be switched off.
    pub capability: Option<&'static Capability>,
    /// What it may have; other parameters are ignored.
    pub parameters: Vec<Parameter>,
}

impl Parameter {
    /// Its schema: everything in a form is text.
    pub(crate) fn schema(&self) -> Object {
        let schema = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .description(Some(self.description))
            .examples([self.example]);
        let values = (!self.values.is_empty()).then(|| self.values.iter().copied());
        schema.enum_values(values).build()
    }
}

impl FormOf {
    /// The schema of the form.
    pub(crate) fn schema(&self) -> RefOr<Schema> {
        let form = ObjectBuilder::new().description(Some(self.description.as_str()));
        let form = self.parameters.iter().fold(form, |form, parameter| {
            let form = form.property(parameter.name, parameter.schema());
            if parameter.is_required { form.required(parameter.name) } else { form }
        });
        form.into()
    }

    /// A form with all that it needs, and what is usual.
    pub(crate) fn example(&self) -> Value {
        let usual = self.parameters.iter().filter(|parameter| parameter.is_required || parameter.is_shown);
        usual.map(|parameter| (parameter.name.to_owned(), Value::from(parameter.example))).collect()
    }

    /// Whether a request may come without it.
    pub(crate) fn is_optional(&self) -> bool {
        !self.parameters.iter().any(|parameter| parameter.is_required || parameter.is_shown)
    }
}
