//! Bodies, parameters and conditions that an operation would not read: what they say is refused, as an unknown member of a body is,
//! because its sender believes that it counts.

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::header::{IF_MATCH, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, Uri};
use serde_json::{Map, Value};
use svc_core::{Error, Result, json};
use utoipa::openapi::path::ParameterIn;

use super::fields::{self, FIELDS};
use super::{Declared, Guard};
use crate::body;
use crate::extract::takes_only;

/// Where the management API is. What other standards define at other paths may have parameters that we do not know.
const API: &str = "/api/v1/";

/// Whether the operation changes something and reads no body.
pub(super) fn is_bodiless(declared: &Declared) -> bool {
    let changes = declared.method == Method::POST || declared.method == Method::PUT;
    changes && declared.docs.bodies.is_empty() && declared.docs.forms.is_none()
}

/// The request, unless its body says something. Clients send `{}` or `null` where they have nothing to say.
pub(super) async fn refuse(declared: &Declared, request: Request) -> Result<Request> {
    if request.body().is_end_stream() {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let bytes = body::read(body).await?;
    if says_something(&bytes) {
        return Err(Error::bad_request(told(declared)));
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Refuses parameters in the address of an operation of the management API that declares none; what declares some reads them strictly.
pub(super) fn refuse_query(declared: &Declared, uri: &Uri) -> Result<()> {
    let is_read = !declared.docs.query.is_empty() || declared.docs.parameters.is_some();
    if is_read || !declared.path.starts_with(API) || uri.query().is_none_or(str::is_empty) {
        return Ok(());
    }
    let others: &[&str] = if fields::is_taken(declared) { &[FIELDS] } else { &[] };
    takes_only(others, uri)
}

/// Refuses a version that an operation of the management API or of the provisioning API would not compare: it must not be done where the
/// condition does not hold (RFC 9110 §13.1.1, §13.1.2).
pub(super) fn refuse_condition(declared: &Declared, headers: &HeaderMap) -> Result<()> {
    let is_provisioning = declared.guard == Guard::Scim;
    if declared.method == Method::GET || !(is_provisioning || declared.path.starts_with(API)) {
        return Ok(());
    }
    // A resource that directories change has a version whatever its type (RFC 7644 §3.14).
    let is_read = if is_provisioning {
        declared.method != Method::POST
    } else {
        declared.docs.headers.iter().any(|header| header.name == IF_MATCH.as_str())
    };
    if !is_read && headers.contains_key(IF_MATCH) {
        return Err(Error::bad_request("if-match: this operation compares no versions; leave it out"));
    }
    if headers.contains_key(IF_NONE_MATCH) {
        return Err(Error::bad_request("if-none-match: no change is made on this condition; leave it out"));
    }
    Ok(())
}

fn says_something(bytes: &[u8]) -> bool {
    let is_nothing = |document: &Value| document.is_null() || document.as_object().is_some_and(Map::is_empty);
    !bytes.trim_ascii().is_empty()
        && !json::parse(bytes, json::DEEPEST).is_ok_and(|document| is_nothing(&document))
}

fn told(declared: &Declared) -> String {
    let query = declared.docs.query.iter().flat_map(|params| params(|| Some(ParameterIn::Query)));
    let names: Vec<_> = query.map(|param| param.name).collect();
    let names = names.join(", ");
    if names.is_empty() {
        "the request body: this operation takes none; leave it out".to_owned()
    } else {
        format!("the request body: this operation takes none; give {names} in the query of the address")
    }
}
