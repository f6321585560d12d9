//! An administrator has one delivery sent again, or what happened in a range of time.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Subscription, call, header, suspend, with_receiver};
use crate::changes::left_by;
use crate::harness::Harness;

#[tokio::test]
async fn a_delivery_is_sent_again_as_a_delivery_of_its_own() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    suspend(&site, "ada").await;
    h.run_jobs().await;
    let first = webhook.deliveries(&site).await.remove(0);
    let path = webhook.path(&format!("/deliveries/{}/replay", first["id"].as_str().unwrap()));
    let [actions, _] = left_by(&h, async {
        let made = call(&site, Method::POST, &path, None).await.expect(200).json();
        assert_eq!((&made["replay_of"], &made["event_id"]), (&first["id"], &first["event_id"]));
    })
    .await;
    assert_eq!(actions, ["webhook.delivery_replayed"]);
    h.run_jobs().await;
    let requests = server.requests("/events");
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].bytes, requests[1].bytes);
    assert_ne!(header(&requests[0], "x-svc-delivery"), header(&requests[1], "x-svc-delivery"));
}

#[tokio::test]
async fn a_range_of_time_is_sent_again_to_a_subscription_as_it_asks_now() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    suspend(&site, "before").await;
    h.advance(60);
    let from = h.operator().now;
    for name in ["ada", "bob"] {
        suspend(&site, name).await;
        h.advance(1);
    }
    let to = h.operator().now;
    suspend(&site, "after").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 0, "it gets what happens from now on");
    let range = json!({ "from": from, "to": to });
    let answer =
        call(&site, Method::POST, &webhook.path("/replay"), Some(range.clone())).await.expect(200).json();
    assert!(answer["events"].as_i64() >= Some(2), "{answer}");
    let _ = call(&site, Method::POST, &webhook.path("/replay"), Some(range))
        .await
        .expect_problem(409, "conflict");
    h.run_jobs().await;
    let told = webhook.received(&server, "/events");
    // Deliveries of one subscription are under way together and arrive in any order.
    let mut times: Vec<Value> = told.iter().map(|event| event["created_at"].clone()).collect();
    times.sort_by_key(Value::to_string);
    assert_eq!(times.len(), 2, "{told:?}");
    assert!(times[0] == json!(from) && times[1] != times[0], "{times:?}");
    suspend(&site, "cy").await;
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 3, "and goes on from where it was");
}

#[tokio::test]
async fn what_cannot_be_sent_again_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, "https://receiver.example/", "auth.*").await;
    let now = h.operator().now;
    let backwards = json!({ "from": now, "to": now });
    let answer = call(&site, Method::POST, &webhook.path("/replay"), Some(backwards)).await;
    let _ = answer.expect_problem(400, "bad_request");
    let test = call(&site, Method::POST, &webhook.path("/test"), None).await.expect(200).json();
    let again = webhook.path(&format!("/deliveries/{}/replay", test["id"].as_str().unwrap()));
    let _ = call(&site, Method::PATCH, &webhook.path(""), Some(json!({ "active": false }))).await.expect(200);
    for path in [again, webhook.path("/test")] {
        let _ = call(&site, Method::POST, &path, None).await.expect_problem(409, "conflict");
    }
}
