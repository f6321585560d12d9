//! What the provisioning API answers with: `application/scim+json`, versions as weak entity tags (RFC 7644 §3.14).

use serde::Serialize;
use serde_json::{Map, Value};
use svc_core::{Error, OrInternal as _, Result};
use svc_db::Held;
use svc_http::header::{CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION};
use svc_http::{HeaderMap, HeaderValue, IntoResponse, Problem, Response, StatusCode};
use svc_keys::{base64url, digest};

/// An answer with a document.
pub(super) fn document(status: StatusCode, document: &Map<String, Value>) -> Result<Response> {
    let body = serde_json::to_vec(document).or_internal()?;
    let content_type = HeaderValue::from_static("application/scim+json");
    Ok((status, [(CONTENT_TYPE, content_type)], body).into_response())
}

/// An answer with a resource: its version and its address are said in headers too.
pub(super) fn resource(
    status: StatusCode,
    (version, location): (&str, &str),
    shown: &Map<String, Value>,
) -> Result<Response> {
    let mut response = document(status, shown)?;
    response.headers_mut().insert(ETAG, HeaderValue::try_from(version).or_internal()?);
    response.headers_mut().insert(LOCATION, HeaderValue::try_from(location).or_internal()?);
    Ok(response)
}

/// The weak entity tag of what makes a version.
pub(super) fn tagged(version: &impl Serialize) -> String {
    let text = serde_json::to_string(version).unwrap_or_default();
    format!("W/\"{}\"", base64url(digest(&text).0.get(..12).unwrap_or_default()))
}

/// What a read answers with where the caller has the version already.
pub(super) fn unchanged(version: &str) -> Result<Response> {
    let tag = HeaderValue::try_from(version).or_internal()?;
    Ok((StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response())
}

/// Whether the caller has this version already.
pub(super) fn is_known(headers: &HeaderMap, version: &str) -> bool {
    headers.contains_key(IF_NONE_MATCH) && names(headers, &IF_NONE_MATCH, version)
}

/// Refuses a change that was meant for another version, of a resource that is held until it is made.
pub(super) fn check(_: Held, headers: &HeaderMap, version: &str) -> Result<(), Problem> {
    if headers.contains_key(IF_MATCH) && !names(headers, &IF_MATCH, version) {
        return Err(
            Error::precondition_failed("the resource has changed since it was read; read it again").into()
        );
    }
    Ok(())
}

/// Whether one of the tags is this one; weak and strong ones are the same here.
fn names(headers: &HeaderMap, name: &svc_http::HeaderName, version: &str) -> bool {
    let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let fields = headers.get_all(name).iter().filter_map(|field| field.to_str().ok());
    let mut tags = fields.flat_map(|field| field.split(','));
    tags.any(|tag| tag.trim() == "*" || plain(tag) == plain(version))
}

/// The answer to an id that nothing has, also that of another organization.
pub(super) fn unknown() -> Error {
    Error::not_found("no resource has this id")
}
