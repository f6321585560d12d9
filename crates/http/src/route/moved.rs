//! Pages of a tenant that answers at a domain of its own: at its former host they lead there, because cookies, forms and passkeys
//! belong to the issuer's origin.

use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};

use crate::context::HostCx;

/// The redirect to the same page at the tenant's own domain, unless the request came there.
pub(super) fn page(host: &HostCx, uri: &Uri) -> Option<Response> {
    let domain = host.tenant.custom_domain.as_deref()?;
    if host.arrival.host == domain {
        return None;
    }
    let rest = uri.path_and_query().map_or("/", |rest| rest.as_str());
    let location = HeaderValue::try_from(format!("{}{rest}", host.tenant.issuer)).ok()?;
    // Nothing remembers it: the tenant may move back.
    let headers = [(LOCATION, location), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Some((StatusCode::SEE_OTHER, headers).into_response())
}
