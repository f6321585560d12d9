//! Batches that are posted: signed, in order, without gaps, and the same when they are repeated.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Stream, call, happen, log, with_receiver};
use crate::harness::publisher::Publisher;
use crate::webhooks::{header, verified};

fn to(server: &Publisher) -> Value {
    json!({ "webhook": { "url": server.url("/audit") } })
}

/// The batches that came, each verified with the secret.
fn batches(server: &Publisher, secret: &str) -> Vec<Value> {
    server.requests("/audit").iter().map(|posted| verified(posted, &[secret])).collect()
}

fn entries(batches: &[Value]) -> Vec<Value> {
    batches.iter().flat_map(|batch| batch["data"]["entries"].as_array().unwrap().clone()).collect()
}

#[tokio::test]
async fn a_receiver_gets_each_entry_of_its_tenant_once_signed_and_in_order() {
    let (h, server) = with_receiver().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let stream = Stream::new(&site, to(&server), None).await;
    let before = stream.read(&site).await["position"].as_i64().unwrap();
    for round in 0..3 {
        happen(&site, &format!("role{round}")).await;
        happen(&other, &format!("role{round}")).await;
        h.run_jobs().await;
    }
    let got = batches(&server, &stream.secret);
    assert_eq!(entries(&got), log(&site, before).await);
    assert!(entries(&got).iter().any(|entry| entry["action"] == "audit_stream.created"));
    assert_eq!(got.len(), 3);
    for (batch, posted) in got.iter().zip(server.requests("/audit")) {
        let (first, last) = (&batch["data"]["first"], &batch["data"]["last"]);
        assert_eq!(batch["id"], format!("{}-{first}-{last}", stream.id));
        assert_eq!(header(&posted, "x-svc-delivery"), batch["id"]);
        assert_eq!((&batch["type"], &batch["tenant_id"]), (&json!("audit.entries"), &json!(site.tenant.id)));
    }
    let read = stream.read(&site).await;
    assert_eq!((&read["position"], &read["behind"]), (&got[2]["data"]["last"], &json!(0)));
    assert_eq!((&read["last_error"], read["sent_at"].is_string()), (&json!(null), true));
    h.run_jobs().await;
    assert_eq!(server.fetched("/audit"), 3, "taken is taken");
}

#[tokio::test]
async fn a_batch_that_was_not_acknowledged_is_repeated_as_it_was_and_what_came_meanwhile_follows() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, to(&server), None).await;
    let before = stream.read(&site).await["position"].as_i64().unwrap();
    server.answer_with("/audit", "503 Service Unavailable\r\nretry-after: 90", "later");
    h.run_jobs().await;
    let failing = stream.read(&site).await;
    assert_eq!(
        (&failing["position"], &failing["last_error"]),
        (&json!(before), &json!("answered 503: later"))
    );
    happen(&site, "meanwhile").await;
    h.advance(89);
    h.run_jobs().await;
    assert_eq!(server.fetched("/audit"), 1, "the receiver asked to be left alone");
    // No status line: the receiver may have stored it, or not.
    server.answer_with("/audit", "", "");
    h.advance(1);
    h.run_jobs().await;
    server.answer_with("/audit", "204 No Content", "");
    h.advance(12);
    h.run_jobs().await;
    let requests = server.requests("/audit");
    assert_eq!(requests.len(), 4);
    for repeated in &requests[1..3] {
        assert_eq!(repeated.bytes, requests[0].bytes);
        assert_eq!(header(repeated, "x-svc-delivery"), header(&requests[0], "x-svc-delivery"));
    }
    let got = batches(&server, &stream.secret);
    assert_eq!(entries(&got[2..]), log(&site, before).await, "nothing is lost, nothing overtakes");
}

#[tokio::test]
async fn a_stream_from_the_oldest_entry_gets_the_whole_log_in_batches() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    for number in 0..5 {
        happen(&site, &format!("role{number}")).await;
    }
    h.run_jobs().await;
    let body = json!({ "name": "All", "destination": to(&server), "begin": "oldest" });
    let made = call(&site, Method::POST, super::STREAMS, Some(body)).await.expect(201).json();
    assert_eq!(made["position"], 0);
    h.run_jobs().await;
    let got = batches(&server, made["secret"].as_str().unwrap());
    assert_eq!(entries(&got), log(&site, 0).await);
    assert_eq!(entries(&got)[0]["position"], 1);
}

#[tokio::test]
async fn failed_authentications_of_clients_are_sent() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    let stream = Stream::new(&site, to(&server), None).await;
    let form = [("grant_type", "client_credentials"), ("client_secret", "wrong")];
    let _ = client.token(&form, &[("client_secret", "wrong")]).await.expect(401);
    h.run_jobs().await;
    let got = entries(&batches(&server, &stream.secret));
    let failed = got.iter().find(|entry| entry["action"] == "client.authentication_failed").unwrap();
    assert_eq!((&failed["outcome"], &failed["target"]), (&json!("denied"), &json!(client.id)));
}
