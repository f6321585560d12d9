//! Events are fetched and acknowledged (RFC 8936).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_http::Method;

use super::{PUSH, Receiver, event_of, suspend};
use crate::harness::{Harness, Site};

/// So many signals, in the order in which they happened; each about another person.
async fn happen(site: &Site<'_>, count: u32) {
    for number in 0..count {
        suspend(site, &site.user(&format!("person{number}")).await).await;
        site.harness.advance(1);
    }
    site.harness.run_jobs().await;
}

fn ids(answer: &Value) -> BTreeSet<String> {
    answer["sets"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn an_event_comes_again_until_it_is_acknowledged() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let stream = receiver.polls().await;
    assert_eq!(receiver.poll_with(&stream, json!({})).await, json!({ "sets": {}, "moreAvailable": false }));
    happen(&site, 3).await;
    let first = receiver.waiting(&stream).await;
    h.advance(60);
    assert_eq!(receiver.waiting(&stream).await, first, "with the same claims");
    let mut all: Vec<_> = first.iter().map(|claims| claims["jti"].as_str().unwrap().to_owned()).collect();
    let taken = all.pop().unwrap();
    let answer = receiver.poll_with(&stream, json!({ "ack": [taken, "set_unknown", "x"] })).await;
    assert_eq!(ids(&answer), all.iter().cloned().collect());
    let refused = all.pop().unwrap();
    let errors = json!({ refused: { "err": "invalid_audience", "description": "not mine" } });
    let answer = receiver.poll_with(&stream, json!({ "setErrs": errors })).await;
    assert_eq!(ids(&answer), all.iter().cloned().collect());
}

#[tokio::test]
async fn the_oldest_come_first_and_as_many_as_are_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let stream = receiver.polls().await;
    happen(&site, 3).await;
    let mut times = Vec::new();
    for more in [true, true, false] {
        let answer = receiver.poll_with(&stream, json!({ "maxEvents": 1 })).await;
        assert_eq!((ids(&answer).len(), &answer["moreAvailable"]), (1, &json!(more)));
        let (jti, token) = answer["sets"].as_object().unwrap().iter().next().unwrap();
        let claims = super::verified(&site, token.as_str().unwrap()).await;
        times.push(event_of(&claims)["event_timestamp"].as_i64().unwrap());
        let only = receiver.poll_with(&stream, json!({ "ack": [jti], "maxEvents": 0 })).await;
        assert_eq!(only, json!({ "sets": {}, "moreAvailable": more }));
    }
    assert!(times.is_sorted() && times[0] < times[2], "{times:?}");
}

#[tokio::test]
async fn an_event_is_acknowledged_in_its_own_stream_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ours, theirs) = (Receiver::new(&site, "ours").await, Receiver::new(&site, "theirs").await);
    let (stream, other) = (ours.polls().await, theirs.polls().await);
    happen(&site, 1).await;
    let waiting = theirs.waiting(&other).await;
    let _ = ours.poll_with(&stream, json!({ "ack": [waiting[0]["jti"]] })).await;
    assert_eq!(theirs.waiting(&other).await, waiting);
    assert_ne!(ours.waiting(&stream).await[0]["jti"], waiting[0]["jti"]);
}

#[tokio::test]
async fn a_paused_stream_holds_and_a_disabled_one_drops() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let stream = receiver.polls().await;
    happen(&site, 1).await;
    receiver.set_status(&stream, "paused").await;
    assert_eq!(receiver.waiting(&stream).await, Vec::<Value>::new());
    suspend(&site, &site.user("held").await).await;
    h.run_jobs().await;
    receiver.set_status(&stream, "enabled").await;
    assert_eq!(receiver.waiting(&stream).await.len(), 2);
    receiver.set_status(&stream, "disabled").await;
    suspend(&site, &site.user("lost").await).await;
    h.run_jobs().await;
    receiver.set_status(&stream, "enabled").await;
    assert_eq!(receiver.waiting(&stream).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_stream_that_is_pushed_is_not_polled() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let delivery = json!({ "method": PUSH, "endpoint_url": "https://receiver.example/" });
    let stream = receiver.stream(json!({ "delivery": delivery })).await;
    let path = format!("/api/v1/ssf/poll/{stream}");
    let _ = receiver.call(Method::POST, &path, Some(json!({}))).await.expect_problem(404, "not_found");
    let change = json!({ "stream_id": stream, "delivery": { "method": super::POLL } });
    let _ = receiver.call(Method::PATCH, super::STREAMS, Some(change)).await.expect(200);
    let _ = receiver.call(Method::POST, &path, Some(json!({}))).await.expect(200);
}
