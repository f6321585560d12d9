//! CORS: registered origins at routes that allow it, no other origin anywhere.

use axum::body::Body;
use axum::http::{StatusCode, header};

use super::{Answer, World, request};
use crate::{Admission, Cors, HostCx, Route, Routes};

async fn ok(_: HostCx) -> &'static str {
    "ok"
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
