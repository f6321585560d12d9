//! Failures as people read them: where a browser asks for a page, the plane that has pages shows one.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::http::header::{ACCEPT, ALLOW};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use svc_core::Error;

use super::Failure;
use crate::app::App;
use crate::arrival::Arrival;
use crate::context::HostCx;

/// How failures are shown to people; a plane with pages puts it into `Parts::planes`.
pub struct ErrorPages(pub fn(Refused) -> Showing);

/// A page in the making; none where this failure is shown as it is.
pub type Showing = Pin<Box<dyn Future<Output = Option<Response>> + Send>>;

/// A request for a page that got none.
pub struct Refused {
    /// The application.
    pub app: App,
    /// The tenant's host, where the address is one of a tenant.
    pub host: Option<HostCx>,
    /// What the browser sent.
    pub headers: HeaderMap,
    /// Whether it sent a form, which no link sends again.
    pub is_form: bool,
    /// The request, for support.
    pub request_id: String,
    /// Why.
    pub error: Error,
}

/// A request that asks for a page.
pub(crate) struct Asking {
    headers: HeaderMap,
    is_form: bool,
}

/// A request that asks for a page, and not for a document for programs. A form counts where the browser says that it navigates: programs
/// that post accept pages too.
pub(crate) fn asking(parts: &Parts) -> Option<Asking> {
    let mut accepted = parts.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let is_form = parts.method == Method::POST
        && parts.headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    let is_navigation = parts.method == Method::GET || is_form;
    let is_asking = is_navigation && accepted.any(|value| value.contains("text/html"));
    is_asking.then(|| Asking { headers: parts.headers.clone(), is_form })
}

/// The response, or the page that stands for the failure in it.
pub(crate) async fn shown(
    mut response: Response,
    app: &App,
    arrival: &Arc<Arrival>,
    Asking { headers, is_form }: Asking,
) -> Response {
    let Ok(pages) = app.part::<ErrorPages>() else { return response };
    let Some(failure) = response.extensions_mut().remove::<Failure>() else { return response };
    let Failure { error, surface } = failure;
    let tenant = app.services.tenants.at_host(&arrival.host).await.ok();
    let host = tenant.map(|tenant| HostCx {
        cx: app.cx_of(arrival),
        tenant,
        app: app.clone(),
        arrival: Arc::clone(arrival),
        connectors: OnceLock::new(),
    });
    let Some(error) = Arc::into_inner(error) else { return response };
    let kept = Failure { error: Arc::new(Error::new(error.class(), error.detail().to_owned())), surface };
    let request_id = arrival.request_id.clone();
    let refused = Refused { app: app.clone(), host, headers, is_form, request_id, error };
    if let Some(mut page) = (pages.0)(refused).await {
        // The methods that are taken belong to the status, whatever the form of the answer (RFC 9110 §15.5.6).
        if page.status() == StatusCode::METHOD_NOT_ALLOWED
            && let Some(methods) = response.headers_mut().remove(ALLOW)
        {
            page.headers_mut().insert(ALLOW, methods);
        }
        return page;
    }
    response.extensions_mut().insert(kept);
    response
}
