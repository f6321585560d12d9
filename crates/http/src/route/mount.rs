//! A route in the router: limits, guard, body bound and idempotency around its handler.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use axum::body::{Body, HttpBody as _};
use axum::extract::{MatchedPath, Request, State};
use axum::handler::Handler;
use axum::http::header::{CONTENT_LENGTH, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::Limited;
use svc_core::Error;
use svc_core::capability::Capability;

use super::fields::{self, Fields};
use super::{Declared, Endpoint, Guard, Route, guard, moved, operator, scim, unheard};
use crate::app::App;
use crate::arrival::Arrival;
use crate::context::{HostCx, TenantCx};
use crate::cors::{self, Admitted, Cors};
use crate::metrics::RouteMetrics;
use crate::render::{OauthError, Problem};
use crate::{body, dpop, idempotency, throttle};

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A declared route with its meters.
#[derive(Clone)]
pub(super) struct Mounted(Arc<Inner>);

struct Inner {
    declared: Declared,
    endpoint: Endpoint,
    /// What the route exists for, where that can be switched off.
    capabilities: Vec<&'static Capability>,
    metrics: Arc<RouteMetrics>,
    /// The members that can be asked for, made when a request first names some.
    fields: OnceLock<Option<Fields>>,
}

/// The answer to a browser's question before a cross-origin call.
#[derive(Clone)]
pub(super) struct Preflight {
    cors: Cors,
    path: &'static str,
    methods: HeaderValue,
    /// What the routes exist for, where that can be switched off.
    capabilities: Vec<&'static Capability>,
}

/// Answers what no route takes; guessing addresses is limited like anything else.
pub(super) async fn unmatched(State(app): State<App>, request: Request, error: Error) -> Response {
    let (parts, _) = request.into_parts();
    let limited = Arrival::of(&parts).and_then(|arrival| throttle::address(&app, "unmatched", &arrival));
    Problem::from(limited.err().unwrap_or(error)).into_response()
}

/// Answers a method that a path does not take: nothing is there, whatever the method, where the path exists for what is switched off.
pub(super) async fn not_allowed(State(app): State<App>, path: MatchedPath, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let arrival = match Arrival::of(&parts) {
        Ok(arrival) => arrival,
        Err(error) => return Problem::from(error).into_response(),
    };
    if let Err(error) = throttle::address(&app, "unmatched", &arrival) {
        return Problem::from(error).into_response();
    }
    let capabilities: Vec<_> = Capability::of_path(path.as_str()).collect();
    let error = if is_switched_off(&capabilities, &app, &arrival).await {
        nothing_here()
    } else {
        Error::method_not_allowed("this method is not allowed here")
    };
    Problem::from(error).into_response()
}

impl Mounted {
    pub(super) fn new(route: Route, app: &App) -> Self {
        let method = static_name(route.declared.method.as_str());
        let metrics = app.metrics.route(method, route.declared.path);
        let capabilities = Capability::of_path(route.declared.path).collect();
        let Route { declared, endpoint } = route;
        Self(Arc::new(Inner { declared, endpoint, capabilities, metrics, fields: OnceLock::new() }))
    }
}

impl Handler<(), App> for Mounted {
    type Future = Answer;

    fn call(self, request: Request, app: App) -> Answer {
        Box::pin(async move { self.0.serve(app, request).await })
    }
}

impl Inner {
    async fn serve(&self, app: App, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let arrival = match Arrival::of(&parts) {
            Ok(arrival) => arrival,
            Err(error) => return Problem::from(error).into_response(),
        };
        let _ = arrival.matched.set(Arc::clone(&self.metrics));
        let origin = match &self.declared.cors {
            Some(cors) => Some(origin_of(cors, &app, Some(&arrival), &parts.headers).await),
            None => None,
        };
        // A client that proves a key learns the nonce to use next (RFC 9449 §8.2).
        let nonce = parts.headers.contains_key(dpop::HEADER).then(|| dpop::fresh_nonce(&app)).flatten();
        let request = Request::from_parts(parts, body);
        let answer = self.guarded(&app, &arrival, request).await;
        let mut response = answer.unwrap_or_else(IntoResponse::into_response);
        if self.declared.counts_refusals
            && !response.status().is_success()
            && let Err(error) = throttle::address(&app, self.declared.path, &arrival)
        {
            response = Problem::from(error).into_response();
        }
        if let Some(nonce) = nonce {
            response.headers_mut().insert(dpop::NONCE, nonce);
        }
        if let Some(origin) = origin {
            cors::allow(response.headers_mut(), origin);
        }
        response
    }

    async fn guarded(
        &self,
        app: &App,
        arrival: &Arc<Arrival>,
        request: Request,
    ) -> Result<Response, Problem> {
        let declared = &self.declared;
        self.count(app, arrival).await?;
        let (mut parts, body) = request.into_parts();
        let body = match bounded(body, &parts.headers, declared.body_limit) {
            Ok(body) => body,
            // Boxed, because it is rare.
            Err(_) if self.reads_form_of_page() => {
                return Box::pin(self.refuse_form(app, arrival, parts)).await;
            }
            Err(error) => return Err(error.into()),
        };
        if let Guard::Deployment(_) = declared.guard {
            parts.extensions.insert(guard::plain(app, arrival));
            return Ok(self.handled(app, parts, body).await);
        }
        let host = self.host(app, arrival).await?;
        if declared.is_at_issuer
            && let Some(moved) = moved::to_issuer(&host, &parts)
        {
            return Ok(moved);
        }
        let asked = if self.fields(&parts).is_some() { fields::take(&mut parts) } else { Ok(None) };
        match declared.guard {
            Guard::Tenant { scope } => {
                // Boxed, as what follows: every request would hold room for the guards of APIs.
                let caller = Box::pin(guard::tenant(host, declared, scope, &parts)).await?;
                parts.extensions.insert(caller.clone());
                return Box::pin(self.as_tenant(caller, asked, Request::from_parts(parts, body))).await;
            }
            Guard::Operator(role) => {
                let caller = Box::pin(operator::operator(host, declared, role, &parts)).await?;
                let within = TenantCx::clone(&caller);
                parts.extensions.insert(caller);
                // For readers of lists, whose cursors are a tenant's.
                parts.extensions.insert(within.clone());
                return Box::pin(self.as_tenant(within, asked, Request::from_parts(parts, body))).await;
            }
            Guard::Scim => {
                parts.extensions.insert(Box::pin(scim::directory(host, &parts)).await?);
                unheard::refuse_condition(declared, &parts.headers)?;
            }
            Guard::Client if parts.uri.query().is_some_and(|query| !query.is_empty()) => {
                // Addresses end up in logs; a client that puts credentials there learns it at the first try (RFC 6749 §2.3.1).
                let error = Error::invalid_request("parameters belong into the body; the address takes none");
                return Ok(OauthError(error).into_response());
            }
            _ => {
                parts.extensions.insert(host);
            }
        }
        Ok(self.handled(app, parts, body).await)
    }

    /// Counts the request among those of its address.
    async fn count(&self, app: &App, arrival: &Arrival) -> Result<(), Error> {
        let declared = &self.declared;
        if !declared.counts_refusals && !declared.is_unlimited {
            throttle::address(app, declared.path, arrival)?;
        }
        match declared.limit {
            Some(limit) => Box::pin(throttle::own(app, declared.path, limit(&app.config), arrival)).await,
            None => Ok(()),
        }
    }

    /// The host, if it has what the route exists for, and takes more requests.
    async fn host(&self, app: &App, arrival: &Arc<Arrival>) -> Result<HostCx, Problem> {
        let host = guard::host(app, arrival).await?;
        if self.capabilities.iter().any(|capability| !host.offers(capability)) {
            return Err(nothing_here().into());
        }
        if !self.declared.counts_refusals {
            throttle::tenant(&host)?;
        }
        Ok(host)
    }

    /// Refuses a form that is too long. Only the endpoint has the page that says so; it reads the form before all else.
    async fn refuse_form(
        &self,
        app: &App,
        arrival: &Arc<Arrival>,
        mut parts: Parts,
    ) -> Result<Response, Problem> {
        let host = guard::host(app, arrival).await?;
        throttle::tenant(&host)?;
        parts.extensions.insert(host);
        parts.extensions.insert(body::Overlong);
        Ok(self.handled(app, parts, Body::empty()).await)
    }

    /// The answer of the handler.
    fn handled(&self, app: &App, parts: Parts, body: Body) -> Answer {
        (self.endpoint)(Request::from_parts(parts, body), app.clone())
    }

    /// Whether browsers send a form here, and are answered by a page. Where a guard asks for a credential, it comes first.
    fn reads_form_of_page(&self) -> bool {
        let Declared { guard, docs, method, .. } = &self.declared;
        match guard {
            Guard::Form(_) => true,
            Guard::Public(_) => *method == Method::POST && docs.has_page(),
            _ => false,
        }
    }

    async fn as_tenant(
        &self,
        caller: TenantCx,
        asked: svc_core::Result<Option<String>>,
        request: Request,
    ) -> Result<Response, Problem> {
        unheard::refuse_query(&self.declared, request.uri())?;
        unheard::refuse_condition(&self.declared, request.headers())?;
        let request = arrived(&caller, request).await?;
        if let (Some(fields), Some(asked)) = (self.fields.get().and_then(Option::as_ref), asked?) {
            let chosen = fields.choose(&asked)?;
            return Ok(chosen.narrow((self.endpoint)(request, caller.app).await).await?);
        }
        let is_bodiless = unheard::is_bodiless(&self.declared);
        let request = if is_bodiless { unheard::refuse(&self.declared, request).await? } else { request };
        let key = if self.declared.is_idempotent { idempotency::key_of(request.headers())? } else { None };
        match key {
            Some(key) => idempotency::once(caller, key, request, Arc::clone(&self.endpoint)).await,
            None => Ok((self.endpoint)(request, caller.app).await),
        }
    }

    /// The members that can be asked for, where a request names some.
    fn fields(&self, parts: &Parts) -> Option<&Fields> {
        parts.uri.query().filter(|query| query.contains(fields::FIELDS))?;
        self.fields.get_or_init(|| Fields::of(&self.declared)).as_ref()
    }
}

/// The request with its body, which may come in long after its token was looked at: the token may have ended meanwhile.
async fn arrived(caller: &TenantCx, request: Request) -> Result<Request, Problem> {
    let (parts, content) = request.into_parts();
    if content.is_end_stream() {
        return Ok(Request::from_parts(parts, content));
    }
    let whole = body::read(content).await?;
    guard::still_holds(caller)?;
    Ok(Request::from_parts(parts, Body::from(whole)))
}

impl Preflight {
    pub(super) fn new(cors: Cors, path: &'static str, methods: HeaderValue) -> Self {
        Self { cors, path, methods, capabilities: Capability::of_path(path).collect() }
    }

    async fn answer(&self, app: &App, request: Request) -> Result<Response, Problem> {
        let (parts, _) = request.into_parts();
        let arrival = Arrival::of(&parts)?;
        // The declared path, because a wildcard has endless addresses, each with a count of its own.
        throttle::address(app, self.path, &arrival)?;
        let origin = origin_of(&self.cors, app, Some(&arrival), &parts.headers).await;
        if is_switched_off(&self.capabilities, app, &arrival).await {
            let mut response = Problem::from(nothing_here()).into_response();
            cors::allow(response.headers_mut(), origin);
            return Ok(response);
        }
        let mut response = StatusCode::NO_CONTENT.into_response();
        cors::preflight(response.headers_mut(), origin, &self.methods);
        Ok(response)
    }
}

impl Handler<(), App> for Preflight {
    type Future = Answer;

    fn call(self, request: Request, app: App) -> Answer {
        Box::pin(async move { self.answer(&app, request).await.into_response() })
    }
}

async fn is_switched_off(capabilities: &[&'static Capability], app: &App, arrival: &Arc<Arrival>) -> bool {
    if capabilities.is_empty() {
        return false;
    }
    let host = guard::host(app, arrival).await;
    host.is_ok_and(|host| capabilities.iter().any(|capability| !host.offers(capability)))
}

/// What is said of the request's origin; nothing of one that the tenant has to be asked about where there is no host to ask at.
pub(super) async fn origin_of(
    cors: &Cors,
    app: &App,
    arrival: Option<&Arc<Arrival>>,
    headers: &HeaderMap,
) -> Option<Admitted> {
    let origin = headers.get(ORIGIN)?;
    let admission = match cors.at_any_host(app, origin) {
        Some(admission) => admission,
        None => cors.at(guard::host(app, arrival?).await.ok()?, origin).await,
    };
    admission.of(origin)
}

fn nothing_here() -> Error {
    Error::not_found("nothing is at this address")
}

fn bounded(body: Body, headers: &HeaderMap, limit: usize) -> Result<Body, Error> {
    if body.is_end_stream() {
        return Ok(body);
    }
    let announced =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(body::too_large());
    }
    Ok(Body::new(Limited::new(body, limit)))
}

fn static_name(method: &str) -> &'static str {
    ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().find(|name| *name == method).unwrap_or("OTHER")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::World;
    use crate::{PlainCx, Routes};

    async fn hello(_: PlainCx) -> &'static str {
        "hello"
    }

    #[tokio::test]
    async fn a_request_holds_no_room_for_guards_that_it_does_not_pass() {
        let world = World::new(Routes::default()).await;
        let Mounted(route) = Mounted::new(Route::get("/hello").deployment("test", hello), &world.app);
        let state = size_of_val(&route.serve(world.app.clone(), Request::new(Body::empty())));
        assert!(state <= 4 * 1024, "{state} bytes are moved and kept for each request");
    }
}
