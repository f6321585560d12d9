//! A receiver that takes nothing is asked rarely, its stream is deactivated in the end, and goes on where it stood.

use std::time::{Duration, Instant};

use serde_json::json;
use svc_domain::people::standing;
use svc_http::Method;

use super::{STREAMS, Stream, call, happen, log, with_receiver};
use crate::backchannel_logout::LOOPBACK;
use crate::changes::left_by;
use crate::harness::publisher::Publisher;
use crate::harness::{Harness, Site};
use crate::webhooks::verified;

#[tokio::test]
async fn a_receiver_that_takes_nothing_for_days_is_deactivated_and_gets_all_when_it_is_back() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let to = json!({ "webhook": { "url": server.url("/audit") } });
    let stream = Stream::new(&site, to, None).await;
    let before = stream.read(&site).await["position"].as_i64().unwrap();
    server.answer_with("/audit", "500 Internal Server Error", "");
    h.run_jobs().await;
    let since = stream.read(&site).await["failing_since"].clone();
    let mut waits = Vec::new();
    for _ in 0..14 {
        let before = server.fetched("/audit");
        let mut waited = 0;
        while server.fetched("/audit") == before {
            h.advance(15);
            waited += 15;
            h.run_jobs().await;
        }
        waits.push(waited);
    }
    assert!(waits.iter().all(|wait| *wait <= 1_095) && waits[13] >= 720, "{waits:?}");
    for day in 1..=4 {
        h.advance(86_400);
        h.run_jobs().await;
        assert_eq!(stream.read(&site).await["active"], json!(true), "day {day}");
    }
    h.advance(86_400);
    let [actions, events] = left_by(&h, h.run_jobs()).await;
    assert_eq!(actions, ["audit_stream.deactivated"]);
    assert_eq!(events, ["admin.audit_stream.deactivated"]);
    let read = stream.read(&site).await;
    assert_eq!((&read["active"], &read["deactivated_because"]), (&json!(false), &json!("failing")));
    assert_eq!((&read["failing_since"], &read["position"]), (&since, &json!(before)));
    let tested = call(&site, Method::POST, &stream.path("/test"), None).await;
    let _ = tested.expect_problem(409, "conflict");
    happen(&site, "while-deactivated").await;
    server.answer_with("/audit", "200 OK", "");
    let asked = usize::try_from(server.fetched("/audit")).unwrap();
    h.advance(86_400);
    h.run_jobs().await;
    assert_eq!(usize::try_from(server.fetched("/audit")).unwrap(), asked);
    let activated = call(&site, Method::PATCH, &stream.path(""), Some(json!({ "active": true }))).await;
    assert_eq!(activated.expect(200).json()["deactivated_because"], json!(null));
    h.run_jobs().await;
    h.run_jobs().await;
    let requests = server.requests("/audit").split_off(asked);
    let batches = requests.iter().map(|posted| verified(posted, &[&stream.secret]));
    let got: Vec<_> =
        batches.flat_map(|batch| batch["data"]["entries"].as_array().unwrap().clone()).collect();
    assert_eq!(got, log(&site, before).await);
}

async fn set_active(site: &Site<'_>, is_active: bool) {
    let h = site.harness;
    let mut tx = h.app().db.begin_system().await.unwrap();
    standing::set_tenant_active(&mut tx, &h.operator(), site.tenant.id, is_active).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_stream_of_a_suspended_tenant_waits_and_goes_on_when_the_tenant_is_back() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let to = json!({ "webhook": { "url": server.url("/audit") } });
    let stream = Stream::new(&site, to, None).await;
    h.run_jobs().await;
    let asked = server.fetched("/audit");
    set_active(&site, false).await;
    for _ in 0..8 {
        h.advance(86_400);
        h.run_jobs().await;
    }
    assert_eq!(server.fetched("/audit"), asked);
    set_active(&site, true).await;
    h.advance(121);
    h.run_jobs().await;
    h.run_jobs().await;
    let read = stream.read(&site).await;
    assert_eq!((&read["active"], &read["failing_since"]), (&json!(true), &json!(null)), "{read}");
    assert!(server.fetched("/audit") > asked);
}

#[tokio::test]
async fn the_failures_of_a_destination_are_not_counted_against_the_one_that_takes_its_place() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let to = |path: &str| json!({ "webhook": { "url": server.url(path) } });
    let stream = Stream::new(&site, to("/audit"), None).await;
    for path in ["/audit", "/other"] {
        server.answer_with(path, "500 Internal Server Error", "");
    }
    for _ in 0..5 {
        h.run_jobs().await;
        h.advance(86_400);
    }
    let before = stream.read(&site).await["failing_since"].clone();
    let change = json!({ "destination": to("/other") });
    let _ = call(&site, Method::PATCH, &stream.path(""), Some(change)).await.expect(200);
    assert_eq!((before.is_string(), &stream.read(&site).await["failing_since"]), (true, &json!(null)));
    h.run_jobs().await;
    let read = stream.read(&site).await;
    assert_eq!((&read["active"], read["failing_since"] == before), (&json!(true), false), "{read}");
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_deactivated_at_once_and_the_person_who_made_the_stream_is_mailed_once() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    h.run_jobs().await;
    let before = h.mails().await.len();
    server.answer_with("/audit", "410 Gone", "");
    let token =
        site.mint(|claims| (claims["subject_type"], claims["sub"]) = (json!("human"), json!(ada.subject)));
    let body = json!({ "name": "Old", "destination": { "webhook": { "url": server.url("/audit") } } });
    let made = site.call(Method::POST, STREAMS, Some(&token), Some(body)).await.expect(201).json();
    for _ in 0..3 {
        h.run_jobs().await;
    }
    assert_eq!(server.fetched("/audit"), 1);
    let mails = h.mails().await.split_off(before);
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(
        (mails[0].to.as_str(), mails[0].subject.as_str()),
        (ada.email.as_str(), "A stream of the audit log was deactivated")
    );
    for part in [made["id"].as_str().unwrap(), &server.url("/audit"), "gone for good (410)"] {
        assert!(mails[0].text.contains(part), "{part}: {}", mails[0].text);
    }
}

#[tokio::test]
async fn a_test_is_an_entry_that_goes_out_at_once_although_the_receiver_was_left_alone() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, json!({ "webhook": { "url": server.url("/audit") } }), None).await;
    server.answer_with("/audit", "500 Internal Server Error", "");
    for _ in 0..6 {
        h.run_jobs().await;
        h.advance(1_100);
    }
    h.run_jobs().await;
    server.answer_with("/audit", "200 OK", "");
    let tested = call(&site, Method::POST, &stream.path("/test"), None).await.expect(200).json();
    assert_eq!(tested["id"], stream.id);
    let hasty = call(&site, Method::POST, &stream.path("/test"), None).await;
    assert_eq!(hasty.expect_problem(429, "rate_limited").header("retry-after"), "10");
    h.run_jobs().await;
    h.run_jobs().await;
    let read = stream.read(&site).await;
    assert_eq!((&read["behind"], &read["last_error"]), (&json!(0), &json!(null)));
    let last = server.requests("/audit").pop().unwrap();
    let batch = verified(&last, &[&stream.secret]);
    let entry = batch["data"]["entries"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&entry["action"], &entry["target"]), (&json!("audit_stream.tested"), &json!(stream.id)));
}

#[tokio::test]
async fn a_receiver_is_given_up_after_the_days_of_the_deployment_and_each_attempt_after_its_seconds() {
    let settings = [
        LOOPBACK,
        ("SVC_AUDIT_LOG__STREAM_DEACTIVATE_AFTER_DAYS", "1"),
        ("SVC_AUDIT_LOG__STREAM_TIMEOUT_SECS", "1"),
    ];
    let (h, server) = (Harness::with(&settings).await, Publisher::start().await);
    let site = h.tenant("main").await;
    server.answer_with("/audit", "200 OK", "");
    server.answer_after("/audit", "/never");
    let stream = Stream::new(&site, json!({ "webhook": { "url": server.url("/audit") } }), None).await;
    let mut took = Vec::new();
    for (wait, is_active) in [(0, true), (80_000, true), (86_400, false)] {
        h.advance(wait);
        let began = Instant::now();
        h.run_jobs().await;
        took.push(began.elapsed());
        let read = stream.read(&site).await;
        assert_eq!(read["active"], json!(is_active), "after {wait} more seconds");
        assert!(read["failing_since"].is_string(), "{read}");
    }
    // With the usual time of 20 seconds none is shorter, on a machine as busy as may be. The first and the last have failed.
    assert!(took[0].min(took[2]) < Duration::from_secs(20), "{took:?}");
}
