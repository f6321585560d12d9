//! What protocol endpoints take in queries and forms, narrowed to the capabilities of the tenant.

use serde_json::{Map, Value, json};
use svc_core::capability::Capability;

use super::schemas;
use crate::route::{Docs, FormOf, Parameter};

const FORM: &str = "application/x-www-form-urlencoded";

/// What an operation takes.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    query: Vec<Parameter>,
    forms: Vec<FormOf>,
}

/// What a tenant goes without.
pub(super) struct Offered(Vec<&'static Capability>);

impl Offered {
    pub(super) fn new(offers: impl Fn(&'static Capability) -> bool) -> Self {
        Self(Capability::ALL.iter().filter(|capability| !offers(capability)).collect())
    }

    /// Whether an address is there.
    pub(super) fn has_path(&self, path: &str) -> bool {
        !self.0.iter().any(|capability| capability.endpoints.contains(&path))
    }

    fn has_parameter(&self, parameter: &Parameter) -> bool {
        !self.0.iter().any(|capability| capability.parameters.contains(&parameter.name))
    }

    fn has_form(&self, form: &FormOf) -> bool {
        let named = form.capability.map(|capability| capability.name);
        !self.0.iter().any(|capability| Some(capability.name) == named)
    }
}

impl Protocol {
    pub(super) fn of(docs: &Docs) -> Self {
        Self { query: docs.parameters.map(|all| all()).unwrap_or_default(), forms: docs.taken() }
    }

    /// Adds query parameters and form to an operation, and the schema of each form.
    pub(super) fn complete(&self, operation: &mut Value, schemas: &mut Value, offered: &Offered) {
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            let query = self.query.iter().filter(|parameter| offered.has_parameter(parameter));
            parameters.extend(query.map(in_query));
        }
        let forms = self.forms.iter().filter(|form| offered.has_form(form)).map(|form| {
            let kept = form.parameters.iter().filter(|parameter| offered.has_parameter(parameter));
            FormOf { parameters: kept.copied().collect(), ..form.clone() }
        });
        let forms: Vec<FormOf> = forms.collect();
        for form in &forms {
            schemas[&form.name] = json!(form.schema());
        }
        if !forms.is_empty() {
            let is_required = !forms.iter().all(FormOf::is_optional);
            operation["requestBody"] =
                json!({ "required": is_required, "content": { FORM: content(&forms) } });
        }
    }
}

fn in_query(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.is_required,
        "description": parameter.description,
        "schema": parameter.schema(),
    })
}

fn content(forms: &[FormOf]) -> Value {
    let reference = |form: &FormOf| json!({ "$ref": schemas::reference(&form.name) });
    match forms {
        [form] => json!({ "schema": reference(form), "example": form.example() }),
        forms => {
            let examples: Map<_, _> = forms
                .iter()
                .map(|form| {
                    (form.name.clone(), json!({ "summary": form.description, "value": form.example() }))
                })
                .collect();
            let choices: Vec<_> = forms.iter().map(reference).collect();
            json!({ "schema": { "oneOf": choices }, "examples": examples })
        }
    }
}
