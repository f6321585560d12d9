//! Streams are managed by the application that made them (SSF §7, §8.1).

use serde_json::{Value, json};
use svc_http::Method;

use super::{ALL, POLL, PUSH, Receiver, SESSION_REVOKED, STATUS, STREAMS, VERIFICATION};
use crate::harness::Harness;

const PUSHED: &str = "https://receiver.example/events";

#[tokio::test]
async fn the_metadata_names_what_is_there() {
    let h = Harness::new().await;
    for slug in ["main", "acme"] {
        let site = h.tenant(slug).await;
        let document = site.get("/.well-known/ssf-configuration").await.expect(200).json();
        let at = |path: &str| format!("{}{path}", site.issuer());
        let expected = json!({
            "spec_version": "1_0",
            "issuer": site.issuer(),
            "jwks_uri": at("/.well-known/jwks.json"),
            "delivery_methods_supported": [PUSH, POLL],
            "configuration_endpoint": at(STREAMS),
            "status_endpoint": at(STATUS),
            "verification_endpoint": at("/api/v1/ssf/verify"),
            "authorization_schemes": [{ "spec_urn": "urn:ietf:rfc:6749" }],
            "default_subjects": "ALL",
        });
        assert_eq!(document, expected);
        let _ = site.get("/.well-known/ssf-configuration/elsewhere").await.expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn a_stream_is_made_read_changed_replaced_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let read = async |path: &str| receiver.call(Method::GET, path, None).await.expect(200);
    assert_eq!(read(STREAMS).await.json(), json!([]));

    let delivery = json!({
        "method": PUSH, "endpoint_url": PUSHED, "authorization_header": "Bearer of-the-receiver",
    });
    let wanted = json!({
        "events_requested": [SESSION_REVOKED, "urn:example:unknown"], "delivery": delivery, "description": "The gate",
    });
    let made = receiver.call(Method::POST, STREAMS, Some(wanted)).await.expect(201);
    let id = made.json()["stream_id"].as_str().unwrap().to_owned();
    let path = format!("{STREAMS}?stream_id={id}");
    assert_eq!(made.header("location"), path);
    let mut expected = json!({
        "stream_id": id,
        "iss": site.issuer(),
        "aud": receiver.client.id,
        "events_supported": ALL,
        "events_requested": [SESSION_REVOKED, "urn:example:unknown"],
        "events_delivered": [SESSION_REVOKED],
        "delivery": { "method": PUSH, "endpoint_url": PUSHED },
        "min_verification_interval": 30,
        "description": "The gate",
    });
    assert_eq!(made.json(), expected);
    let answer = read(&path).await;
    assert_eq!((answer.json(), answer.header("cache-control")), (expected.clone(), "no-store"));
    assert_eq!(read(STREAMS).await.json(), json!([expected]));

    let change = json!({ "stream_id": id, "events_requested": ALL, "iss": site.issuer() });
    let answer = receiver.call(Method::PATCH, STREAMS, Some(change)).await.expect(200);
    (expected["events_requested"], expected["events_delivered"]) = (json!(ALL), json!(ALL));
    assert_eq!(answer.json(), expected);

    // What was read may be written back; what it leaves out is gone.
    let mut whole = expected.clone();
    whole.as_object_mut().unwrap().remove("description");
    whole["delivery"] = json!({ "method": POLL });
    let answer = receiver.call(Method::PUT, STREAMS, Some(whole)).await.expect(200);
    let poll = format!("{}/api/v1/ssf/poll/{id}", site.issuer());
    expected["delivery"] = json!({ "method": POLL, "endpoint_url": poll });
    expected.as_object_mut().unwrap().remove("description");
    assert_eq!(answer.json(), expected);
    let answer = receiver.call(Method::PUT, STREAMS, Some(expected.clone())).await.expect(200);
    assert_eq!(answer.json(), expected);

    assert_eq!(receiver.call(Method::DELETE, &path, None).await.expect(204).body, "");
    let _ = receiver.call(Method::GET, &path, None).await.expect_problem(404, "not_found");
    let _ = receiver.call(Method::DELETE, &path, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn what_only_the_transmitter_says_must_be_as_it_is() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let id = receiver.polls().await;
    for (name, value) in [
        ("iss", json!("https://elsewhere.example")),
        ("aud", json!("another")),
        ("events_supported", json!([SESSION_REVOKED])),
        ("events_delivered", json!([])),
        ("min_verification_interval", json!(0)),
        ("delivery", json!({ "method": POLL, "endpoint_url": "https://elsewhere.example/poll" })),
        ("delivery", json!({ "method": POLL, "authorization_header": "Bearer x" })),
        ("delivery", json!({ "method": "urn:example:carrier-pigeon" })),
        ("delivery", json!({ "method": PUSH })),
        ("delivery", json!({ "method": PUSH, "endpoint_url": PUSHED, "authorization_header": "a\r\nb: c" })),
        ("description", json!("x".repeat(501))),
        ("events_requested", json!(vec!["urn:x"; 51])),
        ("status", json!("paused")),
    ] {
        for method in [Method::PATCH, Method::PUT] {
            let mut body = json!({ "stream_id": id });
            body[name] = value.clone();
            let answer = receiver.call(method, STREAMS, Some(body)).await;
            let _ = answer.expect_problem(400, "bad_request");
        }
    }
    let _ = receiver
        .call(Method::PATCH, STREAMS, Some(json!({ "description": "x" })))
        .await
        .expect_problem(400, "bad_request");
    assert_eq!(receiver.call(Method::GET, STREAMS, None).await.json()[0]["events_delivered"], json!(ALL));
}

#[tokio::test]
async fn an_address_that_will_never_be_called_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    for bad in ["https://10.0.0.1/", "http://receiver.example/", "https://receiver.example:8443/", "x"] {
        let body = json!({ "delivery": { "method": PUSH, "endpoint_url": bad } });
        let _ = receiver.call(Method::POST, STREAMS, Some(body)).await.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn another_applications_stream_is_answered_like_an_unknown_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (owner, other) = (Receiver::new(&site, "owner").await, Receiver::new(&site, "other").await);
    let id = owner.polls().await;
    let named = |extra: Value| {
        let mut body = json!({ "stream_id": id });
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        Some(body)
    };
    for (method, path, body) in [
        (Method::GET, format!("{STREAMS}?stream_id={id}"), None),
        (Method::DELETE, format!("{STREAMS}?stream_id={id}"), None),
        (Method::PATCH, STREAMS.to_owned(), named(json!({}))),
        (Method::PUT, STREAMS.to_owned(), named(json!({}))),
        (Method::GET, format!("{STATUS}?stream_id={id}"), None),
        (Method::POST, STATUS.to_owned(), named(json!({ "status": "disabled" }))),
        (Method::POST, "/api/v1/ssf/verify".to_owned(), named(json!({}))),
        (Method::POST, format!("/api/v1/ssf/poll/{id}"), Some(json!({}))),
    ] {
        let _ = other.call(method, &path, body).await.expect_problem(404, "not_found");
    }
    assert_eq!(other.call(Method::GET, STREAMS, None).await.expect(200).json(), json!([]));
    let status = owner.call(Method::GET, &format!("{STATUS}?stream_id={id}"), None).await;
    assert_eq!(status.expect(200).json(), json!({ "stream_id": id, "status": "enabled" }));
}

#[tokio::test]
async fn only_an_application_that_acts_for_itself_has_streams() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user_with_roles("ada", &["admin"]).await;
    let person = site.mint(|claims| {
        (claims["subject_type"], claims["sub"]) = (json!("human"), json!(ada.subject));
    });
    let stranger = site.mint(|_| ());
    for token in [person, stranger] {
        let _ = site.call(Method::GET, STREAMS, Some(&token), None).await.expect_problem(403, "forbidden");
    }
}

#[tokio::test]
async fn an_application_has_ten_streams_at_most() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (receiver, other) = (Receiver::new(&site, "gate").await, Receiver::new(&site, "other").await);
    for _ in 0..10 {
        receiver.polls().await;
    }
    let answer = receiver.call(Method::POST, STREAMS, Some(json!({}))).await;
    let _ = answer.expect_problem(409, "conflict");
    other.polls().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_application_that_makes_many_streams_at_once_has_ten_too() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    for _ in 0..6 {
        receiver.polls().await;
    }
    let makings = (0..8).map(|_| receiver.call(Method::POST, STREAMS, Some(json!({}))));
    let made = futures_util::future::join_all(makings).await;
    let with = |status: u16| made.iter().filter(|answer| answer.status == status).count();
    assert_eq!((with(201), with(409)), (4, 4));
}

#[tokio::test]
async fn a_status_is_set_and_read_with_its_reason() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let id = receiver.polls().await;
    for status in ["paused", "disabled", "enabled"] {
        let whole = json!({ "stream_id": id, "status": status, "reason": "The receiver moves." });
        let answer = receiver.call(Method::POST, STATUS, Some(whole.clone())).await.expect(200);
        assert_eq!((answer.json(), answer.header("cache-control")), (whole.clone(), "no-store"));
        let read = receiver.call(Method::GET, &format!("{STATUS}?stream_id={id}"), None).await;
        assert_eq!(read.expect(200).json(), whole);
    }
    let bad = json!({ "stream_id": id, "status": "asleep" });
    let _ = receiver.call(Method::POST, STATUS, Some(bad)).await.expect_problem(400, "bad_request");
    let _ = receiver.call(Method::GET, STATUS, None).await.expect_problem(400, "bad_request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_changes_of_one_stream_at_once_none_is_lost() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let id = receiver.stream(json!({})).await;
    let change = |member: &str, value: Value| {
        let change = Some(json!({ "stream_id": id, (member): value }));
        receiver.call(Method::PATCH, STREAMS, change)
    };
    for number in 0..8 {
        let (description, wanted) = (json!(format!("Number {number}")), json!([ALL[number % ALL.len()]]));
        let (described, asked) = tokio::join!(
            change("description", description.clone()),
            change("events_requested", wanted.clone()),
        );
        let _ = (described.expect(200), asked.expect(200));
        let read = receiver.call(Method::GET, &format!("{STREAMS}?stream_id={id}"), None).await;
        let read = read.expect(200).json();
        assert_eq!((&read["description"], &read["events_requested"]), (&description, &wanted));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stream_that_is_deleted_while_it_is_changed_was_there_until_then() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    for _ in 0..8 {
        let id = receiver.stream(json!({})).await;
        let path = format!("{STREAMS}?stream_id={id}");
        let (paused, described, deleted) = tokio::join!(
            receiver.call(Method::POST, STATUS, Some(json!({ "stream_id": id, "status": "paused" }))),
            receiver.call(Method::PATCH, STREAMS, Some(json!({ "stream_id": id, "description": "A gate" }))),
            receiver.call(Method::DELETE, &path, None),
        );
        let _ = deleted.expect(204);
        for changed in [paused, described] {
            assert!([200, 404].contains(&changed.status), "{changed:?}");
        }
    }
}

#[tokio::test]
async fn a_verification_brings_its_state_back_and_not_more_often_than_agreed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let id = receiver.stream(json!({})).await;
    assert_eq!(receiver.verify(&id, "are you there?").await.expect(204).body, "");
    let told = receiver.waiting(&id).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let expected = json!({
        "iss": site.issuer(),
        "aud": receiver.client.id,
        "iat": h.operator().now.as_secs(),
        "sub_id": { "format": "opaque", "id": id },
        "events": { VERIFICATION: { "state": "are you there?" } },
    });
    assert_eq!(super::steady(&told[0]), expected);
    h.advance(29);
    let answer = receiver.verify(&id, "again").await.expect_problem(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "30");
    h.advance(1);
    let _ = receiver.verify(&id, "again").await.expect(204);
    let _ = receiver.verify(&id, &"x".repeat(1001)).await.expect_problem(400, "bad_request");
    h.advance(30);
    receiver.set_status(&id, "disabled").await;
    let _ = receiver.verify(&id, "anyone?").await.expect_problem(400, "bad_request");
}
