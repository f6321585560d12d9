//! Traces and metrics for a collector (OTLP over HTTP, protobuf), where `telemetry.otlp_endpoint` names one.
//!
//! What a span says is chosen attribute by attribute: methods, patterns of routes, statuses, names of servers that are called. No
//! path, query, header, body, id or name of a person can get into one.

mod context;
mod exporter;
mod figures;
mod message;
mod span;

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::HeaderMap;
use svc_config::Config;
use svc_core::{Clock, Entropy, Timestamp};
use tokio::sync::mpsc::{Receiver, Sender, channel};

pub(crate) use self::context::{TRACEPARENT, TraceContext};
pub use self::exporter::export;
use self::message::Span;
pub(crate) use self::span::{Called, Entered, Served, within};
use crate::metrics::Metrics;

/// Spans that may wait; what comes beyond is dropped, so that a collector that is away costs no memory and no time.
const MOST_WAITING: usize = 4096;

/// Makes spans and hands them to the exporter. Cheap to clone; without a collector it does nothing.
#[derive(Clone, Default)]
pub struct Telemetry(Option<Arc<Inner>>);

struct Inner {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    metrics: Metrics,
    started: Timestamp,
    traces_percent: u32,
    spans: Sender<Span>,
    waiting: Mutex<Option<Receiver<Span>>>,
}

impl Telemetry {
    /// As the configuration has it.
    pub(crate) fn new(
        config: &Config,
        clock: &Arc<dyn Clock>,
        entropy: &Arc<dyn Entropy>,
        metrics: &Metrics,
    ) -> Self {
        if config.telemetry.otlp_endpoint.is_none() {
            return Self::default();
        }
        let (spans, waiting) = channel(MOST_WAITING);
        Self(Some(Arc::new(Inner {
            started: clock.now(),
            clock: Arc::clone(clock),
            entropy: Arc::clone(entropy),
            metrics: metrics.clone(),
            traces_percent: config.telemetry.otlp_traces_percent,
            spans,
            waiting: Mutex::new(Some(waiting)),
        })))
    }

    /// Begins a request, in the trace that its caller is in or in a new one.
    pub(crate) fn enter(&self, headers: &HeaderMap) -> Option<Box<Entered>> {
        self.0.as_ref().map(|inner| Box::new(inner.begin(TraceContext::of(headers))))
    }

    /// Begins a call to another server, in the trace of the present work or in a new one.
    pub(crate) fn call(&self) -> Option<Box<Entered>> {
        self.0.as_ref().map(|inner| Box::new(inner.begin(span::current())))
    }

    /// Notes a request that was answered.
    pub(crate) fn served(&self, entered: Option<&Entered>, served: &Served) {
        let entered = entered.filter(|entered| entered.context.is_sampled && !served.is_probe());
        if let (Some(inner), Some(entered)) = (&self.0, entered) {
            inner.keep(served.span(entered));
        }
    }

    /// Notes a call that has ended.
    pub(crate) fn called(&self, entered: Option<&Entered>, called: &Called) {
        let entered = entered.filter(|entered| entered.context.is_sampled);
        if let (Some(inner), Some(entered)) = (&self.0, entered) {
            inner.keep(called.span(entered));
        }
    }
}

impl Inner {
    fn begin(&self, parent: Option<TraceContext>) -> Entered {
        let context = match parent {
            Some(parent) => parent.child(&*self.entropy),
            None => TraceContext::root(&*self.entropy, self.traces_percent),
        };
        Entered { context, parent, started: self.clock.now() }
    }

    fn keep(&self, span: Span) {
        if self.spans.try_send(span).is_err() {
            self.metrics.count_one("telemetry_spans_dropped_total", &[]);
        }
    }

    /// The waiting spans, for the one exporter.
    fn take_waiting(&self) -> Option<Receiver<Span>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Entered {
    /// Its place in the trace.
    pub(crate) fn context(&self) -> TraceContext {
        self.context
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use svc_core::{ManualClock, SeededEntropy};

    use super::*;

    fn telemetry(metrics: &Metrics) -> Telemetry {
        let env = [
            ("SVC_TELEMETRY__OTLP_ENDPOINT".to_owned(), "http://127.0.0.1:4318".to_owned()),
            ("SVC_TELEMETRY__OTLP_TRACES_PERCENT".to_owned(), "100".to_owned()),
        ];
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(Timestamp::from_secs(1)));
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(1));
        Telemetry::new(&Config::load(None, &env).unwrap(), &clock, &entropy, metrics)
    }

    #[test]
    fn what_waits_is_bounded_and_the_rest_is_counted() {
        let metrics = Metrics::new();
        let telemetry = telemetry(&metrics);
        let served =
            Served { method: "GET", route: Some("/"), is_secure: true, status: 200, took: Duration::ZERO };
        for _ in 0..MOST_WAITING + 3 {
            let entered = telemetry.enter(&HeaderMap::new());
            telemetry.served(entered.as_deref(), &served);
        }
        assert!(metrics.render().contains("telemetry_spans_dropped_total 3\n"), "{}", metrics.render());
    }

    #[tokio::test]
    async fn work_within_a_request_belongs_to_its_trace_and_other_work_to_none() {
        let telemetry = telemetry(&Metrics::new());
        let request = telemetry.enter(&HeaderMap::new()).unwrap();
        let call = within(Some(request.context()), async { telemetry.call().unwrap() }).await;
        assert_eq!(
            (call.parent, call.context().trace()),
            (Some(request.context()), request.context().trace())
        );
        let other = telemetry.call().unwrap();
        assert!(other.parent.is_none() && other.context().trace() != request.context().trace());
    }
}
