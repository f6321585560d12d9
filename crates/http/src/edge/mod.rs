//! The edge: what happens to every request before routing and to every response after it, in one service.

mod certificate;
mod during;
mod headers;
mod host;
mod log;
mod proxy;
mod request_id;
mod rules;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use svc_core::{Error, Result};
use svc_keys::ClientCertificate;
use tower::ServiceExt as _;
use tower_http::compression::CompressionLayer;

pub use self::during::{current_request, during};
pub use self::host::HostRules;
use self::log::Finished;
pub use self::log::{REQUESTS, Refusal};
pub use self::request_id::X_REQUEST_ID;
use self::rules::Rules;
use crate::app::App;
use crate::arrival::Arrival;
use crate::quota::Quotas;
use crate::render::{self, Problem, Scene};
use crate::reply::Public;
use crate::route::Shared;
use crate::telemetry::{self, Entered, Served};
use crate::throttle;

/// More header bytes than any honest request has; the listener's own bound is somewhat above, so that the refusal of
/// most oversized requests is a readable one.
const MOST_HEADER_BYTES: usize = 32 * 1024;

/// The address and transport that a connection came over; the listener adds it to each request.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The other end.
    pub address: SocketAddr,
    /// Whether TLS ends here.
    pub is_tls: bool,
    /// The certificate whose key the other end has proven to hold.
    pub certificate: Option<Arc<ClientCertificate>>,
}

/// The whole service: every declared route behind the edge.
#[derive(Clone)]
pub struct Edge {
    app: App,
    router: Router,
    shared: Shared,
    rules: Arc<Rules>,
}

impl Edge {
    /// Puts the edge in front of a router, whose routes share with other origins what `shared` says.
    pub(crate) fn new(app: App, router: Router, shared: Shared) -> Self {
        let rules = Arc::new(Rules::of(&app.config));
        let router = router.layer(CompressionLayer::new().gzip(true).compress_when(Public));
        Self { app, router, shared, rules }
    }

    /// The state behind it.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Serves one request.
    pub async fn serve(self, request: Request) -> Response {
        let started = Instant::now();
        let (mut parts, body) = request.into_parts();
        let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
        let entered = self.app.telemetry.enter(&parts.headers);
        let context = entered.as_ref().map(|entered| entered.context());
        let (arrival, named) = self.arrive(&mut parts);
        let at_home = match named {
            Ok(()) => during(Arc::clone(&arrival), self.admit(&path, &arrival)).await,
            refused => refused,
        };
        let is_at_home = at_home.is_ok();
        let admitted = at_home.and_then(|()| accept(&parts));
        parts.extensions.insert(Arc::clone(&arrival));
        let asks_for_page = render::asking(&parts);
        let question = Shared::question(&parts);
        let routed = match admitted {
            Ok(()) => {
                let routed = self.route(Request::from_parts(parts, body));
                telemetry::within(context, during(Arc::clone(&arrival), routed)).await
            }
            Err(error) => Err(error),
        };
        let is_of_route = routed.is_ok() && arrival.route().is_some();
        let mut response = routed.unwrap_or_else(|error| Problem::from(error).into_response());
        render::speak(&mut response, render::surface_of(&path));
        if let Some(question) = question.filter(|_| !is_of_route) {
            // Strangers can invent as many hosts as they like: only at one of ours is a tenant looked for.
            let host = is_at_home.then_some(&arrival);
            let allowed = Box::pin(self.shared.allow(&mut response, *question, host));
            during(Arc::clone(&arrival), allowed).await;
        }
        let response = match asks_for_page {
            Some(asking) => {
                let shown = render::shown(response, &self.app, &arrival, asking);
                during(Arc::clone(&arrival), shown).await
            }
            None => response,
        };
        let mut response = self.finish(response, &arrival);
        if method == Method::HEAD {
            leave_out_content(&mut response);
        }
        let trace = context.map(telemetry::TraceContext::trace);
        let finished = Finished {
            method: method.as_str(),
            path: &path,
            arrival: &arrival,
            took: started.elapsed(),
            trace: trace.as_deref(),
        };
        self.record(&finished, entered.as_deref(), &mut response);
        response
    }

    /// How the request came, and what is wrong with the host that it names.
    fn arrive(&self, parts: &mut Parts) -> (Arc<Arrival>, Result<()>) {
        let request_id = request_id::of(&parts.headers, self.app.clock.now(), &*self.app.entropy);
        let peer = parts.extensions.remove::<Peer>();
        let client = proxy::client(
            peer.as_ref().map(|peer| peer.address.ip()),
            peer.as_ref().is_some_and(|peer| peer.is_tls),
            &parts.headers,
            &self.rules.trusted_proxies,
        );
        let (host, named) = match host::named_by(parts) {
            Ok(host) => (host, Ok(())),
            Err(error) => (String::new(), Err(error)),
        };
        let arrival = Arrival {
            request_id,
            ip: client.ip,
            host,
            is_secure: client.is_secure,
            is_proxied: client.is_proxied,
            certificate: certificate::of(peer, &parts.headers, &self.rules),
            quotas: Quotas::default(),
            matched: OnceLock::new(),
        };
        (Arc::new(arrival), named)
    }

    /// Leaves what became of the request in the metrics, its trace and the log.
    fn record(&self, finished: &Finished<'_>, entered: Option<&Entered>, response: &mut Response) {
        let (arrival, took) = (finished.arrival, finished.took);
        self.app.metrics.count(arrival.matched.get(), response.status(), took);
        let served = Served::of(arrival, response.status(), took);
        self.app.telemetry.served(entered, &served);
        log::line(finished, response);
    }

    /// Whether the request came to one of our hosts.
    async fn admit(&self, path: &str, arrival: &Arrival) -> Result<()> {
        // Probes and scrapers reach an instance by its address, and their answer depends on no host. The service token that takes the
        // place of the static one is of the host of a tenant.
        let is_of_instance = path.starts_with("/health/")
            || (path == "/metrics" && self.app.config.server.metrics_bearer_token.is_some());
        if is_of_instance {
            return Ok(());
        }
        if arrival.host.is_empty() {
            return Err(host::missing());
        }
        if !self.rules.hosts.admits(&arrival.host) && !self.is_custom_domain(arrival).await? {
            return Err(host::misdirected());
        }
        Ok(())
    }

    /// Whether the host is a tenant's own domain. A host that memory does not know is looked for in the database, and a client can invent
    /// as many as it likes.
    async fn is_custom_domain(&self, arrival: &Arrival) -> Result<bool> {
        let tenants = &self.app.services.tenants;
        if !tenants.knows(&arrival.host) {
            throttle::unknown_host(&self.app, arrival)?;
        }
        Ok(tenants.is_custom_domain(&arrival.host).await)
    }

    /// Runs the router, bounded in time and safe against panics.
    async fn route(&self, request: Request) -> Result<Response> {
        let routed = AssertUnwindSafe(self.router.clone().oneshot(request)).catch_unwind();
        let outcome = match self.rules.deadline {
            Some(deadline) => tokio::time::timeout(deadline, routed).await.ok(),
            None => Some(routed.await),
        };
        match outcome {
            Some(Ok(Ok(response))) => Ok(response),
            Some(Ok(Err(never))) => match never {},
            Some(Err(panic)) => Err(Error::internal(panic_message(&*panic))),
            None => Err(too_late()),
        }
    }

    fn finish(&self, response: Response, arrival: &Arrival) -> Response {
        let scene =
            Scene { types: &self.app.error_types, realm: &arrival.host, request_id: &arrival.request_id };
        let mut response = render::finish(response, &scene);
        if response.status() == StatusCode::NOT_FOUND {
            // The router names the methods of a path in every answer to another one, also where the tenant has nothing there.
            response.headers_mut().remove(ALLOW);
        }
        headers::secure(response.headers_mut(), arrival.is_secure);
        arrival.quotas.tell(response.headers_mut());
        if let Ok(id) = HeaderValue::try_from(arrival.request_id.as_str()) {
            response.headers_mut().insert(X_REQUEST_ID, id);
        }
        response
    }
}

impl tower::Service<Request> for Edge {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        tower::Service::<Request>::poll_ready(&mut self.router, cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        Box::pin(self.clone().serve(request).map(Ok))
    }
}

/// The rules that need neither a host nor a route: size of the headers, path, content coding.
fn accept(parts: &Parts) -> Result<()> {
    if header_bytes(&parts.headers) > MOST_HEADER_BYTES {
        return Err(Error::headers_too_large("the request headers are larger than 32 KiB"));
    }
    if parts.uri.path().contains("%00") {
        return Err(Error::bad_request("the path has a NUL character"));
    }
    let is_encoded = |coding: &HeaderValue| !coding.as_bytes().eq_ignore_ascii_case(b"identity");
    if parts.headers.get_all(CONTENT_ENCODING).iter().any(is_encoded) {
        return Err(Error::unsupported_media_type(
            "content-encoding: compressed request bodies are not accepted; send this one plain",
        ));
    }
    Ok(())
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}

/// Leaves the headers that `GET` is answered with, the length among them (RFC 9110 §9.3.2). The router has done so with what routes
/// answer; a failure is written down after it.
fn leave_out_content(response: &mut Response) {
    if response.body().is_end_stream() {
        return;
    }
    let length = response.body().size_hint().exact();
    *response.body_mut() = Body::empty();
    if let Some(length) = length {
        response.headers_mut().entry(CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
}

fn too_late() -> Error {
    Error::temporarily_unavailable("the request took too long; try again later").retry_after(1)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a handler panicked: {}", text.unwrap_or_default())
}
