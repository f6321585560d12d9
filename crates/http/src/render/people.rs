//! Failures as people read them: where a browser asks for a page, the plane that has pages shows one.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::http::header::{ACCEPT, CONTENT_LENGTH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use svc_core::Error;

use super::{Failure, Surface, challenge};
use crate::app::App;
use crate::arrival::Arrival;
use crate::context::HostCx;
use crate::credential::Credential;

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
/// that post accept pages too. So do some that bring an access token, which no browser does where it opens a page.
pub(crate) fn asking(parts: &Parts) -> Option<Asking> {
    let is_form = parts.method == Method::POST
        && parts.headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    // What is said of a page is said in its place to a request for the headers alone.
    let is_navigation = parts.method == Method::GET || parts.method == Method::HEAD || is_form;
    let is_asking = is_navigation && prefers_page(&parts.headers) && Credential::of(&parts.headers).is_err();
    is_asking.then(|| Asking { headers: parts.headers.clone(), is_form })
}

/// Whether a page is named among what the client accepts, and no document for programs is named that it would rather have.
fn prefers_page(headers: &HeaderMap) -> bool {
    let page = weight(headers, |kind| kind.eq_ignore_ascii_case("text/html"));
    page > 0.0 && page >= weight(headers, |kind| kind.to_ascii_lowercase().ends_with("json"))
}

/// The highest weight of a media type that is meant (RFC 9110 §12.4.2, §12.5.1); 0 where none is named.
fn weight(headers: &HeaderMap, is_meant: fn(&str) -> bool) -> f32 {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let weights = accepted.flat_map(|value| value.split(',')).filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(is_meant);
        is_named.then(|| parts.find_map(quality).unwrap_or(1.0))
    });
    weights.fold(0.0, f32::max)
}

/// The weight that a parameter of a media range says.
fn quality(parameter: &str) -> Option<f32> {
    let (name, weight) = parameter.split_once('=')?;
    if name.trim_end().eq_ignore_ascii_case("q") { weight.trim_start().parse().ok() } else { None }
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
        // Not as clients are challenged: a browser would ask the person for the name and the secret of one.
        challenge(response.headers_mut(), &kept.error, Surface::Api, &arrival.host);
        carry_over(response.headers(), page.headers_mut());
        return page;
    }
    response.extensions_mut().insert(kept);
    response
}

/// Says with the page what programs read of a refusal without its document: how to authenticate, and which methods there are.
fn carry_over(of_failure: &HeaderMap, of_page: &mut HeaderMap) {
    for name in of_failure.keys() {
        // The length is that of the empty body which stood in for the document; and a page, for which cookies are read, is shared with
        // no other origin.
        let is_of_document = *name == CONTENT_LENGTH || name.as_str().starts_with("access-control-");
        if !is_of_document && !of_page.contains_key(name) {
            for value in of_failure.get_all(name) {
                of_page.append(name, value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_asked_for_by_name_and_by_no_lower_weight_than_a_document() {
        let asks = |accept: &str| prefers_page(&HeaderMap::from_iter([(ACCEPT, accept.parse().unwrap())]));
        for page in [
            "text/html",
            "Text/HTML; charset=utf-8",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
            "application/json;q=0.9, text/html",
            "application/json, text/html",
            "text/html;q=0.1",
        ] {
            assert!(asks(page), "{page}");
        }
        for document in [
            "*/*",
            "application/json",
            "text/html;q=0",
            "text/html;q=0.0, */*",
            "text/html ; Q = 0",
            "application/json, text/html;q=0.5",
            "application/problem+json, text/html;q=0.9",
            "application/text/html",
        ] {
            assert!(!asks(document), "{document}");
        }
    }
}
