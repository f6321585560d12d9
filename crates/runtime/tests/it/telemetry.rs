//! What a collector of OpenTelemetry receives (OTLP over HTTP), read with the messages that OpenTelemetry publishes.

use std::collections::BTreeSet;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::metrics::v1::{Metric, metric::Data, number_data_point};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use svc_http::{Body, FAMILIES, Request, export_telemetry};
use tokio::net::TcpListener;
use url::form_urlencoded::byte_serialize;

use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Harness};
use crate::register::{LOOPBACK, allow_documents};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const DISCOVERY: &str = "/.well-known/openid-configuration";

struct Collector(Publisher);

impl Collector {
    async fn start() -> Self {
        let publisher = Publisher::start().await;
        for path in ["/v1/traces", "/v1/metrics"] {
            publisher.answer_with(path, "200 OK\r\ncontent-type: application/x-protobuf", "");
        }
        Self(publisher)
    }

    fn spans(&self) -> Vec<Span> {
        let posted = self.0.requests("/v1/traces").into_iter();
        let traces = posted.map(|posted| ExportTraceServiceRequest::decode(&*posted.bytes).unwrap());
        let resources = traces.flat_map(|traces| traces.resource_spans);
        resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
    }

    fn metrics(&self) -> Vec<Metric> {
        let last = self.0.requests("/v1/metrics").pop().unwrap();
        let metrics = ExportMetricsServiceRequest::decode(&*last.bytes).unwrap().resource_metrics.into_iter();
        metrics.flat_map(|resource| resource.scope_metrics).flat_map(|scope| scope.metrics).collect()
    }
}

async fn traced(collector: &Collector, further: &[(&str, &str)]) -> Harness {
    let url = collector.0.url("/");
    let settings = [
        ("SVC_TELEMETRY__OTLP_ENDPOINT", url.as_str()),
        ("SVC_TELEMETRY__OTLP_TRACES_PERCENT", "100"),
        ("SVC_TELEMETRY__OTLP_AUTHORIZATION", "Bearer of-the-collector"),
        ("SVC_TELEMETRY__OTLP_SERVICE_NAME", "identity"),
    ];
    Harness::in_one_process(&[&settings, further].concat()).await
}

/// Sends what waits, as the process does at its end.
async fn flush(h: &Harness) {
    export_telemetry(h.app().clone(), async {}).await;
}

async fn asked(h: &Harness, path: &str, traceparent: &str) -> Answer {
    let request = Request::get(path).header("host", "id.test").header("traceparent", traceparent);
    h.send(request.body(Body::empty()).unwrap()).await
}

fn attributes(given: &[KeyValue]) -> BTreeSet<String> {
    let text = |pair: &KeyValue| match pair.value.as_ref().and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => format!("{}={text}", pair.key),
        Some(Value::IntValue(number)) => format!("{}={number}", pair.key),
        other => panic!("{}: {other:?}", pair.key),
    };
    given.iter().map(text).collect()
}

fn hex(bytes: &[u8]) -> String {
    svc_keys::hex(bytes)
}

#[tokio::test]
async fn a_request_is_a_span_in_the_trace_of_its_caller_and_says_what_is_listed() {
    let collector = Collector::start().await;
    let h = traced(&collector, &[]).await;
    h.tenant("main").await;
    let _ = asked(&h, DISCOVERY, &format!("00-{TRACE}-{CALLER}-01")).await.expect(200);
    let _ = asked(&h, DISCOVERY, &format!("00-{TRACE}-{CALLER}-00")).await.expect(200);
    let _ = asked(&h, "/nothing/here", "rubbish").await.expect(404);
    let _ = h.get("id.test", "/health/live").await.expect(200);
    flush(&h).await;
    let spans = collector.spans();
    let names: Vec<_> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(
        names,
        [format!("GET {DISCOVERY}").as_str(), "_OTHER"],
        "a caller that keeps nothing and probes are left out"
    );
    let (span, own) = (&spans[0], &spans[1]);
    assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.to_owned(), CALLER.to_owned()));
    assert!(
        span.span_id.len() == 8 && hex(&span.span_id) != CALLER && span.kind == 2 && span.status.is_none()
    );
    let expected = [
        "http.request.method=GET".to_owned(),
        "http.response.status_code=200".to_owned(),
        format!("http.route={DISCOVERY}"),
        "url.scheme=https".to_owned(),
    ];
    assert_eq!(attributes(&span.attributes), expected.into());
    let started = u64::try_from(h.app().clock.now().as_micros()).unwrap() * 1000;
    assert!(span.start_time_unix_nano == started && span.end_time_unix_nano > started);
    assert!(own.trace_id.len() == 16 && hex(&own.trace_id) != TRACE && own.parent_span_id.is_empty());

    let posted = &collector.0.requests("/v1/traces")[0];
    let head = posted.head.to_lowercase();
    assert!(head.contains("content-type: application/x-protobuf"), "{head}");
    assert!(
        head.contains("authorization: bearer of-the-collector") && !head.contains("traceparent"),
        "{head}"
    );
    let traces = ExportTraceServiceRequest::decode(&*posted.bytes).unwrap();
    let resource = attributes(&traces.resource_spans[0].resource.as_ref().unwrap().attributes);
    assert!(resource.contains("service.name=identity") && resource.contains("svc.plane=all"), "{resource:?}");
}

#[tokio::test]
async fn a_call_that_a_request_makes_carries_its_trace_on() {
    let collector = Collector::start().await;
    let client = Publisher::start().await;
    client.answer_with("/client.json", "404 Not Found", "");
    let h = traced(&collector, &[LOOPBACK]).await;
    let mut site = h.tenant("main").await;
    allow_documents(&mut site).await;
    let id = client.url("/client.json");
    let encoded: String = byte_serialize(id.as_bytes()).collect();
    let path = format!("/oauth/authorize?client_id={encoded}");
    let _ = asked(&h, &path, &format!("00-{TRACE}-{CALLER}-01")).await;
    flush(&h).await;
    let spans = collector.spans();
    let (server, call) = (spans.iter().find(|span| span.kind == 2), spans.iter().find(|span| span.kind == 3));
    let (server, call) = (server.unwrap(), call.unwrap());
    assert_eq!((&call.trace_id, &call.parent_span_id), (&server.trace_id, &server.span_id));
    let expected = [
        "error.type=404",
        "http.request.method=GET",
        "http.response.status_code=404",
        "server.address=127.0.0.1",
    ];
    assert_eq!(attributes(&call.attributes), expected.map(str::to_owned).into());
    let header = format!("traceparent: 00-{TRACE}-{}-01", hex(&call.span_id));
    assert!(client.heads("/client.json")[0].contains(&header), "{:?}", client.heads("/client.json"));
}

#[tokio::test]
async fn nothing_that_a_request_holds_reaches_the_collector() {
    let collector = Collector::start().await;
    let h = traced(&collector, &[]).await;
    h.tenant("main").await;
    let canary = "canary-that-no-one-else-says";
    let fields =
        format!("grant_type=client_credentials&client_id={canary}&client_secret={canary}&scope={canary}");
    let request = Request::post(format!("/oauth/token?{canary}={canary}"))
        .header("host", "id.test")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("authorization", format!("Bearer {canary}"))
        .header("cookie", format!("{canary}={canary}"))
        .header("user-agent", canary)
        .header("x-request-id", canary)
        .header("tracestate", format!("{canary}={canary}"));
    let _ = h.send(request.body(Body::from(fields)).unwrap()).await;
    let _ = h.get("id.test", &format!("/{canary}")).await.expect(404);
    flush(&h).await;
    assert_eq!(collector.spans().len(), 2);
    for path in ["/v1/traces", "/v1/metrics"] {
        for posted in collector.0.requests(path) {
            assert!(!posted.content.contains(canary) && !posted.head.contains(canary), "{}", posted.content);
        }
    }
}

#[tokio::test]
async fn the_collector_gets_the_same_metrics_as_scrapers() {
    let collector = Collector::start().await;
    let h = traced(&collector, &[]).await;
    h.tenant("main").await;
    for _ in 0..3 {
        let _ = h.get("id.test", DISCOVERY).await.expect(200);
    }
    flush(&h).await;
    let metrics = collector.metrics();
    let described = |metric: &Metric| {
        FAMILIES.iter().any(|family| family.name == metric.name && family.help == metric.description)
    };
    assert!(metrics.len() > 8 && metrics.iter().all(described), "{metrics:?}");
    let of = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().data.as_ref().unwrap();
    let Data::Sum(sum) = of("http_requests_total") else { panic!("a count is a sum") };
    assert!(sum.is_monotonic && sum.aggregation_temporality == 2);
    let route = format!("route={DISCOVERY}");
    let point = sum.data_points.iter().find(|point| attributes(&point.attributes).contains(&route)).unwrap();
    assert_eq!(point.value, Some(number_data_point::Value::AsDouble(3.0)));
    let Data::Histogram(times) = of("http_request_duration_seconds") else { panic!("times are distributed") };
    let point =
        times.data_points.iter().find(|point| attributes(&point.attributes).contains(&route)).unwrap();
    assert_eq!((point.count, point.bucket_counts.iter().sum::<u64>()), (3, 3));
    assert_eq!(point.bucket_counts.len(), point.explicit_bounds.len() + 1);
    let Data::Gauge(gauge) = of("build_info") else { panic!("a value of the moment is a gauge") };
    assert_eq!(gauge.data_points.len(), 1);
}

#[tokio::test]
async fn a_collector_that_hangs_holds_up_no_request() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hanging = format!("http://{}", listener.local_addr().unwrap());
    let settings =
        [("SVC_TELEMETRY__OTLP_ENDPOINT", hanging.as_str()), ("SVC_TELEMETRY__OTLP_TRACES_PERCENT", "100")];
    let h = Harness::in_one_process(&settings).await;
    h.tenant("main").await;
    let exporter = tokio::spawn(export_telemetry(h.app().clone(), std::future::pending()));
    let _connection = listener.accept().await.unwrap();
    for _ in 0..20 {
        let _ = h.get("id.test", DISCOVERY).await.expect(200);
    }
    assert!(!exporter.is_finished(), "it waits for the collector still");
    exporter.abort();
}

#[tokio::test]
async fn without_a_collector_there_are_no_spans_and_calls_carry_no_trace() {
    let h = Harness::in_one_process(&[]).await;
    h.tenant("main").await;
    let _ = asked(&h, DISCOVERY, &format!("00-{TRACE}-{CALLER}-01")).await.expect(200);
    tokio::time::timeout(Duration::from_secs(5), export_telemetry(h.app().clone(), std::future::pending()))
        .await
        .expect("there is nothing to send");
}
