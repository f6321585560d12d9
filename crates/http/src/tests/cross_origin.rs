//! CORS: registered origins at routes that allow it, no other origin anywhere.

use axum::body::Body;
use axum::http::{StatusCode, header};

use super::{Answer, World, request};
use crate::{Admission, Cors, HostCx, Route, Routes};

async fn ok(_: HostCx) -> &'static str {
    "ok"
}

async fn bug(_: HostCx) -> &'static str {
    panic!("a fault of ours")
}

async fn never(_: HostCx) -> &'static str {
    std::future::pending().await
}

async fn world() -> World {
    let cors = || {
        Cors::asking(|host: HostCx, origin| async move {
            let is_listed = host.tenant.slug == "main" && origin == "https://app.example";
            if is_listed { Admission::Listed } else { Admission::Refused }
        })
    };
    World::new(Routes::new([
        Route::get("/shared").public("test", ok).cors(cors()),
        Route::post("/shared").public("test", ok).cors(cors()),
        Route::get("/open").public("test", ok).cors(Cors::anyone()),
        Route::get("/page").public("test", ok),
        Route::get("/bug").public("test", bug).cors(cors()),
        Route::get("/never").public("test", never).cors(cors()),
    ]))
    .await
}

async fn ask(world: &World, method: &str, path: &str, origin: &str) -> Answer {
    let request = request(method, path).header(header::ORIGIN, origin);
    let request = request.header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST");
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_registered_origin_may_ask_and_read() {
    let world = world().await;
    let preflight = ask(&world, "OPTIONS", "/shared", "https://app.example").await;
    assert_eq!(preflight.status, StatusCode::NO_CONTENT);
    assert_eq!(preflight.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "https://app.example");
    assert_eq!(preflight.header(header::ACCESS_CONTROL_ALLOW_METHODS), "GET, POST");
    let answer = ask(&world, "POST", "/shared", "https://app.example").await;
    assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "https://app.example");
    assert_eq!(answer.header(header::VARY), "origin");
    assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_CREDENTIALS), "true");
}

#[tokio::test]
async fn a_script_may_be_traced_and_name_its_request() {
    let world = world().await;
    let preflight = ask(&world, "OPTIONS", "/shared", "https://app.example").await;
    let allowed = preflight.header(header::ACCESS_CONTROL_ALLOW_HEADERS);
    let allowed: Vec<_> = allowed.split(", ").collect();
    for name in
        ["traceparent", "tracestate", "x-request-id", "x-fapi-interaction-id", "authorization", "dpop"]
    {
        assert!(allowed.contains(&name), "{name}: {allowed:?}");
    }
}

/// A request that the edge refuses or gives up, from this origin, and the status of its answer.
fn refused(origin: &str, path: &str, host: &str) -> Vec<(axum::extract::Request, u16)> {
    let asked = |method: &str| {
        let request = axum::extract::Request::builder().method(method).uri(path);
        request.header(header::HOST, host).header(header::ORIGIN, origin)
    };
    let large = "x".repeat(33 * 1024);
    let requests = [
        (asked("POST").header(header::CONTENT_ENCODING, "gzip"), 415),
        (asked("GET").header("x-large", large), 431),
        (asked("DELETE"), 405),
    ];
    requests.into_iter().map(|(request, status)| (request.body(Body::empty()).unwrap(), status)).collect()
}

#[tokio::test]
async fn a_script_that_may_call_may_read_why_the_edge_refused_it() {
    let world = world().await;
    for (path, origin, allowed) in [
        ("/shared", "https://app.example", "https://app.example"),
        ("/shared", "https://other.example", ""),
        ("/open", "https://other.example", "*"),
        ("/page", "https://app.example", ""),
        ("/nowhere", "https://app.example", ""),
    ] {
        for (request, status) in refused(origin, path, "localhost") {
            let answer = world.send(request).await;
            let status = if status == 405 && path == "/nowhere" { 404 } else { status };
            assert_eq!(answer.status.as_u16(), status, "{path} {origin}");
            let shared = answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN);
            assert_eq!(shared, allowed, "{status} {path} {origin}");
            let is_shared = ["/shared", "/open"].contains(&path);
            let varies =
                answer.headers.get_all(header::VARY).iter().filter(|value| *value == "origin").count();
            assert_eq!(varies, usize::from(is_shared), "{status} {path} {origin}");
        }
    }
}

#[tokio::test]
async fn a_script_may_read_that_its_call_failed_or_was_given_up() {
    let world = world().await;
    // The tenant is in memory before time stands still.
    ask(&world, "GET", "/shared", "https://app.example").await;
    tokio::time::pause();
    for (path, status) in [("/bug", 500), ("/never", 503)] {
        let answer = ask(&world, "GET", path, "https://app.example").await;
        answer.is_problem(status, if status == 500 { "server_error" } else { "temporarily_unavailable" });
        assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "https://app.example", "{path}");
        assert!(answer.header(header::ACCESS_CONTROL_EXPOSE_HEADERS).contains("x-request-id"), "{path}");
    }
}

#[tokio::test]
async fn at_an_unknown_host_no_tenant_is_asked_and_what_anyone_may_read_is_read() {
    let world = world().await;
    for (path, allowed) in [("/shared", ""), ("/open", "*")] {
        for (request, _) in refused("https://app.example", path, "evil.example") {
            let answer = world.send(request).await;
            answer.is_problem(421, "misdirected_request");
            assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), allowed, "{path}");
        }
    }
}

#[tokio::test]
async fn no_other_origin_may() {
    let world = world().await;
    for origin in ["null", "https://app.example.evil", "https://APP.example", "http://app.example", "*"] {
        for method in ["OPTIONS", "GET"] {
            let answer = ask(&world, method, "/shared", origin).await;
            assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "", "{origin}");
            assert_eq!(answer.header(header::VARY), "origin", "{origin}");
        }
    }
}

#[tokio::test]
async fn a_public_document_is_readable_by_any_origin_without_credentials() {
    let world = world().await;
    for origin in ["https://anyone.example", "null"] {
        let answer = ask(&world, "GET", "/open", origin).await;
        assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "*");
        assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_CREDENTIALS), "");
    }
}

#[tokio::test]
async fn a_route_that_says_nothing_of_origins_shares_with_none() {
    let world = world().await;
    let answer = ask(&world, "GET", "/page", "https://app.example").await;
    assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "");
    ask(&world, "OPTIONS", "/page", "https://app.example").await.is_problem(405, "method_not_allowed");
}
