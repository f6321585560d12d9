//! Errors in the document: one schema, and one response for each status that a guard or a reader answers with.

use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_core::Class;
use svc_domain::tokens::access_token::SubjectType;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::schemas;
use crate::render::Surface;
use crate::route::{Declared, Guard, HTML, JSON, SCIM_JSON, SchemaOf};

/// Where references to shared responses lead.
pub(super) const PREFIX: &str = "#/components/responses/";

/// An error, as every endpoint answers it (RFC 9457, with the pair of RFC 6749 §5.2).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
struct ProblemDocument {
    /// Identifies the class of error, and is the address of a page about it.
    #[schema(format = "uri-reference")]
    r#type: String,
    /// The class in words.
    title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What is wrong with this request.
    detail: String,
    /// The class as a code.
    error: String,
    /// `detail` in the characters that OAuth allows.
    error_description: String,
    /// The request, as the log of the service has it.
    request_id: String,
    /// Every fault of the body, where it has any.
    #[schema(nullable = false)]
    errors: Option<Vec<Flaw>>,
}

/// An error of the backchannel authentication endpoint (OpenID CIBA §13).
#[derive(Serialize, ToSchema)]
#[schema(as = BackchannelError)]
struct BackchannelDocument {
    /// The class as a code.
    error: String,
    /// What is wrong with this request.
    error_description: String,
    /// A page about the class of error.
    #[schema(format = "uri-reference")]
    error_uri: String,
}

/// An error of the provisioning API (RFC 7644 §3.12).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScimError)]
struct ScimDocument {
    /// `urn:ietf:params:scim:api:messages:2.0:Error`.
    schemas: Vec<String>,
    /// The HTTP status, as text.
    status: String,
    /// The kind of fault in the words of the standard.
    #[schema(nullable = false)]
    scim_type: Option<String>,
    /// What is wrong with this request.
    detail: String,
}

/// One fault of a request body.
#[derive(Serialize, ToSchema)]
struct Flaw {
    /// Where, as a JSON pointer (RFC 6901).
    pointer: String,
    /// What is wrong there.
    detail: String,
    /// Of a fault in a text: the line, from 1.
    #[schema(nullable = false)]
    line: Option<u32>,
    /// The column in characters, from 1.
    #[schema(nullable = false)]
    column: Option<u32>,
    /// The byte of the text, from 0.
    #[schema(nullable = false)]
    offset: Option<u32>,
}

/// What the guard, the readers and the limits of a route may answer.
const STATUSES: &[(u16, &str, &str)] = &[
    (400, "BadRequest", "The request is not valid."),
    (401, "Unauthorized", "Authentication is required, or failed."),
    (403, "Forbidden", "The token lacks the scope, or the caller may not do this."),
    (404, "NotFound", "No record of the tenant has this id, or what is asked for is not offered here."),
    (409, "Conflict", "The record has changed since it was read, or the present state does not allow this."),
    (413, "PayloadTooLarge", "The body is too large."),
    (415, "UnsupportedMediaType", "The body has another media type than the endpoint takes."),
    (429, "RateLimited", "Too many requests; `retry-after` says when to try again."),
    (503, "Unavailable", "Something that is needed is out of reach; try again later."),
];

/// The schemas of errors.
pub(super) fn collected() -> Vec<(String, RefOr<Schema>)> {
    let mut schemas = Vec::new();
    SchemaOf::of::<ProblemDocument>().place(&mut schemas);
    SchemaOf::of::<BackchannelDocument>().place(&mut schemas);
    SchemaOf::of::<ScimDocument>().place(&mut schemas);
    schemas
}

/// The shared responses, once for each vocabulary that errors are written in.
pub(super) fn responses() -> Value {
    let each = STATUSES.iter().flat_map(|(status, name, description)| {
        SURFACES.map(|surface| {
            let mut response = response(description, surface, false);
            response["content"][media_type(surface)]["example"] = example(*status, surface);
            if matches!(status, 401) {
                response["headers"] = json!({ "www-authenticate": header("What to authenticate with.") });
            }
            if matches!(status, 429 | 503) {
                response["headers"] = json!({ "retry-after": header("Seconds to wait.") });
            }
            (format!("{}{name}", prefix(surface)), response)
        })
    });
    each.collect::<Map<_, _>>().into()
}

/// The error responses of a route.
pub(super) fn of(route: &Declared) -> Map<String, Value> {
    let surface = route.surface();
    let is_tenants = matches!(route.guard, Guard::Tenant { .. } | Guard::Operator(_));
    let has_body = !route.docs.bodies.is_empty() || route.docs.forms.is_some();
    let has_query = !route.docs.query.is_empty() || route.docs.parameters.is_some();
    let named = |(status, name, _): &(u16, &str, &str)| {
        let prefix = prefix(surface);
        (status.to_string(), json!({ "$ref": format!("{PREFIX}{prefix}{name}") }))
    };
    let applies = |status: u16| match status {
        400 => has_body || has_query || is_tenants,
        401 => is_tenants || matches!(route.guard, Guard::Client | Guard::Scim) || route.has_bearer(),
        403 => is_tenants,
        // What a person has, or may do here, need not be there either.
        404 => route.path.contains('{') || route.subject_types == [SubjectType::Human],
        409 => route.is_idempotent || !route.docs.headers.is_empty(),
        413 | 415 => has_body,
        _ => true,
    };
    // Where people are, each error may be a page instead.
    if route.docs.has_page() {
        let error = response("An error, as a page or as a document.", surface, true);
        return ["4XX", "default"].map(|status| (status.to_owned(), error.clone())).into_iter().collect();
    }
    let mut all: Map<_, _> = STATUSES.iter().filter(|(status, ..)| applies(*status)).map(named).collect();
    all.insert("default".to_owned(), response("Any other error.", surface, false));
    all
}

fn response(description: &str, surface: Surface, has_page: bool) -> Value {
    let name = match surface {
        Surface::Backchannel => "BackchannelError",
        Surface::Scim => "ScimError",
        Surface::Api | Surface::Oauth => "Problem",
    };
    let schema = json!({ "schema": { "$ref": schemas::reference(name) } });
    let mut response = json!({ "description": description, "content": { media_type(surface): schema } });
    if has_page {
        response["content"][HTML] = json!({ "schema": { "type": "string" } });
    }
    response
}

const SURFACES: [Surface; 4] = [Surface::Api, Surface::Oauth, Surface::Backchannel, Surface::Scim];

fn prefix(surface: Surface) -> &'static str {
    match surface {
        Surface::Api => "",
        Surface::Oauth => "Oauth",
        Surface::Backchannel => "Backchannel",
        Surface::Scim => "Scim",
    }
}

fn media_type(surface: Surface) -> &'static str {
    match surface {
        Surface::Api => "application/problem+json",
        Surface::Scim => SCIM_JSON,
        Surface::Oauth | Surface::Backchannel => JSON,
    }
}

fn header(description: &str) -> Value {
    json!({ "description": description, "schema": { "type": "string" } })
}

fn example(status: u16, surface: Surface) -> Value {
    let usual = |class: &&Class| class.status() == status;
    let class = Class::ALL.iter().find(usual).copied().unwrap_or(Class::ServerError);
    let page = format!("https://id.example.com/errors/{}", class.code().replace('_', "-"));
    if surface == Surface::Backchannel {
        return json!({ "error": class.code(), "error_description": class.title(), "error_uri": page });
    }
    if surface == Surface::Scim {
        let schema = "urn:ietf:params:scim:api:messages:2.0:Error";
        return json!({ "schemas": [schema], "status": status.to_string(), "detail": class.title() });
    }
    json!({
        "type": page,
        "title": class.title(),
        "status": status,
        "detail": class.title(),
        "error": class.code(),
        "error_description": class.title(),
        "request_id": "req_01jcqzv7y0e8kstk6yq6k3a4mf",
    })
}
