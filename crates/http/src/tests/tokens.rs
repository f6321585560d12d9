//! The guard of tenant routes: each of the ten rules, and their order.

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};
use svc_core::{AppId, Error};
use svc_domain::tokens::access_token::SubjectType;
use svc_domain::tokens::revocations::{self, Revoked};

use super::{Answer, World, get, request, with_token};
use crate::{Path, Problem, Route, Routes, TenantCx};

async fn who(cx: TenantCx) -> String {
    format!("{} {} {}", cx.tenant.slug, cx.cx.actor.kind(), cx.cx.actor.id())
}

async fn unknown(_: TenantCx, Path(_): Path<AppId>) -> Result<String, Problem> {
    Err(Error::unknown_id().into())
}

async fn world() -> World {
    World::new(Routes::new([
        Route::get("/api/v1/who").tenant("who:read", who),
        Route::get("/api/v1/apps/{id}").tenant("apps:read", unknown),
        Route::get("/api/v1/people").tenant("who:read", who).subject_types(&[SubjectType::Human]),
        Route::get("/api/v1/delegated").tenant("who:read", who).delegable(),
    ]))
    .await
}

async fn ask(world: &World, path: &str, token: &str) -> Answer {
    world.send(with_token("GET", path, token).body(Body::empty()).unwrap()).await
}

/// Asks with the claims of a good token, one of them changed.
async fn ask_with(world: &World, path: &str, member: &str, value: Value) -> Answer {
    let mut claims = world.claims("localhost", "who:read").await;
    claims[member] = value;
    ask(world, path, &world.sign(&claims)).await
}

#[tokio::test]
async fn a_valid_token_acts_as_its_subject() {
    let world = world().await;
    let token = world.token("localhost", "openid who:read").await;
    assert_eq!(ask(&world, "/api/v1/who", &token).await.body, "main user ada");
    let answer = ask_with(&world, "/api/v1/who", "subject_type", json!("system")).await;
    assert_eq!(answer.body, "main application app");
}

#[tokio::test]
async fn without_a_token_the_challenge_names_the_metadata_and_no_error() {
    let world = world().await;
    let answer = world.get("/api/v1/who").await;
    answer.is_problem(401, "unauthorized");
    assert_eq!(
        answer.header(header::WWW_AUTHENTICATE),
        "Bearer realm=\"http://localhost:8080\", \
         resource_metadata=\"http://localhost:8080/.well-known/oauth-protected-resource\""
    );
}

#[tokio::test]
async fn the_token_is_read_from_one_authorization_header_only() {
    let world = world().await;
    let token = world.token("localhost", "who:read").await;
    for value in [format!("Basic {token}"), token.clone(), "Bearer ".to_owned(), "Bearer".to_owned()] {
        let sent =
            request("GET", "/api/v1/who").header(header::AUTHORIZATION, value).body(Body::empty()).unwrap();
        world.send(sent).await.is_problem(401, "unauthorized");
    }
    let twice =
        with_token("GET", "/api/v1/who", &token).header(header::AUTHORIZATION, format!("Bearer {token}"));
    world.send(twice.body(Body::empty()).unwrap()).await.is_problem(401, "unauthorized");
    world.send(get(&format!("/api/v1/who?access_token={token}"))).await.is_problem(401, "unauthorized");
    let any_case = request("GET", "/api/v1/who").header(header::AUTHORIZATION, format!("bEARER {token}"));
    assert_eq!(world.send(any_case.body(Body::empty()).unwrap()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_token_that_does_not_hold_is_unauthorized() {
    let world = world().await;
    let good = world.token("localhost", "who:read").await;
    let cut = good.get(..good.len() - 2).unwrap().to_owned();
    for bad in [cut, format!("{good}x"), "a.b.c".to_owned(), "x".repeat(20_000)] {
        let answer = ask(&world, "/api/v1/who", &bad).await;
        answer.is_problem(401, "unauthorized");
        assert!(answer.header(header::WWW_AUTHENTICATE).contains("error=\"invalid_token\""), "{answer:?}");
    }
    let now = world.claims("localhost", "").await["iat"].as_i64().unwrap();
    for (member, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("https://another.api")),
        ("exp", json!(now)),
        ("exp", json!("9999999999")),
        ("nbf", json!(now + 3600)),
        ("cnf", json!({"jkt": "x"})),
    ] {
        let answer = ask_with(&world, "/api/v1/who", member, value.clone()).await;
        answer.is_problem(401, "unauthorized");
        assert!(
            answer.header(header::WWW_AUTHENTICATE).contains("error=\"invalid_token\""),
            "{member} {value}"
        );
    }
}

#[tokio::test]
async fn a_token_expires_on_its_second() {
    let world = world().await;
    let token = world.token("localhost", "who:read").await;
    world.advance(299);
    assert_eq!(ask(&world, "/api/v1/who", &token).await.status, StatusCode::OK);
    world.advance(1);
    ask(&world, "/api/v1/who", &token).await.is_problem(401, "unauthorized");
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_once() {
    let world = world().await;
    let token = world.token("localhost", "who:read").await;
    let tenant = world.tenant("localhost").await;
    let cx = world.app.cx("test", None);
    let mark = Revoked::Jti("jti-1".to_owned());
    let mut tx = world.app.db.begin(tenant.id).await.unwrap();
    revocations::revoke(&mut tx, &cx, &mark);
    tx.commit().await.unwrap();
    ask(&world, "/api/v1/who", &token).await.is_problem(401, "unauthorized");
}

#[tokio::test]
async fn another_tenants_token_is_told_what_an_unknown_id_is_told_whatever_its_scope() {
    let world = world().await;
    let path = format!("/api/v1/apps/{}", AppId::new(world.app.clock.now(), &*world.app.entropy));
    let unknown = ask(&world, &path, &world.token("localhost", "apps:read").await).await;
    unknown.is_problem(404, "not_found");
    for scope in ["apps:read", "openid"] {
        let foreign = ask(&world, &path, &world.token("acme.localhost", scope).await).await;
        assert_eq!(foreign.without_request_id(), unknown.without_request_id());
    }
    let mut claims = world.claims("localhost", "openid").await;
    claims["tenant_id"] = json!(world.tenant("acme.localhost").await.id);
    let foreign = ask(&world, &path, &world.sign(&claims)).await;
    assert_eq!(foreign.without_request_id(), unknown.without_request_id());
}

#[tokio::test]
async fn an_expired_token_of_another_tenant_is_just_invalid() {
    let world = world().await;
    let token = world.token("acme.localhost", "who:read").await;
    world.advance(301);
    ask(&world, "/api/v1/who", &token).await.is_problem(401, "unauthorized");
}

#[tokio::test]
async fn what_cannot_be_an_id_is_answered_like_an_unknown_one() {
    let world = world().await;
    let token = world.token("localhost", "apps:read").await;
    let id = AppId::new(world.app.clock.now(), &*world.app.entropy);
    let unknown = ask(&world, &format!("/api/v1/apps/{id}"), &token).await;
    for bad in ["1", "app_", "usr_01jd3x", "..", "%2e%2e", "%FF"] {
        let answer = ask(&world, &format!("/api/v1/apps/{bad}"), &token).await;
        assert_eq!(answer.without_request_id(), unknown.without_request_id(), "{bad}");
    }
}

#[tokio::test]
async fn a_missing_scope_is_named_in_the_challenge() {
    let world = world().await;
    let answer = ask(&world, "/api/v1/who", &world.token("localhost", "who:write").await).await;
    answer.is_problem(403, "insufficient_scope");
    let challenge = answer.header(header::WWW_AUTHENTICATE);
    assert!(
        challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"who:read\""),
        "{challenge}"
    );
}

#[tokio::test]
async fn the_wrong_kind_of_caller_is_forbidden() {
    let world = world().await;
    ask_with(&world, "/api/v1/people", "subject_type", json!("agent")).await.is_problem(403, "forbidden");
    ask_with(&world, "/api/v1/who", "subject_type", json!("anonymous")).await.is_problem(403, "forbidden");
    let agent = ask_with(&world, "/api/v1/who", "subject_type", json!("agent")).await;
    assert_eq!(agent.status, StatusCode::OK);
}

#[tokio::test]
async fn a_delegated_token_is_accepted_only_where_the_route_says_so() {
    let world = world().await;
    let act = json!({"sub": "agent"});
    ask_with(&world, "/api/v1/who", "act", act.clone()).await.is_problem(403, "forbidden");
    assert_eq!(ask_with(&world, "/api/v1/delegated", "act", act).await.status, StatusCode::OK);
}
