//! Request metrics in the Prometheus text format; labels name routes and outcomes, never tenants or people.

mod families;
mod observed;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use metrics::{Counter, Histogram, Key, KeyName, Label, Level, Metadata, Recorder, SharedString};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use self::families::RARE;
pub use self::families::{FAMILIES, Family, FamilyKind};
pub(crate) use self::observed::observe;

/// The service's meters. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    recorder: Arc<PrometheusRecorder>,
    handle: PrometheusHandle,
    unmatched: Arc<RouteMetrics>,
}

/// The meters of one route, looked up once.
#[derive(Debug)]
pub struct RouteMetrics {
    method: &'static str,
    route: &'static str,
    duration: Histogram,
    by_status: RwLock<Vec<(StatusCode, Counter)>>,
}

const ABOUT: Metadata<'static> = Metadata::new("svc_http", Level::INFO, None);
/// From half a millisecond to the longest wait that a deadline allows by default.
const BUCKETS: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

impl Metrics {
    /// Meters of their own, so that two services in one process do not mix.
    pub fn new() -> Self {
        // Refused only for an empty list of buckets.
        let builder = PrometheusBuilder::new().set_buckets(BUCKETS).unwrap_or_default();
        let recorder = Arc::new(builder.build_recorder());
        for family in FAMILIES {
            describe(&recorder, family);
        }
        for (family, labels) in RARE {
            recorder.register_counter(&key(family, labels), &ABOUT).increment(0);
        }
        let unmatched = Arc::new(RouteMetrics::new(&recorder, "OTHER", "unmatched"));
        Self { handle: recorder.handle(), recorder, unmatched }
    }

    /// Makes the `metrics` macros of every crate count here; the first call in a process wins.
    pub fn install(&self) -> bool {
        metrics::set_global_recorder(Arc::clone(&self.recorder)).is_ok()
    }

    /// The text for scrapers.
    pub fn render(&self) -> String {
        self.handle.render()
    }

    /// Folds samples into buckets; without it an unscraped process would keep every sample.
    pub fn upkeep(&self) {
        self.handle.run_upkeep();
    }

    /// Counts one of a family.
    pub fn count_one(&self, family: &'static str, labels: &[(&'static str, &'static str)]) {
        self.recorder.register_counter(&key(family, labels), &ABOUT).increment(1);
    }

    /// Sets a value of this moment.
    #[expect(clippy::cast_precision_loss, reason = "values are shown to people")]
    pub fn set(&self, family: &'static str, labels: &[(&'static str, &'static str)], value: u64) {
        self.recorder.register_gauge(&key(family, labels), &ABOUT).set(value as f64);
    }

    /// Sets a count that is kept elsewhere.
    fn reach(&self, family: &'static str, labels: &[(&'static str, &'static str)], total: u64) {
        self.recorder.register_counter(&key(family, labels), &ABOUT).absolute(total);
    }

    /// The meters of a route.
    pub(crate) fn route(&self, method: &'static str, route: &'static str) -> Arc<RouteMetrics> {
        Arc::new(RouteMetrics::new(&self.recorder, method, route))
    }

    /// Counts a finished request.
    pub(crate) fn count(&self, route: Option<&Arc<RouteMetrics>>, status: StatusCode, took: Duration) {
        route.unwrap_or(&self.unmatched).count(&self.recorder, status, took);
    }
}

fn key(family: &'static str, labels: &[(&'static str, &'static str)]) -> Key {
    let labels = labels.iter().map(|(name, value)| Label::from_static_parts(name, value));
    Key::from_parts(family, labels.collect::<Vec<_>>())
}

fn describe(recorder: &PrometheusRecorder, family: &Family) {
    let (name, help) = (KeyName::from_const_str(family.name), SharedString::const_str(family.help));
    match family.kind {
        FamilyKind::Counter => recorder.describe_counter(name, None, help),
        FamilyKind::Gauge => recorder.describe_gauge(name, None, help),
        FamilyKind::Histogram => recorder.describe_histogram(name, None, help),
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl RouteMetrics {
    /// The pattern of its path.
    pub(crate) fn route(&self) -> &'static str {
        self.route
    }

    /// Its method.
    pub(crate) fn method(&self) -> &'static str {
        self.method
    }

    fn new(recorder: &PrometheusRecorder, method: &'static str, route: &'static str) -> Self {
        let labels =
            vec![Label::from_static_parts("method", method), Label::from_static_parts("route", route)];
        let key = Key::from_parts("http_request_duration_seconds", labels);
        Self {
            method,
            route,
            duration: recorder.register_histogram(&key, &ABOUT),
            by_status: RwLock::default(),
        }
    }

    fn count(&self, recorder: &PrometheusRecorder, status: StatusCode, took: Duration) {
        self.duration.record(took.as_secs_f64());
        let known = self.by_status.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, counter)) = known.iter().find(|(seen, _)| *seen == status) {
            return counter.increment(1);
        }
        drop(known);
        let labels = vec![
            Label::from_static_parts("method", self.method),
            Label::from_static_parts("route", self.route),
            Label::new("status", status.as_str().to_owned()),
        ];
        let counter = recorder.register_counter(&Key::from_parts("http_requests_total", labels), &ABOUT);
        counter.increment(1);
        self.by_status.write().unwrap_or_else(PoisonError::into_inner).push((status, counter));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_told_apart_by_family_and_labels() {
        let metrics = Metrics::new();
        for (family, label, value) in [
            ("token_requests_total", "outcome", "success"),
            ("token_requests_total", "outcome", "invalid_grant"),
            ("token_requests_total", "outcome", "success"),
            ("sign_ins_total", "outcome", "success"),
        ] {
            metrics.clone().count_one(family, &[("kind", "x"), (label, value)]);
        }
        let text = metrics.render();
        for line in [
            r#"token_requests_total{kind="x",outcome="success"} 2"#,
            r#"token_requests_total{kind="x",outcome="invalid_grant"} 1"#,
            r#"sign_ins_total{kind="x",outcome="success"} 1"#,
        ] {
            assert!(text.lines().any(|own| own == line), "{line} in {text}");
        }
    }

    #[test]
    fn what_is_rare_is_counted_from_zero_on() {
        let metrics = Metrics::new();
        let first = r#"delivery_attempts_total{queue="mails",outcome="given_up"}"#;
        let shows = |line: &str| metrics.render().lines().any(|own| own == line);
        assert!(shows("audit_chains_broken_total 0") && shows(&format!("{first} 0")), "{}", metrics.render());
        metrics.count_one("delivery_attempts_total", &[("outcome", "given_up"), ("queue", "mails")]);
        assert!(shows(&format!("{first} 1")), "{}", metrics.render());
        for (family, labels) in RARE {
            let family = FAMILIES.iter().find(|known| known.name == *family).unwrap();
            let named: Vec<_> = labels.iter().map(|(name, _)| *name).collect();
            assert_eq!(
                (family.kind, named),
                (FamilyKind::Counter, family.labels.to_vec()),
                "{}",
                family.name
            );
        }
    }

    #[test]
    fn requests_are_counted_by_route_method_and_status() {
        let metrics = Metrics::new();
        let route = metrics.route("GET", "/api/v1/webhooks/{id}");
        metrics.count(Some(&route), StatusCode::OK, Duration::from_millis(3));
        metrics.count(Some(&route), StatusCode::OK, Duration::from_millis(3));
        metrics.count(None, StatusCode::NOT_FOUND, Duration::from_millis(1));
        let text = metrics.render();
        assert!(
            text.contains(
                r#"http_requests_total{method="GET",route="/api/v1/webhooks/{id}",status="200"} 2"#
            ),
            "{text}"
        );
        assert!(
            text.contains(r#"http_requests_total{method="OTHER",route="unmatched",status="404"} 1"#),
            "{text}"
        );
        assert!(text.contains("http_request_duration_seconds_bucket"), "{text}");
        assert!(text.contains("# HELP http_requests_total Requests that were answered.\n"), "{text}");
    }
}
