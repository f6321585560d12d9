//! The edge: request ids, hosts, bounds, headers, panics and deadlines.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{StatusCode, Version, header};
use svc_core::Error;

use super::{Answer, World, from, get, request};
use crate::{
    ErrorPages, Extensions, HostCx, IntoResponse as _, Json, NoContent, PlainCx, Problem, Route, Routes,
    TenantCx, current_request,
};

async fn hello(cx: PlainCx) -> String {
    format!("{:?} {} {}", cx.cx.client_ip, cx.arrival.host, cx.arrival.is_secure)
}

async fn whose(cx: HostCx) -> String {
    cx.tenant.slug.clone()
}

async fn take(_: PlainCx, Json(_): Json<serde_json::Value>) -> NoContent {
    NoContent
}

async fn guarded(_: TenantCx) -> NoContent {
    NoContent
}

async fn fail(_: PlainCx) -> Result<NoContent, Problem> {
    Err(Error::internal("password=hunter2").into())
}

async fn refuse_client(_: PlainCx) -> Result<NoContent, Problem> {
    Err(Error::invalid_client("x").into())
}

async fn bug(_: PlainCx) -> NoContent {
    panic!("token=abc")
}

async fn never(_: PlainCx) -> NoContent {
    std::future::pending().await
}

fn routes() -> Routes {
    Routes::new([
        Route::get("/hello").deployment("test", hello),
        Route::get("/whose").public("test", whose),
        Route::post("/take").deployment("test", take),
        Route::get("/fail").deployment("test", fail),
        Route::get("/oauth/refused").deployment("test", refuse_client),
        Route::get("/bug").deployment("test", bug),
        Route::get("/never").deployment("test", never),
        Route::get("/api/v1/things/{id}").deployment("test", hello),
        Route::get("/api/v1/guarded").tenant("guarded:read", guarded),
    ])
    .merge(crate::operational_routes())
}

async fn world() -> World {
    World::new(routes()).await
}

/// A page that says during which request it was made, as a line of the log would.
const PAGES: ErrorPages = ErrorPages(|_| {
    Box::pin(async {
        let request = current_request().map(|request| request.request_id.clone());
        Some(request.unwrap_or_default().into_response())
    })
});

#[tokio::test]
async fn the_page_of_a_failure_is_made_during_its_request() {
    let mut planes = Extensions::new();
    planes.insert(Arc::new(PAGES));
    let world = World::with_planes(&[], routes(), planes).await;
    for (path, host) in [("/fail", "localhost"), ("/hello", "unknown.example")] {
        let asked = request("GET", path).header("accept", "text/html").header("x-request-id", "page-1");
        let mut asked = asked.body(Body::empty()).unwrap();
        asked.headers_mut().insert(header::HOST, host.parse().unwrap());
        assert_eq!(world.send(asked).await.body, "page-1", "{path} {host}");
    }
}

#[tokio::test]
async fn the_page_of_a_failure_has_the_headers_of_its_document() {
    let mut planes = Extensions::new();
    planes.insert(Arc::new(PAGES));
    let world = World::with_planes(&[], routes(), planes).await;
    for (path, name) in [
        ("/take", header::ALLOW),
        ("/api/v1/guarded", header::WWW_AUTHENTICATE),
        ("/api/v1/guarded", header::VARY),
    ] {
        let asked = |kind: &str| request("GET", path).header("accept", kind).body(Body::empty()).unwrap();
        let document = world.send(asked("application/json, text/html;q=0.5")).await;
        let page = world.send(asked("text/html")).await;
        assert_eq!(document.header(header::CONTENT_TYPE), "application/problem+json", "{path}");
        assert_eq!(page.header(header::CONTENT_TYPE), "text/plain; charset=utf-8", "{path}");
        assert!(!document.header(&name).is_empty(), "{path} {name}");
        assert_eq!(page.header(&name), document.header(&name), "{path} {name}");
        assert_ne!(page.header(header::CONTENT_LENGTH), "0", "{path}");
    }
}

#[tokio::test]
async fn a_refused_request_for_headers_alone_gets_those_that_get_is_answered_with() {
    let mut planes = Extensions::new();
    planes.insert(Arc::new(PAGES));
    let world = World::with_planes(&[], routes(), planes).await;
    for kind in ["text/html", "application/json"] {
        for path in ["/nowhere", "/take", "/fail", "/api/v1/guarded"] {
            let asked = |method: &str| {
                let asked = request(method, path).header("accept", kind).header("x-request-id", "same");
                asked.body(Body::empty()).unwrap()
            };
            let (mut head, mut get) = (world.send(asked("HEAD")).await, world.send(asked("GET")).await);
            assert_eq!((head.status, head.body.as_str()), (get.status, ""), "{path} {kind}");
            let length = head.headers.remove(header::CONTENT_LENGTH).unwrap();
            assert_eq!(length.to_str().unwrap(), get.body.len().to_string(), "{path} {kind}");
            get.headers.remove(header::CONTENT_LENGTH);
            for counted in ["ratelimit", "ratelimit-policy"] {
                head.headers.remove(counted);
                get.headers.remove(counted);
            }
            assert_eq!(head.headers, get.headers, "{path} {kind}");
        }
    }
}

#[tokio::test]
async fn a_page_has_no_browser_ask_for_the_secret_of_a_client() {
    let mut planes = Extensions::new();
    planes.insert(Arc::new(PAGES));
    let world = World::with_planes(&[], routes(), planes).await;
    for (kind, scheme) in [("application/json", "Basic "), ("text/html", "Bearer ")] {
        let asked = request("GET", "/oauth/refused").header("accept", kind).body(Body::empty()).unwrap();
        let answer = world.send(asked).await;
        assert!(answer.header(header::WWW_AUTHENTICATE).starts_with(scheme), "{kind}: {answer:?}");
    }
}

#[tokio::test]
async fn the_page_of_a_failure_is_shared_with_no_other_origin() {
    let mut planes = Extensions::new();
    planes.insert(Arc::new(PAGES));
    let settings = [("SVC_SERVER__DASHBOARD_APP_ORIGIN", "https://app.example")];
    let world = World::with_planes(&settings, routes(), planes).await;
    for (kind, origin) in [("application/json", "https://app.example"), ("text/html", "")] {
        let asked = request("GET", "/api/v1/guarded").header(header::ORIGIN, "https://app.example");
        let answer = world.send(asked.header("accept", kind).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), origin, "{kind}");
    }
}

#[tokio::test]
async fn who_brings_an_access_token_gets_a_document_whatever_it_accepts() {
    let mut planes = Extensions::new();
    planes.insert(Arc::new(PAGES));
    let world = World::with_planes(&[], routes(), planes).await;
    for (authorization, kind) in [
        ("Bearer x", "application/problem+json"),
        ("dpop x", "application/problem+json"),
        // A browser sends this with every page, where a proxy asked for it.
        ("Basic eDp5", "text/plain; charset=utf-8"),
    ] {
        let asked = request("GET", "/api/v1/guarded").header(header::AUTHORIZATION, authorization);
        let asked = asked.header("accept", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2");
        let answer = world.send(asked.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.header(header::CONTENT_TYPE), kind, "{authorization}");
        assert!(!answer.header(header::WWW_AUTHENTICATE).is_empty(), "{authorization}");
    }
}

#[tokio::test]
async fn a_well_formed_request_id_is_kept_and_any_other_replaced() {
    let world = world().await;
    let sent = |id: &str| request("GET", "/hello").header("x-request-id", id).body(Body::empty()).unwrap();
    assert_eq!(world.send(sent("trace-1.A_b")).await.header("x-request-id"), "trace-1.A_b");
    for bad in ["a b", "", "<script>", &"x".repeat(129)] {
        assert!(world.send(sent(bad)).await.header("x-request-id").starts_with("req_"), "{bad}");
    }
    assert_ne!(
        world.get("/hello").await.header("x-request-id"),
        world.get("/hello").await.header("x-request-id")
    );
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let world = world().await;
    for path in ["/hello", "/nowhere", "/fail"] {
        let answer = world.get(path).await;
        assert_eq!(answer.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(answer.header(header::REFERRER_POLICY), "no-referrer");
        assert_eq!(answer.header(header::X_FRAME_OPTIONS), "DENY");
        assert_eq!(
            answer.header(header::CONTENT_SECURITY_POLICY),
            "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
        );
        assert_eq!(answer.header(header::CACHE_CONTROL), "no-store");
        assert_eq!(answer.header(header::STRICT_TRANSPORT_SECURITY), "");
    }
}

#[tokio::test]
async fn an_unknown_host_is_misdirected_except_for_probes() {
    let world = world().await;
    let at = |host: &str, path: &str| {
        axum::extract::Request::get(path).header(header::HOST, host).body(Body::empty()).unwrap()
    };
    for bad in ["evil.example", "localhost.evil.example", "localhost.", "10.0.0.7:8080"] {
        world.send(at(bad, "/hello")).await.is_problem(421, "misdirected_request");
        assert_eq!(world.send(at(bad, "/health/live")).await.status, StatusCode::OK, "{bad}");
    }
    for good in ["localhost", "LOCALHOST:8080", "acme.localhost", "127.0.0.1:8080", "[::1]:8080"] {
        assert_eq!(world.send(at(good, "/hello")).await.status, StatusCode::OK, "{good}");
    }
}

#[tokio::test]
async fn a_probe_by_http_1_0_names_no_host() {
    let world = world().await;
    let asked = |version: Version, path: &str| {
        axum::extract::Request::get(path).version(version).body(Body::empty()).unwrap()
    };
    assert_eq!(world.send(asked(Version::HTTP_10, "/health/live")).await.status, StatusCode::OK);
    for (version, path) in [(Version::HTTP_10, "/hello"), (Version::HTTP_11, "/health/live")] {
        let refused = world.send(asked(version, path)).await;
        refused.is_problem(400, "bad_request");
        assert_eq!(refused.json()["detail"], "the Host header is missing");
    }
}

#[tokio::test]
async fn a_tenants_own_domain_is_allowed_without_being_listed() {
    let world = World::with(&[("SVC_SERVER__ALLOWED_HOSTS", r#"["id.example.com"]"#)], routes()).await;
    let at = |host: &str| {
        axum::extract::Request::get("/whose").header(header::HOST, host).body(Body::empty()).unwrap()
    };
    assert_eq!(world.send(at("login.own.example")).await.body, "own");
    world.send(at("localhost")).await.is_problem(421, "misdirected_request");
    assert_eq!(world.send(at("id.example.com")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn invented_hosts_are_limited_before_the_database_is_asked_whose_they_are() {
    let settings =
        [("SVC_SERVER__ALLOWED_HOSTS", r#"["id.example.com"]"#), ("SVC_SERVER__ENDPOINT_THROTTLE", "3")];
    let world = World::with(&settings, routes()).await;
    let at = |host: &str| {
        axum::extract::Request::get("/whose").header(header::HOST, host).body(Body::empty()).unwrap()
    };
    // The first look is counted, as nothing is known yet.
    assert_eq!(world.send(at("login.own.example")).await.body, "own");
    for number in 0..2 {
        world.send(at(&format!("evil{number}.example"))).await.is_problem(421, "misdirected_request");
    }
    let before = world.app.db.counts();
    world.send(at("evil.example")).await.is_problem(429, "rate_limited");
    assert_eq!(world.app.db.counts(), before);
    for known in ["login.own.example", "id.example.com"] {
        assert_eq!(world.send(at(known)).await.status, StatusCode::OK, "{known}");
    }
}

#[tokio::test]
async fn a_missing_doubled_or_contradicting_host_is_a_bad_request() {
    let world = world().await;
    let doubled = request("GET", "/hello").header(header::HOST, "localhost").body(Body::empty()).unwrap();
    world.send(doubled).await.is_problem(400, "bad_request");
    let absolute = request("GET", "http://acme.localhost/hello").body(Body::empty()).unwrap();
    world.send(absolute).await.is_problem(400, "bad_request");
    let missing = axum::extract::Request::get("/hello").body(Body::empty()).unwrap();
    world.send(missing).await.is_problem(400, "bad_request");
}

#[tokio::test]
async fn forwarding_headers_count_only_from_trusted_proxies() {
    let world = World::with(&[("SVC_SERVER__TRUSTED_PROXIES", r#"["10.0.0.0/8"]"#)], routes()).await;
    let forwarded = || {
        let request = request("GET", "/hello").header("x-forwarded-for", "198.51.100.7");
        let request = request.header("x-forwarded-proto", "https").header("x-forwarded-host", "evil.example");
        request.body(Body::empty()).unwrap()
    };
    let trusted = world.send(from("10.0.0.1:1", forwarded())).await;
    assert_eq!(trusted.body, "Some(198.51.100.7) localhost true");
    assert_eq!(trusted.header(header::STRICT_TRANSPORT_SECURITY), "max-age=63072000");
    let untrusted = world.send(from("192.0.2.1:1", forwarded())).await;
    assert_eq!(untrusted.body, "Some(192.0.2.1) localhost false");
}

#[tokio::test]
async fn what_no_route_takes_is_a_problem_too() {
    let world = world().await;
    for path in
        ["/nowhere", "/hello/", "//hello", "/HELLO", "/hello;x=1", "/%68ello/..", "/api/v1/things/a/b"]
    {
        world.get(path).await.is_problem(404, "not_found");
    }
    let wrong = world.send(request("DELETE", "/hello").body(Body::empty()).unwrap()).await;
    wrong.is_problem(405, "method_not_allowed");
    assert_eq!(wrong.header(header::ALLOW), "GET,HEAD");
    world.get("/api/v1/things/%00").await.is_problem(400, "bad_request");
}

async fn post(world: &World, content_type: &str, body: impl Into<Body>) -> Answer {
    let request = request("POST", "/take").header(header::CONTENT_TYPE, content_type);
    world.send(request.body(body.into()).unwrap()).await
}

#[tokio::test]
async fn a_body_of_another_type_coding_or_size_is_refused() {
    let world = world().await;
    assert_eq!(post(&world, "application/json; charset=utf-8", "{}").await.status, StatusCode::NO_CONTENT);
    post(&world, "text/plain", "{}").await.is_problem(415, "unsupported_media_type");
    let packed = request("POST", "/take")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONTENT_ENCODING, "gzip")
        .body(Body::from("x"));
    world.send(packed.unwrap()).await.is_problem(415, "unsupported_media_type");
    let large = format!("\"{}\"", "x".repeat(64 * 1024));
    post(&world, "application/json", large.clone()).await.is_problem(413, "payload_too_large");
    let chunks = futures_util::stream::iter([Ok::<_, std::io::Error>(large)]);
    post(&world, "application/json", Body::from_stream(chunks)).await.is_problem(413, "payload_too_large");
    let announced = request("POST", "/take")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONTENT_LENGTH, "99999999")
        .body(Body::from_stream(futures_util::stream::pending::<Result<String, std::io::Error>>()));
    world.send(announced.unwrap()).await.is_problem(413, "payload_too_large");
}

#[tokio::test]
async fn json_that_parsers_could_read_differently_is_a_bad_request() {
    let world = world().await;
    for bad in [r#"{"a":1,"a":2}"#, "{", "\u{feff}{}", &"[".repeat(60_000), r#""\u0000""#] {
        post(&world, "application/json", bad.to_owned()).await.is_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn oversized_headers_are_refused() {
    let world = world().await;
    let request =
        request("GET", "/hello").header("x-large", "x".repeat(33 * 1024)).body(Body::empty()).unwrap();
    world.send(request).await.is_problem(431, "headers_too_large");
}

#[tokio::test]
async fn a_failure_or_a_panic_is_a_server_error_that_tells_nothing() {
    let world = world().await;
    for path in ["/fail", "/bug"] {
        let answer = world.get(path).await;
        answer.is_problem(500, "server_error");
        assert!(!answer.body.contains("hunter2") && !answer.body.contains("abc"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_given_up() {
    let world = world().await;
    tokio::time::pause();
    let answer = world.send(get("/never")).await;
    answer.is_problem(503, "temporarily_unavailable");
    assert_eq!(answer.header(header::RETRY_AFTER), "1");
}

#[tokio::test]
async fn the_tenant_is_the_one_of_the_host() {
    let world = world().await;
    let at = |host: &str| {
        axum::extract::Request::get("/whose").header(header::HOST, host).body(Body::empty()).unwrap()
    };
    assert_eq!(world.send(at("localhost:8080")).await.body, "main");
    assert_eq!(world.send(at("acme.localhost")).await.body, "acme");
    world.send(at("unknown.localhost")).await.is_problem(404, "not_found");
}

#[tokio::test]
async fn the_state_of_a_request_is_small() {
    let world = World::new(Routes::default()).await;
    let request = axum::extract::Request::get("/").body(Body::empty()).unwrap();
    let state = size_of_val(&world.edge.clone().serve(request));
    assert!(state <= 6 * 1024, "{state} bytes are moved and kept for each request");
}
