//! Routes of hosted pages: the guard makes the visit and refuses forms that another site sent, before any handler runs.

use std::pin::Pin;

use axum::extract::{FromRequest as _, Request};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse as _, Response};
use svc_core::{Error, Result};
use url::Url;

use crate::context::HostCx;
use crate::extract::{Form, Params};
use crate::render::{OauthError, Problem};

/// One call of a browser to a hosted page, as the plane that has the pages knows it.
pub trait Visitor: Sized + Send + Sync + 'static {
    /// Reads what the browser sent; `address` is that of the page, none where a form was sent.
    fn of(host: HostCx, headers: &HeaderMap, address: Option<&Uri>) -> Result<Self>;

    /// The page of an error: never a redirect, never a document for programs.
    fn failure(&self, error: Error) -> impl Future<Output = Response> + Send;
}

/// A handler of a page or a form: what the browser brought, and the parameters of the query or of the form.
pub trait Shows<'a, V: 'a>: Fn(&'a mut V, Params) -> Self::Answer {
    /// The pending answer.
    type Answer: Future<Output = Result<Response>> + Send;
}

impl<'a, V: 'a, F, A> Shows<'a, V> for F
where
    F: Fn(&'a mut V, Params) -> A,
    A: Future<Output = Result<Response>> + Send,
{
    type Answer = A;
}

/// Answers a call to a page; `is_form` says where its parameters are.
pub(super) async fn answer<V: Visitor, H>(request: Request, handler: H, is_form: bool) -> Response
where
    H: for<'a> Shows<'a, V>,
{
    let (mut visit, params) = match opened::<V>(request, is_form).await {
        Ok(opened) => opened,
        Err(error) => return Problem::from(error).into_response(),
    };
    let outcome = match params {
        Ok(params) => handler(&mut visit, params).await,
        Err(error) => Err(error),
    };
    match outcome {
        Ok(response) => response,
        Err(error) => failure(&visit, error).await,
    }
}

// Boxed: the code of every handler would contain what comes before and after it.

type Opening<V> = Pin<Box<dyn Future<Output = Result<(V, Result<Params>)>> + Send>>;

fn opened<V: Visitor>(request: Request, is_form: bool) -> Opening<V> {
    Box::pin(async move {
        let host = request.extensions().get::<HostCx>().cloned();
        let host = host.ok_or_else(|| Error::internal("a page was served without its host"))?;
        host.know_connectors().await?;
        let visit = V::of(host.clone(), request.headers(), Some(request.uri()).filter(|_| !is_form))?;
        let params = if is_form {
            host.app.services.sealers.prepare(host.tenant.id, &host.cx).await;
            own_form(request).await
        } else {
            Params::parse(request.uri().query().unwrap_or_default())
        };
        Ok((visit, params))
    })
}

fn failure<V: Visitor>(visit: &V, error: Error) -> Pin<Box<dyn Future<Output = Response> + Send + '_>> {
    Box::pin(visit.failure(error))
}

/// The form that one of our own pages sent; its binding to the browser's cookie refuses foreign forms too.
async fn own_form(request: Request) -> Result<Params> {
    let issuer = request.extensions().get::<HostCx>().map(|host| host.tenant.issuer.clone());
    if is_foreign(request.headers(), &issuer.unwrap_or_default()) {
        return Err(Error::forbidden("this form was sent from another site"));
    }
    let form = Form::from_request(request, &()).await;
    form.map(|Form(params)| params).map_err(|OauthError(error)| error)
}

/// Whether a browser says that another site made this request. `Origin: null` says nothing: our own pages send it,
/// because they send no referrer (Fetch standard §3.1).
pub fn is_foreign(headers: &HeaderMap, issuer: &str) -> bool {
    let site = text(headers, &header::HeaderName::from_static("sec-fetch-site"));
    let origin = text(headers, &header::ORIGIN);
    let own = Url::parse(issuer).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    !matches!(site.as_str(), "" | "same-origin" | "none")
        || !matches!(origin.as_str(), "" | "null") && origin != own
}

fn text(headers: &HeaderMap, name: &header::HeaderName) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_form_from_another_site_is_recognised_by_either_header() {
        let foreign = |pairs: &[(&'static str, &'static str)]| {
            let headers =
                pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            is_foreign(&headers.collect(), "https://id.example")
        };
        for own in [
            &[][..],
            &[("sec-fetch-site", "same-origin"), ("origin", "null")],
            &[("sec-fetch-site", "none")],
            &[("origin", "https://id.example")],
        ] {
            assert!(!foreign(own), "{own:?}");
        }
        for other in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site"), ("origin", "null")],
            &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")],
            &[("origin", "https://id.example.evil")],
            &[("origin", "http://id.example")],
            &[("origin", "https://id.example:8443")],
        ] {
            assert!(foreign(other), "{other:?}");
        }
    }
}
