//! Browsers at a host of a tenant that answers at a domain of its own: pages lead there, because cookies, forms and passkeys belong
//! to the issuer's origin.

use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};

use crate::context::HostCx;

/// The redirect to the same address at the tenant's own domain, unless the request came there. A form is sent there again.
pub(super) fn to_issuer(host: &HostCx, parts: &Parts) -> Option<Response> {
    let domain = host.tenant.custom_domain.as_deref()?;
    if host.arrival.host == domain {
        return None;
    }
    let rest = parts.uri.path_and_query().map_or("/", |rest| rest.as_str());
    let location = HeaderValue::try_from(format!("{}{rest}", host.tenant.issuer)).ok()?;
    let status = if parts.method.is_safe() { StatusCode::SEE_OTHER } else { StatusCode::TEMPORARY_REDIRECT };
    // Nothing remembers it: the tenant may move back.
    let headers = [(LOCATION, location), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Some((status, headers).into_response())
}
