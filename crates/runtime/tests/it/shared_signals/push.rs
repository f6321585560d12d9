//! Events are pushed (RFC 8935): again where a receiver cannot take them now, in order, and nowhere else.

use serde_json::{Value, json};
use svc_http::Method;

use super::{ALL, PUSH, Receiver, STREAMS, suspend, verified};
use crate::backchannel_logout::LOOPBACK;
use crate::harness::publisher::Publisher;
use crate::harness::{Harness, Person, Site};
use crate::webhooks::withdraw;

/// What has been pushed to a path, verified.
async fn pushed(site: &Site<'_>, server: &Publisher, path: &str) -> Vec<Value> {
    let mut claims = Vec::new();
    for token in server.posted(path) {
        claims.push(verified(site, &token).await);
    }
    claims
}

/// Something happens to a new person, and jobs run.
async fn happen(site: &Site<'_>, name: &str) -> Person {
    let person = site.user(name).await;
    suspend(site, &person).await;
    site.harness.run_jobs().await;
    person
}

#[tokio::test]
async fn a_token_is_posted_with_the_header_that_the_receiver_wants() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    server.answer_with("/events", "202 Accepted", "");
    let delivery = json!({
        "method": PUSH, "endpoint_url": server.url("/events"), "authorization_header": "Bearer of-the-receiver",
    });
    let wanted = json!({ "events_requested": ALL, "delivery": delivery });
    let made = receiver.call(Method::POST, STREAMS, Some(wanted)).await.expect(201);
    assert!(!made.body.contains("of-the-receiver"), "{made:?}");
    let ada = happen(&site, "ada").await;
    let requests = server.requests("/events");
    assert_eq!(requests.len(), 1, "{requests:?}");
    let head = requests[0].head.to_ascii_lowercase();
    for header in [
        "content-type: application/secevent+jwt",
        "accept: application/json",
        "authorization: bearer of-the-receiver",
    ] {
        assert!(head.lines().any(|line| line == header), "{header}: {head}");
    }
    let told = verified(&site, &requests[0].content).await;
    assert_eq!(told["sub_id"], super::iss_sub(&site, &ada.subject));
    h.advance(86_400);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1, "taken is taken");
}

#[tokio::test]
async fn a_receiver_in_trouble_gets_the_same_event_again_on_the_schedule_of_webhooks() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    receiver.takes_pushes_at(&server.url("/events")).await;
    happen(&site, "ada").await;
    for (attempt, planned) in [(2, 5), (3, 30), (4, 120)] {
        let shortest = planned * 4 / 5;
        h.advance(shortest - 1);
        h.run_jobs().await;
        assert_eq!(server.fetched("/events"), attempt - 1, "sooner than {planned} s");
        h.advance(planned * 6 / 5 - shortest + 1);
        h.run_jobs().await;
        assert_eq!(server.fetched("/events"), attempt, "after {planned} s");
    }
    server.answer_with("/events", "503 Service Unavailable\r\nretry-after: 7200", "");
    h.advance(900 * 6 / 5);
    h.run_jobs().await;
    h.advance(7199);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 5);
    server.answer_with("/events", "202 Accepted", "");
    h.advance(1);
    h.run_jobs().await;
    h.advance(7 * 86_400);
    h.run_jobs().await;
    let told = pushed(&site, &server, "/events").await;
    assert_eq!(told.len(), 6);
    assert!(told.iter().all(|claims| *claims == told[0]), "{told:?}");
}

#[tokio::test]
async fn an_error_that_is_named_is_final_and_any_other_refusal_is_not() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    for (number, (head, body, attempts)) in [
        ("400 Bad Request", r#"{"err":"invalid_key","description":"?"}"#, 1),
        ("400 Bad Request", "no reason", 2),
        ("401 Unauthorized", r#"{"err":"authentication_failed"}"#, 2),
        ("302 Found\r\nlocation: /elsewhere", "", 2),
    ]
    .into_iter()
    .enumerate()
    {
        let site = h.tenant(&format!("t{number}")).await;
        let receiver = Receiver::new(&site, "gate").await;
        let path = format!("/{number}");
        server.answer_with(&path, head, body);
        receiver.takes_pushes_at(&server.url(&path)).await;
        happen(&site, "ada").await;
        h.advance(6);
        h.run_jobs().await;
        assert_eq!(server.fetched(&path), attempts, "{head} {body}");
        server.answer_with(&path, "202 Accepted", "");
        h.advance(86_400);
        h.run_jobs().await;
    }
}

#[tokio::test]
async fn what_waits_for_a_tenant_that_is_suspended_is_pushed_when_it_is_active_again() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    receiver.takes_pushes_at(&server.url("/events")).await;
    let ada = happen(&site, "ada").await;
    withdraw(&site, "UPDATE tenants SET status = 'suspended' WHERE id = $1").await;
    server.answer_with("/events", "202 Accepted", "");
    h.advance(86_400);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1);
    withdraw(&site, "UPDATE tenants SET status = 'active' WHERE id = $1").await;
    h.advance(120);
    h.run_jobs().await;
    let told = pushed(&site, &server, "/events").await;
    assert_eq!(told.len(), 2);
    assert_eq!(told[1]["sub_id"], super::iss_sub(&site, &ada.subject));
}

#[tokio::test]
async fn a_paused_stream_is_not_pushed_to_until_it_is_enabled_again() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    let stream = receiver.takes_pushes_at(&server.url("/events")).await;
    let first = happen(&site, "first").await;
    server.answer_with("/events", "202 Accepted", "");
    receiver.set_status(&stream, "paused").await;
    h.advance(60);
    let second = happen(&site, "second").await;
    h.advance(60);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1);
    receiver.set_status(&stream, "enabled").await;
    h.run_jobs().await;
    let told = pushed(&site, &server, "/events").await;
    let subjects: Vec<_> = told.iter().skip(1).map(|claims| claims["sub_id"]["sub"].clone()).collect();
    assert_eq!(subjects.len(), 2, "{told:?}");
    assert!(subjects.contains(&json!(first.subject)) && subjects.contains(&json!(second.subject)));
}

#[tokio::test]
async fn a_stream_that_is_disabled_deleted_or_polled_meanwhile_is_not_pushed_to() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    for change in ["disabled", "deleted", "polled", "withdrawn"] {
        let site = h.tenant(change).await;
        let receiver = Receiver::new(&site, "gate").await;
        let path = format!("/{change}");
        server.answer_with(&path, "500 Internal Server Error", "");
        let stream = receiver.takes_pushes_at(&server.url(&path)).await;
        happen(&site, "ada").await;
        match change {
            "disabled" => receiver.set_status(&stream, "disabled").await,
            "deleted" => {
                let path = format!("{STREAMS}?stream_id={stream}");
                let _ = receiver.call(Method::DELETE, &path, None).await.expect(204);
            }
            "polled" => {
                let body = json!({ "stream_id": stream, "delivery": { "method": super::POLL } });
                let _ = receiver.call(Method::PATCH, STREAMS, Some(body)).await.expect(200);
            }
            _ => {
                let path = format!("/api/v1/applications/{}", receiver.client.id);
                crate::backchannel_logout::manage(&site, Method::DELETE, &path, None).await;
            }
        }
        h.advance(86_400);
        h.run_jobs().await;
        assert_eq!(server.fetched(&path), 1, "{change}");
    }
}

#[tokio::test]
async fn what_happens_to_one_person_arrives_in_its_order_although_the_first_attempt_fails() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    receiver.takes_pushes_at(&server.url("/events")).await;
    let ada = happen(&site, "ada").await;
    h.advance(1);
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    crate::backchannel_logout::manage(&site, Method::DELETE, &path, None).await;
    server.answer_with("/events", "202 Accepted", "");
    h.advance(1);
    let bob = happen(&site, "bob").await;
    let told = pushed(&site, &server, "/events").await;
    assert_eq!(told.len(), 2, "the second about ada waits for the first: {told:?}");
    assert_eq!(told[1]["sub_id"]["sub"], json!(bob.subject), "others do not");
    h.advance(6);
    h.run_jobs().await;
    let told = pushed(&site, &server, "/events").await;
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!((&told[2]["jti"], &told[2]["sub_id"]), (&told[0]["jti"], &told[3]["sub_id"]));
    assert!(told[2]["iat"].as_i64() < told[3]["iat"].as_i64(), "{told:?}");
}

#[tokio::test]
async fn a_slow_receiver_holds_up_no_other() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    // Answers come only when all have been asked.
    for (path, other) in [("/slow", "/slower"), ("/quick", "/slower"), ("/slower", "/quick")] {
        server.answer_with(path, "202 Accepted", "");
        server.answer_after(path, other);
        let receiver = Receiver::new(&site, path.trim_start_matches('/')).await;
        receiver.takes_pushes_at(&server.url(path)).await;
    }
    happen(&site, "ada").await;
    for path in ["/slow", "/quick", "/slower"] {
        assert_eq!(pushed(&site, &server, path).await.len(), 1, "{path}");
    }
}

#[tokio::test]
async fn what_waits_for_a_receiver_that_never_answers_waits_together() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    // No status line: the connection ends without an answer.
    server.answer_with("/events", "", "");
    receiver.takes_pushes_at(&server.url("/events")).await;
    for name in ["ada", "bob", "cy"] {
        suspend(&site, &site.user(name).await).await;
    }
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1);
    server.answer_with("/events", "202 Accepted", "");
    h.advance(6);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 4);
}
