//! Sends what has been collected, every few seconds and at the end; a collector that is away costs what waits for it, and no
//! request.

use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use bytes::Bytes;
use svc_core::{Error, OrInternal as _, Result, Seconds};
use svc_keys::hex;
use tokio::time::{Interval, MissedTickBehavior};

use super::figures::{self, Period};
use super::message::{
    KeyValue, Metrics, Resource, ResourceMetrics, ResourceSpans, Scope, ScopeMetrics, ScopeSpans, Span,
    Traces,
};
use super::span::nanos;
use super::{Inner, MOST_WAITING};
use crate::app::App;
use crate::metrics::observe;
use crate::outbound::{Limits, Outbound};

/// Spans of one message.
const BATCH: usize = 512;
const LIMITS: Limits = Limits { time: Seconds(5), bytes: 64 * 1024 };
/// How long the end of the process waits for a collector.
const LAST: Duration = Duration::from_secs(2);

/// Sends until `stop` ends, and then what is left. Returns at once where no collector is configured.
pub async fn export(app: App, stop: impl Future<Output = ()>) {
    let Some(inner) = app.telemetry.0.clone() else { return };
    let Some(mut waiting) = inner.take_waiting() else { return };
    let mut exporter = match Exporter::new(&app, &inner) {
        Ok(exporter) => exporter,
        Err(error) => return tracing::error!(error = ?error, "telemetry is not sent"),
    };
    let every = u64::try_from(app.config.telemetry.otlp_interval_secs.0).unwrap_or(1);
    let mut ticks = turns(Duration::from_secs(every));
    let mut batch = Vec::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            biased;
            () = &mut stop => break,
            _ = ticks.tick() => {
                exporter.send_spans(&mut batch).await;
                exporter.send_metrics(&app, &inner).await;
            }
            _ = waiting.recv_many(&mut batch, BATCH), if batch.len() < BATCH => {}
        }
        if batch.len() >= BATCH {
            exporter.send_spans(&mut batch).await;
        }
    }
    waiting.close();
    let rest = async {
        while waiting.recv_many(&mut batch, MOST_WAITING).await > 0 {}
        exporter.send_spans(&mut batch).await;
        exporter.send_metrics(&app, &inner).await;
    };
    if tokio::time::timeout(LAST, rest).await.is_err() {
        tracing::warn!("the last telemetry was not sent, because the collector did not answer in time");
    }
}

/// When something is sent: what was missed while a collector did not answer is not made up for.
fn turns(every: Duration) -> Interval {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

struct Exporter {
    /// Its own calls are not traced.
    outbound: Outbound,
    endpoint: String,
    headers: HeaderMap,
    resource: Resource,
    failures: u32,
}

impl Exporter {
    fn new(app: &App, inner: &Inner) -> Result<Self> {
        let config = &app.config.telemetry;
        let endpoint = config.otlp_endpoint.as_deref().unwrap_or_default().trim_end_matches('/').to_owned();
        let mut headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"))]);
        if let Some(authorization) = &config.otlp_authorization {
            let mut value = HeaderValue::try_from(authorization.expose()).or_internal()?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let mut instance = [0; 16];
        inner.entropy.fill(&mut instance);
        let attributes = vec![
            KeyValue::text("service.name", config.otlp_service_name.as_str()),
            KeyValue::text("service.version", env!("CARGO_PKG_VERSION")),
            KeyValue::text("service.instance.id", hex(instance)),
            KeyValue::text("svc.plane", app.config.plane.as_str()),
        ];
        let outbound = Outbound::to_chosen_by_operators(&app.config)?;
        Ok(Self { outbound, endpoint, headers, resource: Resource { attributes }, failures: 0 })
    }

    /// Sends the batch, and empties it whatever comes of that.
    async fn send_spans(&mut self, batch: &mut Vec<Span>) {
        while !batch.is_empty() {
            let rest = batch.split_off(batch.len().min(BATCH));
            let spans = std::mem::replace(batch, rest);
            let scope_spans = vec![ScopeSpans { scope: Some(scope()), spans }];
            let resource_spans = vec![ResourceSpans { resource: Some(self.resource.clone()), scope_spans }];
            self.send("traces", &Traces { resource_spans }).await;
        }
    }

    async fn send_metrics(&mut self, app: &App, inner: &Inner) {
        observe(app);
        let period = Period { start: nanos(inner.started), now: nanos(app.clock.now()) };
        let metrics = figures::metrics(&app.metrics.render(), period);
        let scope_metrics = vec![ScopeMetrics { scope: Some(scope()), metrics }];
        let resource_metrics = vec![ResourceMetrics { resource: Some(self.resource.clone()), scope_metrics }];
        self.send("metrics", &Metrics { resource_metrics }).await;
    }

    async fn send(&mut self, signal: &'static str, message: &impl prost::Message) {
        let url = format!("{}/v1/{signal}", self.endpoint);
        let body = Bytes::from(message.encode_to_vec());
        let answer = self.outbound.post(&url, self.headers.clone(), body, LIMITS).await;
        let outcome = answer.and_then(|answer| {
            let refused = || Error::internal(format!("the collector answered {}", answer.status));
            answer.status.is_success().then_some(()).ok_or_else(refused)
        });
        let label = if outcome.is_ok() { "sent" } else { "failed" };
        metrics::counter!("telemetry_exports_total", "signal" => signal, "outcome" => label).increment(1);
        match outcome {
            Ok(()) if self.failures > 0 => {
                self.failures = 0;
                tracing::info!("the collector takes telemetry again");
            }
            Ok(()) => {}
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                // Every few seconds of an outage would tell the same story.
                if self.failures.is_power_of_two() {
                    tracing::warn!(signal, failures = self.failures, error = ?error, "the collector does not take telemetry");
                }
            }
        }
    }
}

fn scope() -> Scope {
    Scope { name: "svc".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn after_an_outage_figures_are_sent_once_and_then_at_their_pace() {
        let every = Duration::from_secs(5);
        let mut ticks = turns(every);
        ticks.tick().await;
        tokio::time::advance(60 * every).await;
        ticks.tick().await;
        let next = tokio::time::timeout(Duration::from_secs(4), ticks.tick()).await;
        assert!(next.is_err(), "what was missed is not made up for");
        ticks.tick().await;
    }
}
