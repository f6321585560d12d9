//! Bodies, parameters and versions of operations that take none.

use axum::body::Body;
use axum::http::header;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Answer, World, with_token};
use crate::{IfMatch, Json, NoContent, Query, Route, Routes, TenantCx};

/// A place.
#[derive(Debug, Serialize, ToSchema)]
struct Place {
    /// Its number.
    number: u32,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Rotation {
    #[serde(default)]
    #[expect(dead_code, reason = "only its name is read")]
    overlap_secs: Option<i64>,
}

async fn end(_: TenantCx) -> NoContent {
    NoContent
}

async fn rotate(_: TenantCx, _: Query<Rotation>) -> NoContent {
    NoContent
}

async fn change(_: TenantCx, _: IfMatch) -> NoContent {
    NoContent
}

/// Where a thing goes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Target {
    /// The number of the place.
    #[schema(minimum = 1)]
    number: u32,
}

async fn send_off(_: TenantCx, target: Option<Json<Target>>) -> Json<Place> {
    Json(Place { number: target.map_or(0, |Json(target)| target.number) })
}

async fn read(_: TenantCx) -> Json<Place> {
    Json(Place { number: 4 })
}

async fn world() -> World {
    World::new(Routes::new([
        Route::post("/api/v1/things/end").tenant("things:write", end).idempotent(),
        Route::post("/api/v1/things/rotate").tenant("things:write", rotate).idempotent(),
        Route::post("/api/v1/things/send").tenant("things:write", send_off).idempotent(),
        Route::put("/api/v1/things/place").tenant("things:write", end).idempotent(),
        Route::put("/api/v1/things/version").tenant("things:write", change),
        Route::get("/api/v1/things/place").tenant("things:write", read),
        Route::post("/access/v1/things/end").tenant("things:write", end),
        Route::delete("/api/v1/things/place").tenant("things:write", end).idempotent(),
    ]))
    .await
}

async fn send(world: &World, method: &str, name: &str, body: &'static str) -> Answer {
    let token = world.token("localhost", "things:write").await;
    let request = with_token(method, &format!("/api/v1/things/{name}"), &token);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    world.send(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn what_an_operation_would_not_read_is_refused() {
    let world = world().await;
    for (method, name) in [("POST", "end"), ("POST", "rotate"), ("PUT", "place")] {
        for said in [r#"{"overlap_secs":0}"#, r#"{"reason":null}"#, "[]", "0", "overlap_secs=0", "{"] {
            let refused = send(&world, method, name, said).await;
            refused.is_problem(400, "bad_request");
            assert!(refused.body.contains("the request body: this operation takes none"), "{refused:?}");
        }
        for nothing in ["", " ", "{}", "{ }", "null"] {
            assert_eq!(
                send(&world, method, name, nothing).await.status.as_u16(),
                204,
                "{method} {name} {nothing}"
            );
        }
    }
    let told = send(&world, "POST", "rotate", r#"{"overlap_secs":0}"#).await.json();
    assert_eq!(
        told["detail"],
        "the request body: this operation takes none; give overlap_secs in the query of the address"
    );
    assert_eq!(send(&world, "DELETE", "place", r#"{"reason":"spam"}"#).await.status.as_u16(), 204);
}

#[tokio::test]
async fn a_body_that_may_be_left_out_is_left_out_by_what_says_nothing() {
    let world = world().await;
    for (said, number) in
        [("", 0), (" ", 0), ("null", 0), ("\nnull ", 0), (r#"{"number":4}"#, 4), (r#" {"number":5} "#, 5)]
    {
        assert_eq!(send(&world, "POST", "send", said).await.json()["number"], number, "{said}");
    }
    for bad in ["{}", r#"{"number":0}"#, r#"{"number":4,"colour":"red"}"#, "nul", "[]", "{"] {
        send(&world, "POST", "send", bad).await.is_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn a_parameter_that_an_operation_would_not_read_is_refused() {
    let world = world().await;
    for (method, name, takes) in [
        ("POST", "end", "none"),
        ("PUT", "place", "none"),
        ("DELETE", "place", "none"),
        ("POST", "rotate", "overlap_secs"),
        ("GET", "place", "fields"),
    ] {
        let refused = send(&world, method, &format!("{name}?reason=spam"), "").await;
        refused.is_problem(400, "bad_request");
        let told = format!("unknown query parameter `reason`; this address takes {takes}");
        assert_eq!(refused.json()["detail"], told, "{method} {name}");
        let asked = send(&world, method, &format!("{name}?"), "").await;
        assert!(asked.status.is_success(), "{method} {name}: {asked:?}");
    }
    send(&world, "GET", "place?fields=number&colour=red", "").await.is_problem(400, "bad_request");
    assert_eq!(send(&world, "GET", "place?fields=number", "").await.json()["number"], 4);
    let token = world.token("localhost", "things:write").await;
    let elsewhere = with_token("POST", "/access/v1/things/end?reason=spam", &token);
    assert_eq!(world.send(elsewhere.body(Body::empty()).unwrap()).await.status.as_u16(), 204);
}

#[tokio::test]
async fn a_version_that_an_operation_would_not_compare_is_refused() {
    let world = world().await;
    let token = world.token("localhost", "things:write").await;
    for (method, path, status) in [
        ("POST", "/api/v1/things/end", 400),
        ("PUT", "/api/v1/things/place", 400),
        ("DELETE", "/api/v1/things/place", 400),
        ("GET", "/api/v1/things/place", 200),
        ("POST", "/access/v1/things/end", 204),
        ("PUT", "/api/v1/things/version", 204),
    ] {
        let request = with_token(method, path, &token).header(header::IF_MATCH, "\"1\"");
        let answer = world.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}: {answer:?}");
        assert!(status != 400 || answer.body.contains("if-match: "), "{answer:?}");
    }
}

#[tokio::test]
async fn a_change_on_the_condition_that_there_is_no_record_yet_is_refused() {
    let world = world().await;
    let token = world.token("localhost", "things:write").await;
    for (method, path, status) in [
        ("PUT", "/api/v1/things/version", 400),
        ("PUT", "/api/v1/things/place", 400),
        ("DELETE", "/api/v1/things/place", 400),
        ("GET", "/api/v1/things/place", 200),
        ("POST", "/access/v1/things/end", 204),
    ] {
        let request = with_token(method, path, &token).header(header::IF_NONE_MATCH, "*");
        let answer = world.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}: {answer:?}");
        assert!(status != 400 || answer.body.contains("if-none-match: "), "{answer:?}");
    }
}
