//! Two processes and their store of coordination: how soon one knows what the other has changed, and what keeps them from starting.

use std::time::{Duration, Instant};

use svc_testkit::servers::{Kind, Server};

use super::person::form;
use super::{Place, eventually, request};

/// A second until the other process looks, and what a look takes on a busy machine.
const BOUND: Duration = Duration::from_secs(5);

/// How long a token that was revoked at one process is accepted by another.
async fn staleness(place: &Place) -> Duration {
    let (one, two) = (place.serve().await, place.serve_beside().await);
    let mut ada = place.ada(one.address).await;
    let code = ada.code().await;
    let tokens = ada.exchange(&code).await.unwrap().expect(200).json();
    let token = tokens["access_token"].as_str().unwrap();
    let bearer = format!("Bearer {token}");
    let userinfo = async || {
        request(two.address, "GET /userinfo", &[("Authorization", &bearer)], "").await.unwrap().status
    };
    assert_eq!(userinfo().await, 200);
    let fields = [("token", token), ("client_id", ada.client_id.as_str())];
    let _ = form(one.address, "/oauth/revoke", &[], &fields).await.unwrap().expect(200);
    let revoked = Instant::now();
    eventually("the other process refuses the token", || async { userinfo().await == 401 }).await;
    revoked.elapsed()
}

#[tokio::test]
async fn what_one_process_revokes_the_other_refuses_within_the_stated_time() {
    let place = Place::populated().await;
    if !place.database.url.starts_with("postgres") {
        return; // SQLite serves one process.
    }
    let took = staleness(&place).await;
    assert!(took < BOUND, "{took:?}");
}

#[tokio::test]
async fn redis_tells_the_other_process() {
    let mut place = Place::populated().await;
    if !place.database.url.starts_with("postgres") || !Kind::Redis.is_installed() {
        return;
    }
    let server = Server::start(Kind::Redis, &[]);
    place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", "redis");
    place.set("SVC_REDIS__URL", &server.url());
    let took = staleness(&place).await;
    assert!(took < BOUND, "{took:?}");
    assert!(server.tell("DBSIZE") != ":0\r\n", "both use it");
    println!("a revocation was known after {took:?}");
}

#[tokio::test]
async fn a_store_that_is_not_named_malformed_or_forgetful_keeps_the_service_from_starting() {
    let mut place = Place::migrated().await;
    place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", "redis");
    place.refuses(&[], "redis.url is required").await;
    place.set("SVC_REDIS__URL", "redis://:hunter2@127.0.0.1:1/first");
    let ended = place.refuses(&[], "redis.url: write redis://").await;
    assert!(!ended.stderr.contains("hunter2"), "{ended:?}");
    place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", "memcached");
    place.set("SVC_REDIS__URL", "");
    place.refuses(&[], "memcached.address is required").await;
    if !Kind::Redis.is_installed() {
        return;
    }
    let server = Server::start(Kind::Redis, &["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
    place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", "redis");
    place.set("SVC_REDIS__URL", &server.url());
    place.refuses(&[], "maxmemory-policy noeviction").await;
}

#[tokio::test]
async fn a_store_that_is_out_of_reach_is_an_outage_to_start_with() {
    let mut place = Place::populated().await;
    place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", "redis");
    place.set("SVC_REDIS__URL", "redis://:hunter2@127.0.0.1:1");
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let code = ada.code().await;
    let _ = ada.exchange(&code).await.unwrap().expect(200);
    assert!(service.log().contains("Redis is out of reach"), "{}", service.log());
    assert!(!service.log().contains("hunter2"), "{}", service.log());
}
