//! Events get to their receivers: signed, at least once, with the same delivery id, and to no other receiver.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_http::Method;

use super::{Subscription, call, header, suspend, verified, with_receiver, with_receiver_and, withdraw};
use crate::harness::{Harness, START};
use crate::oauth_security::keys_of_tenants::destroy;
use crate::search::walked;

#[tokio::test]
async fn an_event_is_posted_to_each_subscription_that_asks_for_it_with_its_envelope() {
    let (h, server) = with_receiver().await;
    let (main, other) = (h.tenant("main").await, h.tenant("other").await);
    server.answer_with("/all", "204 No Content", "");
    server.answer_with("/other", "200 OK", "");
    let one = Subscription::new(&main, &server.url("/events"), "tenant_user.suspended").await;
    let all = Subscription::new(&main, &server.url("/all"), "tenant_user.*").await;
    let _ = Subscription::new(&main, &server.url("/other"), "auth.logout").await;
    let _ = Subscription::new(&other, &server.url("/other"), "tenant_user.*").await;
    suspend(&main, "ada").await;
    h.run_jobs().await;
    let told = one.received(&server, "/events");
    assert_eq!(told.len(), 1, "{told:?}");
    let mut members: Vec<_> = told[0].as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, ["api_version", "created_at", "data", "id", "tenant_id", "type"]);
    assert_eq!(told[0]["tenant_id"], json!(main.tenant.id));
    assert!(told[0]["data"]["sub"].is_string());
    let same = all.received(&server, "/all");
    assert!(same.contains(&told[0]), "the event has the same id everywhere: {same:?}");
    assert_eq!(server.fetched("/other"), 0, "what was not asked for, and what happened elsewhere");
    let request = &server.requests("/events")[0];
    assert_eq!(header(request, "x-svc-timestamp"), START.as_secs().to_string());
    assert!(header(request, "x-svc-delivery").starts_with("dlv_"));
    h.advance(86_400);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1, "taken is taken");
}

#[tokio::test]
async fn a_receiver_in_trouble_gets_the_same_delivery_again_on_the_schedule() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    suspend(&site, "ada").await;
    h.run_jobs().await;
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
    let requests = server.requests("/events");
    assert_eq!(requests.len(), 6);
    for request in &requests {
        verified(request, &[&webhook.secret]);
        assert_eq!(request.bytes, requests[0].bytes);
        assert_eq!(header(request, "x-svc-delivery"), header(&requests[0], "x-svc-delivery"));
    }
    let times: Vec<_> = requests.iter().map(|request| header(request, "x-svc-timestamp")).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "each attempt is signed afresh: {times:?}");
    let delivery = &webhook.deliveries(&site).await[0];
    assert_eq!(
        (&delivery["state"], delivery["attempts"].as_array().unwrap().len()),
        (&json!("delivered"), 6)
    );
}

/// Every node learns what others did.
async fn inform(h: &Harness) {
    for app in h.apps() {
        app.services.sync(&app.db, START, app.clock.now()).await.unwrap();
    }
}

#[tokio::test]
async fn what_no_secret_signs_is_not_sent_and_the_history_says_so_until_it_is_replaced() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    assert!(destroy(&h, site.tenant.id).await >= 1);
    inform(&h).await;
    suspend(&site, "ada").await;
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 0);
    let delivery = webhook.deliveries(&site).await[0].clone();
    let path = webhook.path(&format!("/deliveries/{}", delivery["id"].as_str().unwrap()));
    let shown = call(&site, Method::GET, &path, None).await.expect(200).json();
    let why = "nothing was sent: the secret of the subscription does not open any more; replace it";
    assert_eq!(
        (&shown["state"], &shown["attempts"][0]["status"], &shown["attempts"][0]["answer"]),
        (&json!("pending"), &json!(null), &json!(why))
    );
    assert!(shown["attempts"][0].get("request_headers").is_none(), "{shown}");
    let rotated = call(&site, Method::POST, &webhook.path("/secret"), None).await.expect(200).json();
    inform(&h).await;
    h.advance(6);
    h.run_jobs().await;
    verified(&server.requests("/events")[0], &[rotated["secret"].as_str().unwrap()]);
    assert_eq!(webhook.deliveries(&site).await[0]["state"], "delivered");
}

#[tokio::test]
async fn only_a_success_has_taken_it_and_a_refusal_for_good_is_not_repeated() {
    let (h, server) = with_receiver().await;
    server.answer_with("/elsewhere", "200 OK", "");
    let elsewhere = format!("302 Found\r\nlocation: {}", server.url("/elsewhere"));
    for (number, (head, attempts, state)) in [
        ("204 No Content", 1, "delivered"),
        ("206 Partial Content", 1, "delivered"),
        ("304 Not Modified", 2, "pending"),
        (elsewhere.as_str(), 2, "pending"),
        ("400 Bad Request", 1, "failed"),
        ("404 Not Found", 1, "failed"),
        ("408 Request Timeout", 2, "pending"),
        ("429 Too Many Requests", 2, "pending"),
    ]
    .into_iter()
    .enumerate()
    {
        let site = h.tenant(&format!("t{number}")).await;
        let path = format!("/{number}");
        server.answer_with(&path, head, "");
        let webhook = Subscription::new(&site, &server.url(&path), "tenant_user.suspended").await;
        suspend(&site, "ada").await;
        h.run_jobs().await;
        h.advance(6);
        h.run_jobs().await;
        assert_eq!(server.fetched(&path), attempts, "{head}");
        assert_eq!(webhook.deliveries(&site).await[0]["state"], state, "{head}");
        for asked in ["pending", "delivered", "failed"] {
            let found = webhook.deliveries_in(&site, &format!("?state={asked}")).await;
            assert_eq!(found.len(), usize::from(asked == state), "{head} {asked}");
            for (event_type, is_its_own) in [("tenant_user.suspended", true), ("tenant_user.removed", false)]
            {
                let query = format!("?state={asked}&event_type={event_type}");
                let of_type = webhook.deliveries_in(&site, &query).await;
                assert_eq!(of_type.len(), usize::from(asked == state && is_its_own), "{head} {query}");
            }
        }
    }
    assert_eq!(server.fetched("/elsewhere"), 0, "a redirect is not followed");
}

#[tokio::test]
async fn the_history_has_what_was_sent_and_the_beginning_of_each_answer_without_the_secret() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    let answer = format!("{} and \u{0}{}", webhook.secret, "x".repeat(100_000));
    server.answer_with("/events", "200 OK", &answer);
    suspend(&site, "ada").await;
    h.run_jobs().await;
    let list = webhook.deliveries(&site).await;
    assert_eq!(list.len(), 1);
    assert!(list[0].get("body").is_none() && list[0]["attempts"][0].get("answer").is_none(), "{:?}", list[0]);
    let path = webhook.path(&format!("/deliveries/{}", list[0]["id"].as_str().unwrap()));
    let read = call(&site, Method::GET, &path, None).await.expect(200);
    assert!(!read.body.contains(&webhook.secret));
    let delivery = read.json();
    assert_eq!(delivery["body"], webhook.received(&server, "/events")[0]);
    assert_eq!(delivery["event_id"], delivery["body"]["id"]);
    let attempt = &delivery["attempts"][0];
    assert_eq!((&attempt["status"], &attempt["took_ms"]), (&json!(200), &json!(0)));
    let kept = attempt["answer"].as_str().unwrap();
    assert!(kept.starts_with("*** and \u{fffd}xxx"), "{}", &kept[..40]);
    assert!(kept.len() < 65 * 1024, "{}", kept.len());
}

#[tokio::test]
async fn the_history_has_the_headers_of_each_attempt_also_when_its_secret_has_been_replaced() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    let location = format!("https://elsewhere.example/?key={}&{}", webhook.secret, "x".repeat(300));
    let busy = "503 Service Unavailable\r\nretry-after: 5\r\nset-cookie: session=1";
    server.answer_with("/events", &format!("{busy}\r\nlocation: {location}"), "");
    suspend(&site, "ada").await;
    h.run_jobs().await;
    server.answer_with("/events", "200 OK\r\ncontent-type: text/plain", "");
    h.advance(6);
    h.run_jobs().await;
    let _ = call(&site, Method::POST, &webhook.path("/secret?overlap_secs=0"), None).await.expect(200);
    let listed = webhook.deliveries(&site).await.remove(0);
    assert!(listed["attempts"][0].get("request_headers").is_none(), "{listed}");
    let path = webhook.path(&format!("/deliveries/{}", listed["id"].as_str().unwrap()));
    let read = call(&site, Method::GET, &path, None).await.expect(200);
    assert!(!read.body.contains(&webhook.secret));
    let delivery = read.json();
    let (attempts, posted) = (delivery["attempts"].as_array().unwrap(), server.requests("/events"));
    assert_eq!((attempts.len(), posted.len()), (2, 2), "{delivery}");
    for (attempt, posted) in attempts.iter().zip(&posted) {
        verified(posted, &[&webhook.secret]);
        let sent = attempt["request_headers"].as_object().unwrap();
        assert_eq!(sent.len(), 7, "{attempt}");
        for (name, value) in sent {
            assert_eq!(value, header(posted, name), "{name}");
        }
    }
    let told = attempts[0]["answer_headers"].as_object().unwrap();
    assert_eq!((told.len(), &told["retry-after"]), (2, &json!("5")), "{told:?}");
    let location = told["location"].as_str().unwrap();
    assert!(location.starts_with("https://elsewhere.example/?key=***&xxx"), "{location}");
    assert_eq!(location.len(), 256);
    assert_eq!(attempts[1]["answer_headers"], json!({ "content-type": "text/plain" }));
}

#[tokio::test]
async fn a_subscription_that_is_deactivated_or_deleted_gets_nothing_more() {
    let (h, server) = with_receiver().await;
    for change in ["deactivated", "deleted", "without the capability", "suspended tenant"] {
        let site = h.tenant(&change.replace(' ', "-")).await;
        let path = format!("/{change}").replace(' ', "-");
        server.answer_with(&path, "500 Internal Server Error", "");
        let webhook = Subscription::new(&site, &server.url(&path), "tenant_user.suspended").await;
        suspend(&site, "ada").await;
        h.run_jobs().await;
        suspend(&site, "bob").await;
        match change {
            "deactivated" => {
                let stop = json!({ "active": false });
                let _ = call(&site, Method::PATCH, &webhook.path(""), Some(stop)).await.expect(200);
            }
            "deleted" => {
                let _ = call(&site, Method::DELETE, &webhook.path(""), None).await.expect(204);
            }
            "suspended tenant" => {
                withdraw(&site, "UPDATE tenants SET status = 'suspended' WHERE id = $1").await
            }
            _ => {
                let settings = "UPDATE tenants SET settings = '{\"disabled_capabilities\":[\"webhooks\"]}' WHERE id = $1";
                withdraw(&site, settings).await;
            }
        }
        h.advance(86_400);
        h.run_jobs().await;
        assert_eq!(server.fetched(&path), 1, "{change}");
        if change == "deactivated" {
            let states: Vec<_> = webhook.deliveries(&site).await;
            assert_eq!(states[0]["state"], "failed", "{states:?}");
            let start = json!({ "active": true });
            let _ = call(&site, Method::PATCH, &webhook.path(""), Some(start)).await.expect(200);
            server.answer_with(&path, "200 OK", "");
            suspend(&site, "cy").await;
            h.run_jobs().await;
            assert_eq!(server.fetched(&path), 2, "what happened meanwhile is behind it");
        }
    }
}

#[tokio::test]
async fn what_waits_for_a_tenant_that_is_suspended_comes_when_it_is_active_again() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    suspend(&site, "ada").await;
    h.run_jobs().await;
    withdraw(&site, "UPDATE tenants SET status = 'suspended' WHERE id = $1").await;
    server.answer_with("/events", "200 OK", "");
    for _ in 0..3 {
        h.advance(86_400);
        h.run_jobs().await;
        assert_eq!(server.fetched("/events"), 1);
    }
    withdraw(&site, "UPDATE tenants SET status = 'active' WHERE id = $1").await;
    h.advance(120);
    h.run_jobs().await;
    let requests = server.requests("/events");
    assert_eq!(requests.len(), 2);
    assert_eq!(header(&requests[0], "x-svc-delivery"), header(&requests[1], "x-svc-delivery"));
    assert_eq!(webhook.deliveries(&site).await[0]["state"], "delivered");
}

#[tokio::test]
async fn a_worker_that_dies_between_sending_and_writing_it_down_sends_the_same_delivery_again() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    suspend(&site, "ada").await;
    h.run_jobs().await;
    // As if the worker had not come to write it down: the lease is all that is left of the attempt.
    let undo = "UPDATE deliveries SET state = 'due', due_at = $1 WHERE queue = 'webhooks'";
    let mut tx = h.app().db.begin_system().await.unwrap();
    let lease = svc_db::args![h.operator().now + svc_core::Seconds(60)];
    tx.execute(svc_db::SystemSql::new(undo), lease).await.unwrap();
    tx.commit().await.unwrap();
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1, "its lease is not over");
    h.advance(60);
    h.run_jobs().await;
    let requests = server.requests("/events");
    assert_eq!(requests.len(), 2);
    assert_eq!(header(&requests[0], "x-svc-delivery"), header(&requests[1], "x-svc-delivery"));
    assert_eq!(webhook.deliveries(&site).await[0]["state"], "delivered");
}

#[tokio::test]
async fn a_receiver_that_hangs_holds_up_no_other() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    // Answers come only when all have been asked.
    for (path, other) in [("/slow", "/slower"), ("/quick", "/slower"), ("/slower", "/quick")] {
        server.answer_with(path, "202 Accepted", "");
        server.answer_after(path, other);
        let _ = Subscription::new(&site, &server.url(path), "tenant_user.suspended").await;
    }
    suspend(&site, "ada").await;
    h.run_jobs().await;
    for path in ["/slow", "/quick", "/slower"] {
        assert_eq!(server.fetched(path), 1, "{path}");
    }
}

#[tokio::test]
async fn no_more_deliveries_are_under_way_than_the_deployment_says_and_none_for_longer() {
    let settings = [("SVC_WEBHOOKS__MAX_CONCURRENT_DELIVERIES", "1"), ("SVC_WEBHOOKS__TIMEOUT_SECS", "1")];
    let (h, server) = with_receiver_and(&settings).await;
    let site = h.tenant("main").await;
    let mut webhooks = Vec::new();
    // Each answers only when the other has been asked: the first one that is asked is in the way of that.
    for (path, other) in [("/one", "/two"), ("/two", "/one")] {
        server.answer_with(path, "202 Accepted", "");
        server.answer_after(path, other);
        webhooks.push(Subscription::new(&site, &server.url(path), "tenant_user.suspended").await);
    }
    suspend(&site, "ada").await;
    h.run_jobs().await;
    let mut states = Vec::new();
    for webhook in &webhooks {
        states.push(webhook.deliveries(&site).await[0]["state"].clone());
    }
    states.sort_by_key(Value::to_string);
    assert_eq!(states, ["delivered", "pending"]);
}

#[tokio::test]
async fn the_history_is_kept_for_the_days_of_the_deployment() {
    let (h, server) = with_receiver_and(&[("SVC_WEBHOOKS__RETENTION_DAYS", "2")]).await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    suspend(&site, "ada").await;
    h.run_jobs().await;
    for (wait, left) in [(86_400, 1), (90_000, 0)] {
        h.advance(wait);
        h.run_jobs().await;
        assert_eq!(webhook.deliveries(&site).await.len(), left);
    }
}

#[tokio::test]
async fn two_workers_at_once_send_each_delivery_once() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    for number in 0..10 {
        suspend(&site, &format!("p{number}")).await;
    }
    tokio::join!(h.run_jobs(), h.run_jobs());
    let told = webhook.received(&server, "/events");
    let ids: BTreeSet<_> = told.iter().map(|event| event["id"].to_string()).collect();
    assert_eq!((told.len(), ids.len()), (10, 10));
}

#[tokio::test]
async fn a_test_goes_to_its_subscription_alone_and_not_often() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    server.answer_with("/other", "200 OK", "");
    let webhook = Subscription::new(&site, &server.url("/events"), "auth.logout").await;
    let _ = Subscription::new(&site, &server.url("/other"), "auth.logout").await;
    let made = call(&site, Method::POST, &webhook.path("/test"), None).await.expect(200).json();
    assert_eq!((&made["state"], &made["event_type"]), (&json!("pending"), &json!("webhook.test")));
    let again = call(&site, Method::POST, &webhook.path("/test"), None).await;
    assert_eq!(again.expect_problem(429, "rate_limited").header("retry-after"), "10");
    h.run_jobs().await;
    let told = webhook.received(&server, "/events");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0], made["body"]);
    assert_eq!(told[0]["data"], json!({ "webhook_id": webhook.id }));
    assert_eq!(server.fetched("/other"), 0);
}

#[tokio::test]
async fn the_history_is_narrowed_to_one_type_of_events_whatever_has_come_of_them() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.*").await;
    for (name, head) in [("ada", "200 OK"), ("bob", "400 Bad Request"), ("cy", "503 Service Unavailable")] {
        server.answer_with("/events", head, "");
        suspend(&site, name).await;
        h.run_jobs().await;
        h.advance(1);
    }
    let all = webhook.deliveries_in(&site, "?limit=200").await;
    let path = webhook.path("/deliveries");
    for event_type in ["tenant_user.activated", "tenant_user.suspended", "tenant_user.removed"] {
        for state in ["", "pending", "delivered", "failed"] {
            let is_meant =
                |one: &&Value| one["event_type"] == event_type && (state.is_empty() || one["state"] == state);
            let expected: Vec<_> = all.iter().filter(is_meant).cloned().collect();
            let of_state = if state.is_empty() { String::new() } else { format!("&state={state}") };
            let query = format!("event_type={event_type}{of_state}");
            assert_eq!(walked(&site, &path, &query).await, expected, "{query}");
        }
    }
    let states: BTreeSet<_> = all
        .iter()
        .filter(|one| one["event_type"] == "tenant_user.suspended")
        .map(|one| one["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, BTreeSet::from(["delivered", "failed", "pending"]));
    let unknown = call(&site, Method::GET, &format!("{path}?event_type=tenant_user.*"), None).await;
    let told = unknown.expect(400).json()["error_description"].as_str().unwrap().to_owned();
    assert!(told.starts_with("event_type: "), "{told}");
}
