//! Limits per client address and endpoint.

use axum::http::header;
use svc_core::Seconds;

use super::{World, from, get, request};
use crate::{Limit, PlainCx, Route, Routes};

async fn ok(_: PlainCx) -> &'static str {
    "ok"
}

async fn world(per_minute: &str) -> World {
    let routes = Routes::new([
        Route::get("/a").deployment("test", ok),
        Route::get("/b").deployment("test", ok),
        Route::get("/guess").deployment("test", ok).limit(|_| Limit { calls: 1, window: Seconds(300) }),
    ]);
    World::with(&[("SVC_SERVER__ENDPOINT_THROTTLE", per_minute)], routes).await
}

async fn status(world: &World, address: &str, path: &str) -> u16 {
    world.send(from(address, get(path))).await.status.as_u16()
}

#[tokio::test]
async fn an_address_that_calls_too_often_waits_for_the_window() {
    let world = world("2").await;
    assert_eq!(status(&world, "192.0.2.1:1", "/a").await, 200);
    world.advance(10);
    assert_eq!(status(&world, "192.0.2.1:2", "/a").await, 200);
    let refused = world.send(from("192.0.2.1:3", get("/a"))).await;
    refused.is_problem(429, "rate_limited");
    assert_eq!(refused.header(header::RETRY_AFTER), "50");
    assert_eq!(status(&world, "192.0.2.2:1", "/a").await, 200);
    assert_eq!(status(&world, "192.0.2.1:1", "/b").await, 200);
    world.advance(50);
    assert_eq!(status(&world, "192.0.2.1:1", "/a").await, 200);
}

#[tokio::test]
async fn neither_another_method_nor_another_address_of_the_network_escapes() {
    let world = world("2").await;
    let head = request("HEAD", "/a").body(axum::body::Body::empty()).unwrap();
    assert_eq!(world.send(from("[2001:db8::1]:1", head)).await.status.as_u16(), 200);
    assert_eq!(status(&world, "[2001:db8::2]:1", "/a").await, 200);
    assert_eq!(status(&world, "[2001:db8::3:4:5:6]:1", "/a").await, 429);
    for _ in 0..2 {
        assert_eq!(status(&world, "192.0.2.1:1", "/nowhere").await, 404);
    }
    assert_eq!(status(&world, "192.0.2.1:1", "/elsewhere").await, 429);
}

#[tokio::test]
async fn a_route_may_have_a_stricter_limit_of_its_own() {
    let world = world("0").await;
    assert_eq!(status(&world, "192.0.2.1:1", "/guess").await, 200);
    let refused = world.send(from("192.0.2.1:1", get("/guess"))).await;
    refused.is_problem(429, "rate_limited");
    assert_eq!(refused.header(header::RETRY_AFTER), "300");
    for _ in 0..5 {
        assert_eq!(status(&world, "192.0.2.1:1", "/a").await, 200);
    }
}
