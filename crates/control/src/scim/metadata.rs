//! What the provisioning API says of itself: `/ServiceProviderConfig`, `/Schemas`, `/ResourceTypes` (RFC 7643 §5–§7, RFC 7644 §4).

use std::sync::Arc;

use serde_json::{Map, Value, json};
use svc_core::{Error, Result};
use svc_http::{Path, Problem, QueryParams, Response, ScimCx, StatusCode};

use super::listing::{LIST, USUAL};
use super::reply::{self, unknown};
use super::schema::{Attribute, Kind, Schema};
use super::{base, types};

/// How long a cursor can be used at most: as long as the keys that seal it are kept, which is a day at least.
const CURSOR_SECONDS: u32 = 86_400;

pub(super) async fn service_provider_config(caller: ScimCx) -> Result<Response, Problem> {
    let settings = &caller.app.config.scim;
    let supported = |is_supported: bool| json!({ "supported": is_supported });
    let document = json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": supported(true),
        "bulk": {
            "supported": true,
            "maxOperations": settings.max_bulk_operations,
            "maxPayloadSize": settings.max_bulk_payload_bytes,
        },
        "filter": { "supported": true, "maxResults": settings.max_results },
        "changePassword": supported(false),
        "sort": supported(true),
        "etag": supported(true),
        "pagination": {
            "cursor": true,
            "index": true,
            "defaultPaginationMethod": "index",
            "defaultPageSize": USUAL.min(settings.max_results),
            "maxPageSize": settings.max_results,
            "cursorTimeout": CURSOR_SECONDS,
        },
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "SCIM token",
            "description": "A token of the organization, made through /api/v1/scim-tokens",
            "specUri": "https://www.rfc-editor.org/info/rfc6750",
            "primary": true,
        }],
        "meta": {
            "resourceType": "ServiceProviderConfig",
            "location": format!("{}/ServiceProviderConfig", base(&caller)),
        },
    });
    shown(&document)
}

pub(super) async fn schemas(caller: ScimCx, QueryParams(params): QueryParams) -> Result<Response, Problem> {
    refuse_filter(params.has("filter"))?;
    list(&published(&caller).iter().map(|schema| schema_document(&caller, schema)).collect::<Vec<_>>())
}

pub(super) async fn schema(caller: ScimCx, Path(id): Path<String>) -> Result<Response, Problem> {
    let published = published(&caller);
    let schema = published.iter().find(|schema| schema.id.eq_ignore_ascii_case(&id)).ok_or_else(unknown)?;
    shown(&schema_document(&caller, schema))
}

pub(super) async fn resource_types(
    caller: ScimCx,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    refuse_filter(params.has("filter"))?;
    list(&types(&caller).map(|(path, schema)| type_document(&caller, path, &schema)))
}

pub(super) async fn resource_type(caller: ScimCx, Path(id): Path<String>) -> Result<Response, Problem> {
    let found = types(&caller).into_iter().find(|(_, schema)| schema.name.eq_ignore_ascii_case(&id));
    let (path, schema) = found.ok_or_else(unknown)?;
    shown(&type_document(&caller, path, &schema))
}

/// These lists are whole, whatever is asked for (RFC 7644 §4).
fn refuse_filter(is_filtered: bool) -> Result<(), Problem> {
    if is_filtered {
        return Err(Error::forbidden("filter: this list cannot be filtered; leave it out").into());
    }
    Ok(())
}

fn published(caller: &ScimCx) -> Vec<Arc<Schema>> {
    let types = types(caller).map(|(_, schema)| schema);
    let extensions: Vec<_> = types.iter().flat_map(|schema| schema.extensions.clone()).collect();
    types.into_iter().chain(extensions).collect()
}

fn type_document(caller: &ScimCx, path: &str, schema: &Schema) -> Value {
    let extensions: Vec<_> = schema
        .extensions
        .iter()
        .map(|extension| json!({ "schema": extension.id, "required": false }))
        .collect();
    json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
        "id": schema.name,
        "name": schema.name,
        "description": schema.about,
        "endpoint": path,
        "schema": schema.id,
        "schemaExtensions": extensions,
        "meta": {
            "resourceType": "ResourceType",
            "location": format!("{}/ResourceTypes/{}", base(caller), schema.name),
        },
    })
}

fn schema_document(caller: &ScimCx, schema: &Schema) -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
        "id": schema.id,
        "name": schema.name,
        "description": schema.about,
        "attributes": schema.attributes.iter().map(attribute_document).collect::<Vec<_>>(),
        "meta": {
            "resourceType": "Schema",
            "location": format!("{}/Schemas/{}", base(caller), schema.id),
        },
    })
}

fn attribute_document(attribute: &Attribute) -> Value {
    let kind = match attribute.kind {
        Kind::Text => "string",
        Kind::Boolean => "boolean",
        Kind::Decimal => "decimal",
        Kind::Integer => "integer",
        Kind::DateTime => "dateTime",
        Kind::Reference => "reference",
        Kind::Binary => "binary",
        Kind::Complex => "complex",
    };
    let mut document = json!({
        "name": attribute.name,
        "type": kind,
        "multiValued": attribute.is_multi,
        "description": attribute.about,
        "required": attribute.is_required,
        "caseExact": attribute.is_case_exact,
        "mutability": attribute.mutability,
        "returned": attribute.returned,
        "uniqueness": attribute.uniqueness,
    });
    let mut further: Vec<(&str, Value)> = Vec::new();
    if !attribute.canonical.is_empty() {
        further.push(("canonicalValues", json!(attribute.canonical)));
    }
    if attribute.kind == Kind::Reference {
        further.push(("referenceTypes", json!(attribute.references)));
    }
    if !attribute.parts.is_empty() {
        further.push(("subAttributes", attribute.parts.iter().map(attribute_document).collect()));
    }
    if let Some(members) = document.as_object_mut() {
        members.extend(further.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    document
}

fn list(resources: &[Value]) -> Result<Response, Problem> {
    let count = resources.len();
    shown(&json!({
        "schemas": [LIST],
        "totalResults": count,
        "itemsPerPage": count,
        "startIndex": 1,
        "Resources": resources,
    }))
}

fn shown(document: &Value) -> Result<Response, Problem> {
    let members = document.as_object().cloned().unwrap_or_else(Map::new);
    Ok(reply::document(StatusCode::OK, &members)?)
}
