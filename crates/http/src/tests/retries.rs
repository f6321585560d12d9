//! `idempotency-key`.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};
use svc_core::Error;
use tokio::sync::Notify;
use utoipa::IntoParams;

use super::{Answer, World, with_token};
use crate::{Created, Json, Problem, Query, Route, Routes, TenantCx};

#[derive(Debug, Deserialize, IntoParams)]
struct Wanted {
    #[serde(default)]
    #[expect(dead_code, reason = "only its name is read")]
    dry: Option<u8>,
}

async fn create(cx: TenantCx, _: Query<Wanted>, Json(body): Json<Value>) -> Result<Created<Value>, Problem> {
    // A value that differs between calls tells a replay from a repetition.
    let id: svc_core::EventId = cx.cx.id();
    match body["outcome"].as_str() {
        Some("conflict") => Err(Error::conflict(format!("attempt {id}")).into()),
        Some("failure") => Err(Error::internal(id.to_string()).into()),
        _ => Ok(Created {
            location: format!("/api/v1/things/{id}"),
            version: 1,
            record: json!({ "id": id, "secret": "shown once" }),
        }),
    }
}

static ENTERED: Notify = Notify::const_new();
static MAY_LEAVE: Notify = Notify::const_new();
static EFFECTS: AtomicUsize = AtomicUsize::new(0);

async fn slow(_: TenantCx) -> String {
    EFFECTS.fetch_add(1, Ordering::SeqCst);
    ENTERED.notify_one();
    MAY_LEAVE.notified().await;
    "done".to_owned()
}

async fn world() -> World {
    World::new(Routes::new([
        Route::post("/api/v1/things").tenant("things:write", create).idempotent(),
        Route::post("/api/v1/others").tenant("things:write", create).idempotent(),
        Route::post("/api/v1/things/{id}/parts").tenant("things:write", create).idempotent(),
        Route::post("/api/v1/slow").tenant("things:write", slow).idempotent(),
    ]))
    .await
}

async fn call(world: &World, sub: &str, path: &str, key: &str, body: &Value) -> Answer {
    let mut claims = world.claims("localhost", "things:write").await;
    claims["sub"] = json!(sub);
    let request = with_token("POST", path, &world.sign(&claims)).header("idempotency-key", key);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    world.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn a_retry_gets_the_first_response_again_for_a_day() {
    let world = world().await;
    let first = call(&world, "ada", "/api/v1/things", "k1", &json!({})).await;
    assert_eq!(first.status, StatusCode::CREATED);
    assert_eq!(first.header("idempotency-replayed"), "");
    world.advance(86_399);
    let again = call(&world, "ada", "/api/v1/things", "k1", &json!({})).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.header(header::LOCATION), first.header(header::LOCATION));
    assert_eq!(again.header(header::CONTENT_TYPE), "application/json");
    world.advance(1);
    assert_ne!(call(&world, "ada", "/api/v1/things", "k1", &json!({})).await.body, first.body);
}

#[tokio::test]
async fn a_key_is_of_visible_characters() {
    let world = world().await;
    let long = "k".repeat(256);
    for bad in ["", "a b", "a\tb", &long] {
        let refused = call(&world, "ada", "/api/v1/things", bad, &json!({})).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{bad:?}");
        assert!(refused.body.contains("idempotency-key: one value of 1 to 255 visible ASCII characters"));
    }
    let taken = call(&world, "ada", "/api/v1/things", "!~key:1", &json!({})).await;
    assert_eq!(taken.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_key_belongs_to_its_caller_and_route() {
    let world = world().await;
    let first = call(&world, "ada", "/api/v1/things", "k1", &json!({})).await;
    for (sub, path) in [("bob", "/api/v1/things"), ("ada", "/api/v1/others")] {
        let other = call(&world, sub, path, "k1", &json!({})).await;
        assert_eq!(other.status, StatusCode::CREATED);
        assert_ne!(other.body, first.body);
    }
}

#[tokio::test]
async fn a_call_is_the_same_however_its_address_is_written() {
    let world = world().await;
    let first = call(&world, "ada", "/api/v1/things/aa/parts", "k1", &json!({})).await;
    for path in ["/api/v1/things/%61a/parts", "/api/v1/things/%61%61/parts"] {
        let again = call(&world, "ada", path, "k1", &json!({})).await;
        assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body), "{path}");
    }
    for path in ["/api/v1/things/%41a/parts", "/api/v1/things/a%2Fa/parts", "/api/v1/things/%2561a/parts"] {
        let other = call(&world, "ada", path, "k1", &json!({})).await;
        assert_eq!((other.status, other.header("idempotency-replayed")), (StatusCode::CREATED, ""), "{path}");
    }
}

#[tokio::test]
async fn the_same_key_with_another_body_conflicts() {
    let world = world().await;
    call(&world, "ada", "/api/v1/things", "k1", &json!({})).await;
    let other = call(&world, "ada", "/api/v1/things", "k1", &json!({"x": 1})).await;
    other.is_problem(409, "conflict");
    assert_eq!(other.json()["detail"], "idempotency-key: this was used with another request; use a new one");
    call(&world, "ada", "/api/v1/things?dry=1", "k1", &json!({})).await.is_problem(409, "conflict");
}

#[tokio::test]
async fn a_refusal_is_replayed_and_a_failure_of_ours_is_not() {
    let world = world().await;
    let refused = call(&world, "ada", "/api/v1/things", "k1", &json!({"outcome": "conflict"})).await;
    refused.is_problem(409, "conflict");
    assert_eq!(
        call(&world, "ada", "/api/v1/things", "k1", &json!({"outcome": "conflict"})).await.body,
        refused.body
    );
    for _ in 0..2 {
        let failed = call(&world, "ada", "/api/v1/things", "k2", &json!({"outcome": "failure"})).await;
        failed.is_problem(500, "server_error");
        assert_eq!(failed.header("idempotency-replayed"), "");
    }
}

#[tokio::test]
async fn while_the_first_call_runs_a_retry_is_told_to_wait() {
    let world = world().await;
    let token = world.token("localhost", "things:write").await;
    let request = || {
        with_token("POST", "/api/v1/slow", &token).header("idempotency-key", "k").body(Body::empty()).unwrap()
    };
    let (first, others) = tokio::join!(world.send(request()), async {
        ENTERED.notified().await;
        let second = world.send(request()).await;
        // As at a node whose clock is a minute ahead.
        world.advance(60);
        let third = tokio::select! {
            third = world.send(request()) => third,
            () = ENTERED.notified() => panic!("the call was made a second time"),
        };
        MAY_LEAVE.notify_one();
        [second, third]
    });
    assert_eq!(first.body, "done");
    for other in others {
        other.is_problem(409, "conflict");
        assert_eq!(other.header(header::RETRY_AFTER), "1");
    }
    assert_eq!(EFFECTS.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_malformed_key_is_a_bad_request() {
    let world = world().await;
    for bad in ["", &"k".repeat(256)] {
        call(&world, "ada", "/api/v1/things", bad, &json!({})).await.is_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn nothing_of_a_kept_response_is_stored_in_clear() {
    let world = world().await;
    call(&world, "ada", "/api/v1/things", "the-key", &json!({})).await;
    let mut tx = world.app.db.read_system().await.unwrap();
    let row =
        tx.one(svc_db::system_sql!("SELECT response, key_digest FROM idempotency_keys"), &[]).await.unwrap();
    let stored = [row.bytes("response").unwrap(), row.bytes("key_digest").unwrap()].concat();
    let text = String::from_utf8_lossy(&stored);
    assert!(!text.contains("shown once") && !text.contains("the-key"));
}
