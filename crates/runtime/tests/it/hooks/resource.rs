//! Hooks as an administrator makes, reads, changes, tests and deletes them.

use serde_json::json;
use svc_http::Method;

use super::{HOOKS, answer, asked, call, entries, hook, with_receiver};
use crate::harness::Harness;

#[tokio::test]
async fn a_hook_is_made_read_changed_and_deleted_and_its_secret_is_shown_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let body = json!({ "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "deny" });
    let made = call(&site, Method::POST, HOOKS, Some(body)).await.expect(201);
    let record = made.json();
    let secret = record["secret"].as_str().unwrap();
    let path = format!("{HOOKS}/{}", record["id"].as_str().unwrap());
    assert_eq!(made.header("location"), path);
    let mut shown = record.clone();
    shown.as_object_mut().unwrap().remove("secret");
    assert_eq!(call(&site, Method::GET, &path, None).await.expect(200).json(), shown);
    assert_eq!(
        [&shown["kind"], &shown["is_active"], &shown["order"], &shown["application_ids"]],
        [&json!("http"), &json!(true), &json!(0), &json!([])]
    );
    for path in [HOOKS, "/api/v1/audit"] {
        assert!(!call(&site, Method::GET, path, None).await.expect(200).body.contains(secret), "{path}");
    }
    let patch = json!({ "order": 7, "is_active": false, "timeout_millis": 500 });
    let changed = call(&site, Method::PATCH, &path, Some(patch)).await.expect(200).json();
    assert_eq!([&changed["order"], &changed["timeout_millis"]], [&json!(7), &json!(500)]);
    let whole =
        json!({ "point": "pre_token", "url": "https://receiver.example/other", "on_failure": "allow" });
    let changed = call(&site, Method::PUT, &path, Some(whole)).await.expect(200).json();
    assert_eq!([&changed["order"], &changed["on_failure"]], [&json!(0), &json!("allow")]);
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = call(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
    for action in ["hook.created", "hook.deleted"] {
        assert_eq!(entries(&site, action).await.len(), 1, "{action}");
    }
    assert_eq!(entries(&site, "hook.updated").await.len(), 2);
}

#[tokio::test]
async fn only_those_who_may_read_people_have_an_address_asked_about_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let body =
        json!({ "point": "post_first_factor", "url": "https://receiver.example/hook", "on_failure": "deny" });
    let with = |scope: &str| site.mint(|claims| claims["scope"] = json!(scope));
    let weak = with("hooks:read hooks:write");
    let refused = site.call(Method::POST, HOOKS, Some(&weak), Some(body.clone())).await;
    assert!(refused.expect_problem(403, "insufficient_scope").body.contains("tenant-users:read"));
    let reader = with("hooks:write tenant-users:read");
    let made = site.call(Method::POST, HOOKS, Some(&reader), Some(body)).await.expect(201).json();
    let path = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
    let moved = json!({ "url": "https://elsewhere.example/hook" });
    let refused = site.call(Method::PATCH, &path, Some(&weak), Some(moved)).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
    let _ = site.call(Method::DELETE, &path, Some(&weak), None).await.expect(204);
}

#[tokio::test]
async fn what_cannot_be_a_hook_is_refused_with_the_name_of_the_member() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let theirs = other.app("theirs").await.id;
    let good = json!({ "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "deny" });
    for (member, value) in [
        ("url", json!("http://receiver.example/")),
        ("url", json!("https://10.0.0.1/")),
        ("url", json!("https://localhost/")),
        ("point", json!("post_logout")),
        ("kind", json!("wasm")),
        ("on_failure", json!("retry")),
        ("order", json!(1001)),
        ("timeout_millis", json!(99)),
        ("timeout_millis", json!(3001)),
        ("application_ids", json!([theirs])),
        ("secret", json!("hunter2")),
        ("version", json!(7)),
    ] {
        let mut body = good.clone();
        body[member] = value;
        let refused = call(&site, Method::POST, HOOKS, Some(body.clone())).await;
        let detail = refused.expect_problem(400, "bad_request").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(member), "{body}: {detail}");
    }
    let mut silent = good;
    silent.as_object_mut().unwrap().remove("on_failure");
    let _ = call(&site, Method::POST, HOOKS, Some(silent)).await.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn a_hook_for_a_deleted_application_is_not_asked_for_others() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (gone, stays) = (site.app("gone").await.id, site.app("stays").await.id);
    let mut paths = Vec::new();
    for ids in [json!([gone]), json!([gone, stays])] {
        let body = json!({
            "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "deny", "application_ids": ids
        });
        let made = call(&site, Method::POST, HOOKS, Some(body)).await.expect(201).json();
        paths.push(format!("{HOOKS}/{}", made["id"].as_str().unwrap()));
    }
    let _ = call(&site, Method::DELETE, &format!("/api/v1/applications/{gone}"), None).await.expect(204);
    let _ = call(&site, Method::GET, &paths[0], None).await.expect_problem(404, "not_found");
    let left = call(&site, Method::GET, &paths[1], None).await.expect(200).json();
    assert_eq!(left["application_ids"], json!([stays]));
    assert_eq!(
        (entries(&site, "hook.deleted").await.len(), entries(&site, "hook.updated").await.len()),
        (1, 1)
    );
}

#[tokio::test]
async fn a_tenant_has_as_many_hooks_as_the_configuration_allows() {
    let h = Harness::with(&[("SVC_HOOKS__MAX_PER_TENANT", "1")]).await;
    let site = h.tenant("main").await;
    let body = json!({ "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "deny" });
    let _ = call(&site, Method::POST, HOOKS, Some(body.clone())).await.expect(201);
    let _ = call(&site, Method::POST, HOOKS, Some(body)).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn a_test_shows_what_was_sent_and_what_came_of_it() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let claims = json!({ "access_token": { "tier": 3 }, "id_token": {} });
    answer(&server, "/hook", &json!({ "verdict": "allow", "claims": claims }));
    let made = hook(&site, &server, "/hook", json!({})).await;
    let test = format!("{}/test", made.path);
    let shown = call(&site, Method::POST, &test, None).await.expect(200).json();
    assert_eq!([&shown["verdict"], &shown["claims"]], [&json!("allow"), &claims]);
    assert_eq!([&shown["fault"], &shown["response"]["status"]], [&json!(null), &json!(200)]);
    assert!(shown["took_ms"].is_u64());
    let sent = asked(&server.requests("/hook")[0], &[&made.secret]);
    assert_eq!(sent, shown["request"]["body"]);
    assert_eq!([&sent["point"], &sent["subject"]["type"]], [&json!("pre_token"), &json!("application")]);
    assert_eq!(shown["request"]["headers"]["x-svc-event"], "hook.pre_token");

    let _ = call(&site, Method::POST, &test, None).await.expect_problem(429, "rate_limited");
    h.advance(11);
    server.answer_with("/hook", "500 Oops", &format!("I know {}", made.secret));
    let shown = call(&site, Method::POST, &test, None).await.expect(200).json();
    assert_eq!([&shown["verdict"], &shown["claims"]], [&json!(null), &json!(null)]);
    assert_eq!(shown["response"], json!({ "status": 500, "body": "I know ***" }));
    assert_eq!(shown["fault"], "the status 500 is not 200");
}

#[tokio::test]
async fn a_rotated_secret_signs_with_the_former_one_until_that_expires() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    site.api(super::NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    let made = hook(&site, &server, "/allow", json!({})).await;
    web.own_token("notes:read", super::NOTES).await;
    let rotate = format!("{}/secret?overlap_secs=3600", made.path);
    let second = call(&site, Method::POST, &rotate, None).await.expect(200).json();
    let second = second["secret"].as_str().unwrap();
    let _ = call(&site, Method::POST, &rotate, None).await.expect_problem(409, "conflict");
    let _ = h.informed_app().await;
    web.own_token("notes:read", super::NOTES).await;
    h.advance(3601);
    web.own_token("notes:read", super::NOTES).await;
    let requests = server.requests("/allow");
    assert_eq!(requests.len(), 3);
    asked(&requests[0], &[&made.secret]);
    asked(&requests[1], &[second, &made.secret]);
    asked(&requests[2], &[second]);
}
