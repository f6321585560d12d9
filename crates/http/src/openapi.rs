//! The OpenAPI 3.1 document of declared routes: made of the same values as the router, so that the two cannot differ.

use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathsBuilder, RefOr,
    Required, ResponseBuilder,
};

use crate::route::{Declared, Guard, Routes, SchemaOf};

type Schemas = Vec<(String, RefOr<Schema>)>;

/// An error, as every endpoint answers it.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
struct ProblemDocument {
    /// Identifies the class of error.
    #[schema(format = "uri-reference")]
    r#type: String,
    /// The class in words.
    title: String,
    /// The HTTP status.
    status: u16,
    /// What is wrong with this request.
    detail: String,
    /// The class as a code.
    error: String,
    /// `detail` in the characters that OAuth allows.
    error_description: String,
}

const BEARER: &str = "access_token";

impl Routes {
    /// The document of every route that is not hidden.
    pub fn openapi(&self, title: &str, version: &str) -> OpenApi {
        let mut schemas = Schemas::new();
        let problem = SchemaOf::of::<ProblemDocument>().place(&mut schemas);
        let mut paths = PathsBuilder::new();
        for route in self.iter().filter(|route| !route.docs.is_hidden) {
            let Some(method) = method_of(route) else { continue };
            let operation = operation(route, &problem, &mut schemas);
            paths = paths.path(route.path, PathItem::new(method, operation));
        }
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        let components = ComponentsBuilder::new()
            .schemas_from_iter(schemas)
            .security_scheme(BEARER, SecurityScheme::Http(bearer));
        OpenApiBuilder::new()
            .info(InfoBuilder::new().title(title).version(version).build())
            .paths(paths.build())
            .components(Some(components.build()))
            .build()
    }
}

fn operation(route: &Declared, problem: &RefOr<Schema>, schemas: &mut Schemas) -> OperationBuilder {
    let mut operation = OperationBuilder::new()
        .operation_id(Some(operation_id(route)))
        .summary(Some(route.docs.summary).filter(|summary| !summary.is_empty()));
    if !route.docs.tag.is_empty() {
        operation = operation.tag(route.docs.tag);
    }
    for name in path_params(route.path) {
        let text = Schema::Object(ObjectBuilder::new().schema_type(Type::String).build());
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path);
        operation = operation.parameter(parameter.required(Required::True).schema(Some(text)));
    }
    for parameter in route.docs.query.iter().flat_map(|params| params(|| Some(ParameterIn::Query))) {
        operation = operation.parameter(parameter);
    }
    if route.is_idempotent {
        operation = operation.parameter(idempotency_key());
    }
    if let Some((media_type, schema)) = route.docs.body {
        let content = ContentBuilder::new().schema(Some(schema.place(schemas))).build();
        let body = RequestBodyBuilder::new().content(media_type, content).required(Some(Required::True));
        operation = operation.request_body(Some(body.build()));
    }
    if let Guard::Tenant { scope } = route.guard {
        operation = operation.security(SecurityRequirement::new(BEARER, [scope]));
    }
    for (status, schema) in &route.docs.returns {
        let mut response = ResponseBuilder::new().description(meaning(*status));
        if let Some(schema) = schema {
            let content = ContentBuilder::new().schema(Some(schema.place(schemas))).build();
            response = response.content("application/json", content);
        }
        operation = operation.response(status.to_string(), response);
    }
    let content = ContentBuilder::new().schema(Some(problem.clone())).build();
    let error = ResponseBuilder::new().description("An error").content("application/problem+json", content);
    operation.response("default", error)
}

fn idempotency_key() -> ParameterBuilder {
    ParameterBuilder::new()
        .name("idempotency-key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("Repeat it when retrying: the first response is given again for 24 hours"))
        .schema(Some(Schema::Object(
            ObjectBuilder::new().schema_type(Type::String).max_length(Some(255)).build(),
        )))
}

/// A stable name for generated clients: the method, then the words of the path.
fn operation_id(route: &Declared) -> String {
    let words = route.path.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.filter(|word| !matches!(*word, "api" | "v1"));
    words.fold(route.method.as_str().to_ascii_lowercase(), |id, word| id + "_" + word)
}

fn path_params(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter_map(|segment| Some(segment.strip_prefix('{')?.strip_suffix('}')?.trim_start_matches('*')))
}

fn method_of(route: &Declared) -> Option<HttpMethod> {
    match route.method.as_str() {
        "GET" => Some(HttpMethod::Get),
        "POST" => Some(HttpMethod::Post),
        "PUT" => Some(HttpMethod::Put),
        "PATCH" => Some(HttpMethod::Patch),
        "DELETE" => Some(HttpMethod::Delete),
        _ => None,
    }
}

fn meaning(status: u16) -> &'static str {
    match status {
        201 => "Created",
        204 => "Done",
        303 => "Continue elsewhere",
        503 => "Unavailable",
        _ => "Success",
    }
}
