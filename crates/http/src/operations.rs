//! `/health/*` and `/metrics`: what orchestrators and scrapers ask. Health answers with a status only; the reason goes to the logs.

use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use svc_core::Error;
use svc_keys::{Algorithm, constant_time_eq};
use utoipa::ToSchema;

use crate::app::App;
use crate::context::PlainCx;
use crate::credential::bearer;
use crate::errors;
use crate::extract::Json;
use crate::metrics::observe;
use crate::readiness::Phase;
use crate::render::Problem;
use crate::route::{Route, Routes, is_service_token};

/// The answer of a health endpoint.
#[derive(Serialize, ToSchema)]
struct Status {
    /// `ok` or `unavailable`.
    status: &'static str,
}

const PING: Duration = Duration::from_secs(1);

/// The routes that every plane serves.
pub fn routes() -> Routes {
    const PROBE: &str = "probes have no credentials, and the answer has only a status";
    let probes = [
        Route::get("/health/live").deployment(PROBE, live).summary("Whether the process runs"),
        Route::get("/health/startup").deployment(PROBE, startup).summary("Whether start-up is complete"),
        Route::get("/health/ready").deployment(PROBE, ready).summary("Whether it may take traffic"),
    ];
    let metrics = Route::get("/metrics")
        .deployment("has credentials of its own: a static token or a service token", metrics)
        .summary("Metrics in the Prometheus text format")
        .describe("With `server.metrics_bearer_token`, or without it a service token of the default tenant with the scope `metrics:read`.")
        .bearer()
        .returns_text(200, "text/plain");
    let probes = probes.map(|route| route.unlimited().returns::<Status>(200).returns::<Status>(503));
    let operations = probes.into_iter().chain([metrics]).map(|route| route.tag("Operations"));
    Routes::new(operations).merge(errors::routes())
}

async fn live(_: PlainCx) -> Response {
    health(None)
}

async fn startup(cx: PlainCx) -> Response {
    health(match cx.app.readiness.phase() {
        Phase::Starting => Some("the process is starting".to_owned()),
        Phase::Ready | Phase::Draining => ailing_keys(&cx.app),
    })
}

async fn ready(cx: PlainCx) -> Response {
    health(obstacle(&cx.app).await)
}

/// The first reason not to send traffic here.
async fn obstacle(app: &App) -> Option<String> {
    if app.readiness.phase() != Phase::Ready {
        return Some(format!("the process is {:?}", app.readiness.phase()));
    }
    if let Some(task) = app.readiness.ailing_task() {
        return Some(format!("the background task {task} fails"));
    }
    if let Some(keys) = ailing_keys(app) {
        return Some(keys);
    }
    app.readiness.of_database(ailing_database(app)).await
}

async fn ailing_database(app: &App) -> Option<String> {
    match tokio::time::timeout(PING, app.db.ping()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("the database: {error:?}")),
        Err(_) => Some("the database does not answer within a second".to_owned()),
    }
}

fn ailing_keys(app: &App) -> Option<String> {
    let ring = app.services.keys.ring_of_deployment();
    let can_sign = ring.active(Algorithm::Es256).or_else(|| ring.active(Algorithm::EdDsa)).is_some();
    (!can_sign).then(|| "there is no active signing key for access tokens".to_owned())
}

fn health(obstacle: Option<String>) -> Response {
    match obstacle {
        None => Json(Status { status: "ok" }).into_response(),
        Some(reason) => {
            tracing::warn!(reason, "not healthy");
            (StatusCode::SERVICE_UNAVAILABLE, Json(Status { status: "unavailable" })).into_response()
        }
    }
}

async fn metrics(cx: PlainCx, headers: HeaderMap) -> Result<Response, Problem> {
    if !cx.app.live().telemetry.metrics_enabled {
        return Err(Error::not_found("nothing is at this address").into());
    }
    let is_allowed = match &cx.app.config.server.metrics_bearer_token {
        Some(expected) => bearer(&headers)
            .is_ok_and(|given| constant_time_eq(given.as_bytes(), expected.expose().as_bytes())),
        None => is_service_token(&cx.app, &cx.arrival, &headers, ("/metrics", "metrics:read")).await?,
    };
    if !is_allowed {
        let refusal = Error::unauthorized("metrics need their own credential");
        return Err(Problem::from(refusal).challenge("Bearer realm=\"metrics\""));
    }
    let content_type = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    observe(&cx.app);
    Ok(([(CONTENT_TYPE, content_type)], cx.app.metrics.render()).into_response())
}
