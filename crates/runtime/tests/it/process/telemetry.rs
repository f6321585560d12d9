//! The running binary and its collector: what has been collected is sent at the end, and a collector that is away changes nothing.

use super::{Place, exit, get, request};
use crate::harness::publisher::Publisher;

const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[tokio::test]
async fn spans_and_metrics_are_sent_before_the_process_ends_and_the_log_names_the_trace() {
    let collector = Publisher::start().await;
    for path in ["/v1/traces", "/v1/metrics"] {
        collector.answer_with(path, "200 OK", "");
    }
    let mut place = Place::populated().await;
    place.set("SVC_TELEMETRY__OTLP_ENDPOINT", &collector.url(""));
    place.set("SVC_TELEMETRY__OTLP_INTERVAL_SECS", "300");
    let mut service = place.serve().await;
    let headers = [("traceparent", TRACEPARENT)];
    let _ = request(service.address, "POST /oauth/token", &headers, "").await.unwrap();
    service.terminate();
    assert!(exit(&mut service.process).await, "{}", service.log());
    assert!(service.log().contains("trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\""), "{}", service.log());
    assert!(collector.posted("/v1/traces").concat().contains("POST /oauth/token"));
    assert!(collector.posted("/v1/metrics").concat().contains("http_requests_total"));
}

#[tokio::test]
async fn a_collector_that_is_away_is_told_of_in_the_log_and_keeps_no_process_from_ending() {
    let mut place = Place::populated().await;
    place.set("SVC_TELEMETRY__OTLP_ENDPOINT", "http://127.0.0.1:1");
    let mut service = place.serve().await;
    service.line(&["the collector does not take telemetry"]).await;
    let _ = get(service.address, "/health/ready").await.unwrap().expect(200);
    service.terminate();
    assert!(exit(&mut service.process).await, "{}", service.log());
    assert!(!service.log().contains("ERROR"), "{}", service.log());
}
