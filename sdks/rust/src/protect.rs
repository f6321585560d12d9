//! Guards for services of tower and routes of axum, with the challenges of RFC 6750 §3, RFC 9449 §7.1 and RFC 9728 §5.1.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, Request as HttpRequest, Response, StatusCode};
use serde_json::json;
use tower_layer::Layer;
use tower_service::Service;

use crate::{Claims, Error, Request, Required, Verifier, dpop};

/// Guards services of tower, such as routes of axum, with access tokens.
#[derive(Clone)]
pub struct Protection {
    pub(crate) verifier: Arc<Verifier>,
    pub(crate) origin: String,
    pub(crate) metadata: Option<String>,
}

impl Protection {
    /// A guard. The origin is where the API is published, such as `https://api.example`, with the prefix of a nested router: proofs are
    /// held against it, since the address as a proxy passes it on cannot be trusted.
    pub fn new(verifier: Arc<Verifier>, origin: &str) -> Self {
        Self { verifier, origin: origin.trim_end_matches('/').to_owned(), metadata: None }
    }

    /// A layer that lets requests pass whose token has what is required; their [`crate::Claims`] are in the extensions.
    pub fn require(&self, required: Required) -> ProtectLayer {
        ProtectLayer { guard: Arc::new((self.clone(), required)) }
    }

    /// The answer of a handler that needs more than its route does: 403, and a challenge that names the scope, of the scheme by which
    /// a token with these claims comes.
    pub fn insufficient_scope<B: From<String>>(&self, claims: &Claims, scope: &str) -> Response<B> {
        let error = Error::new(403, "insufficient_scope", format!("the token lacks the scope {scope}"));
        self.refusal(&error, &Required::scope(scope), claims.is_bound())
    }

    /// Of the scheme that was used, or has to be (RFC 9449 §7.1).
    fn challenge(&self, error: &Error, required: &Required, was_dpop: bool) -> String {
        let is_dpop = was_dpop || required.require_dpop;
        let mut parameters = Vec::new();
        let mut add = |name: &str, value: &str| {
            let is_foreign = |letter: char| letter.is_control() || "\"\\".contains(letter);
            parameters.push(format!("{name}=\"{}\"", value.replace(is_foreign, "'")))
        };
        if error.code != "missing_token" {
            add("error", &error.code);
            add("error_description", &error.description);
        }
        if !required.scope.is_empty() {
            add("scope", &required.scope);
        }
        if is_dpop {
            add("algs", &dpop::ALGORITHMS.join(" "));
        }
        if let Some(metadata) = &self.metadata {
            add("resource_metadata", metadata);
        }
        let scheme = if is_dpop { "DPoP" } else { "Bearer" };
        format!("{scheme} {}", parameters.join(", ")).trim_end().to_owned()
    }

    fn refusal<B: From<String>>(&self, error: &Error, required: &Required, was_dpop: bool) -> Response<B> {
        let title = StatusCode::from_u16(error.status).ok().and_then(|status| status.canonical_reason());
        let body = json!({
            "type": "about:blank", "status": error.status, "title": title, "detail": error.description, "error": error.code,
            "error_description": error.description,
        });
        let mut response = Response::builder()
            .status(error.status)
            .header("content-type", "application/problem+json")
            .header("cache-control", "no-store");
        if error.status == 401 || error.code == "insufficient_scope" {
            response = response.header("www-authenticate", self.challenge(error, required, was_dpop));
        }
        // INVARIANT: a refusal that cannot be written is no success.
        response.body(B::from(body.to_string())).unwrap_or_else(|_| {
            let mut failure = Response::new(B::from(String::new()));
            *failure.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            failure
        })
    }
}

/// Makes [`Protect`].
#[derive(Clone)]
pub struct ProtectLayer {
    guard: Arc<(Protection, Required)>,
}

impl<S> Layer<S> for ProtectLayer {
    type Service = Protect<S>;

    fn layer(&self, inner: S) -> Protect<S> {
        Protect { guard: Arc::clone(&self.guard), inner }
    }
}

/// A service behind the guard.
#[derive(Clone)]
pub struct Protect<S> {
    guard: Arc<(Protection, Required)>,
    inner: S,
}

impl<S, B, R> Service<HttpRequest<B>> for Protect<S>
where
    S: Service<HttpRequest<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
    R: From<String>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: HttpRequest<B>) -> Self::Future {
        let guard = Arc::clone(&self.guard);
        // The service that was ready is the one that is called.
        let next = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, next);
        Box::pin(async move {
            let (protection, required) = &*guard;
            let url = format!("{}{}", protection.origin, request.uri().path());
            let (judged, was_dpop) = {
                let (authorization, dpop) =
                    (values(request.headers(), "authorization"), values(request.headers(), "dpop"));
                let asked = Request {
                    authorization: &authorization,
                    dpop: &dpop,
                    method: request.method().as_str(),
                    url: &url,
                };
                (
                    protection.verifier.verify(asked, required).await,
                    authorization.iter().any(|field| is_dpop(field)),
                )
            };
            match judged {
                Ok(claims) => {
                    request.extensions_mut().insert(claims);
                    inner.call(request).await
                }
                Err(error) => Ok(protection.refusal(&error, required, was_dpop)),
            }
        })
    }
}

fn is_dpop(authorization: &str) -> bool {
    authorization.split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case("DPoP"))
}

/// A value that is no text counts as an empty one.
fn values<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default()).collect()
}
