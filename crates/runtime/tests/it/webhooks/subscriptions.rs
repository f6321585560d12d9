//! Subscriptions as an administrator makes, reads, changes and deletes them.

use serde_json::json;
use svc_core::SeededEntropy;
use svc_http::{Body, Method, Request};

use super::{Subscription, WEBHOOKS, call, suspend, verified, with_receiver};
use crate::changes::left_by;
use crate::harness::Harness;

#[tokio::test]
async fn a_secret_that_the_service_makes_is_shown_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let body = json!({ "url": "https://receiver.example/events", "event_types": ["auth.*"], "description": "Fraud" });
    let made = call(&site, Method::POST, WEBHOOKS, Some(body)).await.expect(201);
    let record = made.json();
    let secret = record["secret"].as_str().unwrap();
    assert_eq!(svc_keys::from_base64url(secret.strip_prefix("svc_whsec_").unwrap()).unwrap().len(), 32);
    let path = format!("{WEBHOOKS}/{}", record["id"].as_str().unwrap());
    assert_eq!(made.header("location"), path);
    let read = call(&site, Method::GET, &path, None).await.expect(200);
    let mut shown = record.clone();
    shown.as_object_mut().unwrap().remove("secret");
    assert_eq!(read.json(), shown);
    assert_eq!((&shown["active"], &shown["description"]), (&json!(true), &json!("Fraud")));
    for path in [WEBHOOKS, "/api/v1/audit"] {
        let list = call(&site, Method::GET, path, None).await.expect(200).body;
        assert!(!list.contains(secret), "{path}");
    }
    let change = json!({ "url": "https://receiver.example/other", "event_types": ["auth.logout"] });
    let changed = call(&site, Method::PUT, &path, Some(change)).await.expect(200).json();
    assert_eq!((&changed["description"], &changed["active"]), (&json!("Fraud"), &json!(true)));
    let stopped = call(&site, Method::PATCH, &path, Some(json!({ "active": false }))).await.expect(200);
    assert_eq!(stopped.json()["url"], "https://receiver.example/other");
    let deleted = call(&site, Method::DELETE, &path, None).await.expect(204);
    assert!(deleted.body.is_empty());
    let _ = call(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn members_that_a_change_leaves_out_stay_and_null_takes_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for method in [Method::PUT, Method::PATCH] {
        let url = "https://receiver.example/events";
        let body = json!({ "url": url, "event_types": ["auth.*"], "description": "Fraud" });
        let made = call(&site, Method::POST, WEBHOOKS, Some(body)).await.expect(201).json();
        let path = format!("{WEBHOOKS}/{}", made["id"].as_str().unwrap());
        let change = async |body| call(&site, method.clone(), &path, Some(body)).await;
        for (body, expected) in [
            (json!({ "active": false }), json!([url, ["auth.*"], "Fraud", false])),
            (json!({ "event_types": ["auth.logout"] }), json!([url, ["auth.logout"], "Fraud", false])),
            (json!({ "description": "Audit" }), json!([url, ["auth.logout"], "Audit", false])),
            (json!({ "description": null }), json!([url, ["auth.logout"], null, false])),
            (json!({ "active": null }), json!([url, ["auth.logout"], null, true])),
            (json!({}), json!([url, ["auth.logout"], null, true])),
        ] {
            let told = change(body.clone()).await.expect(200).json();
            let shown = json!([told["url"], told["event_types"], told["description"], told["active"]]);
            assert_eq!(shown, expected, "{method} {body}");
        }
        for member in ["url", "event_types"] {
            let refused = change(json!({ member: null })).await.expect_problem(400, "bad_request").json();
            assert_eq!(refused["error_description"], format!("missing field `{member}`"), "{method}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_deleted_in_one_version_was_not_changed_meanwhile() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    for number in 0..8 {
        let url = format!("https://receiver.example/{number}");
        let body = json!({ "url": url, "event_types": ["auth.*"] });
        let made = call(&site, Method::POST, WEBHOOKS, Some(body)).await.expect(201);
        let path = format!("{WEBHOOKS}/{}", made.json()["id"].as_str().unwrap());
        let version = ("if-match", made.header("etag"));
        let (changed, deleted) = tokio::join!(
            call(&site, Method::PATCH, &path, Some(json!({ "description": "In use" }))),
            site.call_with(Method::DELETE, &path, &token, version, json!(null)),
        );
        let answered = (changed.status, deleted.status);
        assert!([(200, 409), (404, 204)].contains(&answered), "{answered:?}");
    }
}

#[tokio::test]
async fn a_repeated_request_makes_one_subscription_and_has_the_same_secret_in_its_answer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let body = json!({ "url": "https://receiver.example/events", "event_types": ["auth.*"] }).to_string();
    let token = site.mint(|_| ());
    let send = async || {
        let request = Request::post(WEBHOOKS)
            .header("host", &site.host)
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .header("idempotency-key", "one");
        h.send(request.body(Body::from(body.clone())).unwrap()).await.expect(201)
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(first.json(), second.json());
    assert_eq!(second.header("idempotency-replayed"), "true");
}

#[tokio::test]
async fn what_cannot_be_a_subscription_is_refused_with_the_name_of_the_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (url, all) = ("https://receiver.example/events", json!(["auth.*"]));
    for (body, member) in [
        (json!({ "url": "http://receiver.example/", "event_types": all }), "url"),
        (json!({ "url": "https://receiver.example:8443/", "event_types": all }), "url"),
        (json!({ "url": "https://10.0.0.1/", "event_types": all }), "url"),
        (json!({ "url": "https://localhost/", "event_types": all }), "url"),
        (json!({ "url": "https://[::1]/", "event_types": all }), "url"),
        (json!({ "url": "https://user@receiver.example/", "event_types": all }), "url"),
        (json!({ "url": url, "event_types": [] }), "event_types"),
        (json!({ "url": url, "event_types": ["*"] }), "event_types"),
        (json!({ "url": url, "event_types": ["auth.unheard_of"] }), "event_types"),
        (json!({ "url": url, "event_types": all, "description": "x".repeat(501) }), "description"),
        (json!({ "url": url, "event_types": all, "secret": "a".repeat(64) }), "secret"),
        (json!({ "url": url, "event_types": all, "secret": "hunter2" }), "secret"),
        (json!({ "url": url, "event_types": all, "version": 7 }), "version"),
    ] {
        let answer = call(&site, Method::POST, WEBHOOKS, Some(body.clone())).await;
        let detail = answer.expect_problem(400, "bad_request").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(member), "{body}: {detail}");
    }
    let open = Harness::with(&[("SVC_SECURITY__WEBHOOK_ALLOW_NON_STANDARD_PORTS", "true")]).await;
    let site = open.tenant("main").await;
    let other_port = json!({ "url": "https://receiver.example:8443/", "event_types": ["auth.*"] });
    let _ = call(&site, Method::POST, WEBHOOKS, Some(other_port)).await.expect(201);
}

#[tokio::test]
async fn a_secret_that_the_caller_brings_signs_and_is_not_shown() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let secret = svc_keys::token(&SeededEntropy::new(9));
    h.run_jobs().await;
    let body =
        json!({ "url": server.url("/events"), "event_types": ["tenant_user.suspended"], "secret": secret });
    let made = call(&site, Method::POST, WEBHOOKS, Some(body)).await.expect(201);
    assert!(!made.body.contains(&secret), "{made:?}");
    suspend(&site, "ada").await;
    h.run_jobs().await;
    let requests = server.requests("/events");
    assert_eq!(requests.len(), 1);
    verified(&requests[0], &[&secret]);
}

#[tokio::test]
async fn a_rotated_secret_signs_with_the_former_one_until_that_expires() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    let rotate = format!("{}?overlap_secs=3600", webhook.path("/secret"));
    let rotated = call(&site, Method::POST, &rotate, None).await.expect(200).json();
    let second = rotated["secret"].as_str().unwrap();
    let hasty = call(&site, Method::POST, &rotate, None).await.expect_problem(409, "conflict").json();
    assert!(hasty["detail"].as_str().unwrap().starts_with("overlap_secs: the secret before is valid until"));
    suspend(&site, "ada").await;
    h.run_jobs().await;
    verified(&server.requests("/events")[0], &[second, &webhook.secret]);
    assert_eq!(webhook.read(&site).await["former_secret_expires_at"], rotated["former_expires_at"]);
    h.advance(3600);
    suspend(&site, "bob").await;
    h.run_jobs().await;
    verified(&server.requests("/events")[1], &[second]);
    let at_once = format!("{}?overlap_secs=0", webhook.path("/secret"));
    let third = call(&site, Method::POST, &at_once, None).await.expect(200).json();
    assert_eq!(third["former_expires_at"], json!(null));
    suspend(&site, "cy").await;
    h.run_jobs().await;
    verified(&server.requests("/events")[2], &[third["secret"].as_str().unwrap()]);
}

#[tokio::test]
async fn each_change_of_a_subscription_leaves_one_entry_and_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, "https://receiver.example/", "auth.*").await;
    let stop = json!({ "active": false });
    for (method, below, body, action, event) in [
        (Method::POST, "/test", None, "webhook.tested", None),
        (Method::POST, "/secret", None, "webhook.secret_rotated", Some("admin.webhook.secret_rotated")),
        (Method::PATCH, "", Some(stop), "webhook.updated", Some("admin.webhook.updated")),
        (Method::DELETE, "", None, "webhook.deleted", Some("admin.webhook.deleted")),
    ] {
        let [actions, events] = left_by(&h, call(&site, method, &webhook.path(below), body)).await;
        assert_eq!(
            (actions, events),
            (vec![action.to_owned()], event.map(str::to_owned).into_iter().collect())
        );
    }
}
