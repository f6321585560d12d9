//! Streams as an administrator makes, reads, changes and deletes them.

use serde_json::{Value, json};
use svc_http::Method;

use super::{STREAMS, Stream, call, happen, with_receiver};
use crate::changes::left_by;
use crate::harness::Harness;
use crate::mtls::authority::Authority;

fn s3(changes: &[(&str, Value)]) -> Value {
    let mut s3 = json!({
        "endpoint": "https://storage.example", "region": "eu-central-1", "bucket": "audit", "access_key_id": "AKIAEXAMPLE",
    });
    for (name, value) in changes {
        s3[*name] = value.clone();
    }
    json!({ "s3": s3 })
}

#[tokio::test]
async fn a_secret_is_shown_once_where_it_was_made_and_never_where_it_was_brought() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let to = json!({ "webhook": { "url": "https://receiver.example/audit" } });
    let made =
        call(&site, Method::POST, STREAMS, Some(json!({ "name": "A", "destination": to }))).await.expect(201);
    let record = made.json();
    let secret = record["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("svc_whsec_"));
    let path = format!("{STREAMS}/{}", record["id"].as_str().unwrap());
    let mut shown = record.clone();
    shown.as_object_mut().unwrap().remove("secret");
    assert_eq!(call(&site, Method::GET, &path, None).await.expect(200).json(), shown);
    let brought = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    let body = json!({ "name": "B", "destination": s3(&[]), "secret": brought });
    let storage = call(&site, Method::POST, STREAMS, Some(body)).await.expect(201);
    assert!(!storage.body.contains(brought));
    assert_eq!(storage.json()["destination"]["s3"]["interval_secs"], 60);
    let renamed =
        call(&site, Method::PATCH, &path, Some(json!({ "name": "C", "secret": "s".repeat(64) }))).await;
    let _ = renamed.expect_problem(400, "bad_request");
    let other = svc_keys::token(&svc_core::SeededEntropy::new(9));
    let replaced =
        call(&site, Method::PATCH, &path, Some(json!({ "name": "C", "secret": other }))).await.expect(200);
    assert_eq!(replaced.json()["name"], "C");
    h.run_jobs().await;
    for path in [STREAMS, "/api/v1/audit", "/api/v1/events"] {
        let list = call(&site, Method::GET, path, None).await.expect(200).body;
        for secret in [&secret, brought, &other] {
            assert!(!list.contains(secret), "{path}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_a_stream_is_refused_with_the_name_of_the_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let authority = Authority::new("Logs");
    let (ours, other) = (authority.issue("svc.example"), authority.issue("svc.example"));
    let webhook = |url: &str| json!({ "webhook": { "url": url } });
    let syslog = |host: &str, port: u16| json!({ "syslog": { "host": host, "port": port } });
    let with_certificate =
        json!({ "syslog": { "host": "logs.example", "client_certificate_pem": ours.pem } });
    let key = Some("k");
    for (destination, secret, member) in [
        (webhook("http://receiver.example/"), None, "destination.webhook.url: "),
        (webhook("https://10.0.0.1/"), None, "destination.webhook.url: "),
        (webhook("https://receiver.example:8443/"), None, "destination.webhook.url: "),
        (webhook("https://receiver.example/"), Some("hunter2"), "secret: "),
        (syslog("localhost", 6514), None, "destination.syslog: "),
        (syslog("127.0.0.1", 6514), None, "destination.syslog: "),
        (syslog("::1", 6514), None, "destination.syslog: "),
        (syslog("169.254.169.254", 6514), None, "destination.syslog: "),
        (syslog("logs.example", 22), None, "destination.syslog: "),
        (syslog("logs.example", 6514), key, "secret: "),
        (
            json!({ "syslog": { "host": "logs.example", "ca_pem": "none" } }),
            None,
            "destination.syslog: ca_pem: ",
        ),
        (with_certificate.clone(), None, "secret: "),
        (with_certificate.clone(), Some(other.key_pem.as_str()), "secret: "),
        (s3(&[]), None, "secret: "),
        (s3(&[("endpoint", json!("http://storage.example"))]), key, "destination.s3.endpoint: "),
        (s3(&[("endpoint", json!("https://192.168.1.1"))]), key, "destination.s3.endpoint: "),
        (s3(&[("bucket", json!("a/../b"))]), key, "destination.s3.bucket: "),
        (s3(&[("prefix", json!("../other"))]), key, "destination.s3.prefix: "),
        (s3(&[("region", json!("eu central"))]), key, "destination.s3.region: "),
        (s3(&[("interval_secs", json!(0))]), key, "destination.s3.interval_secs: "),
        (json!({ "kafka": {} }), None, "destination: expected one of webhook, syslog, s3"),
        (json!({}), None, ""),
    ] {
        let mut body = json!({ "name": "A", "destination": destination });
        if let Some(secret) = secret {
            body["secret"] = json!(secret);
        }
        let answer = call(&site, Method::POST, STREAMS, Some(body.clone())).await;
        let detail = answer.expect_problem(400, "bad_request").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(member), "{body}: {detail}");
    }
    let body = json!({ "name": "A", "destination": with_certificate, "secret": ours.key_pem });
    let made = call(&site, Method::POST, STREAMS, Some(body)).await.expect(201);
    assert!(!made.body.contains("PRIVATE KEY"));
}

#[tokio::test]
async fn a_tenant_has_as_many_streams_as_the_configuration_says() {
    let h = Harness::with(&[("SVC_AUDIT_LOG__MAX_STREAMS", "2")]).await;
    let site = h.tenant("main").await;
    let to = json!({ "webhook": { "url": "https://receiver.example/audit" } });
    let one = Stream::new(&site, to.clone(), None).await;
    let _ = Stream::new(&site, to.clone(), None).await;
    let body = json!({ "name": "Third", "destination": to });
    let refused =
        call(&site, Method::POST, STREAMS, Some(body.clone())).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("at most 2 streams"));
    let _ = call(&site, Method::DELETE, &one.path(""), None).await.expect(204);
    let _ = call(&site, Method::POST, STREAMS, Some(body)).await.expect(201);
}

#[tokio::test]
async fn only_who_may_read_the_log_may_send_it_somewhere() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|claims| claims["scope"] = json!("audit-streams:read audit-streams:write"));
    let to = json!({ "webhook": { "url": "https://receiver.example/audit" } });
    let body = json!({ "name": "A", "destination": to });
    let refused = site.call(Method::POST, STREAMS, Some(&token), Some(body.clone())).await;
    assert!(refused.expect(403).body.contains("audit:read"));
    let stream = Stream::new(&site, to, None).await;
    let elsewhere = json!({ "destination": { "webhook": { "url": "https://attacker.example/" } } });
    let refused = site.call(Method::PATCH, &stream.path(""), Some(&token), Some(elsewhere)).await;
    assert!(refused.expect(403).body.contains("audit:read"));
    let reader = "audit:read audit-streams:read audit-streams:write";
    let reader = site.mint(|claims| claims["scope"] = json!(reader));
    let _ = site.call(Method::POST, STREAMS, Some(&reader), Some(body)).await.expect(201);
}

#[tokio::test]
async fn each_change_of_a_stream_leaves_one_entry_and_none_where_nothing_changes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, json!({ "webhook": { "url": "https://receiver.example/" } }), None).await;
    for (method, below, body, action) in [
        (Method::POST, "/test", None, Some("audit_stream.tested")),
        (Method::PATCH, "", Some(json!({ "active": true })), None),
        (Method::PATCH, "", Some(json!({ "active": false })), Some("audit_stream.updated")),
        (Method::DELETE, "", None, Some("audit_stream.deleted")),
    ] {
        let left = left_by(&h, call(&site, method, &stream.path(below), body)).await;
        let told =
            action.filter(|action| *action != "audit_stream.tested").map(|action| format!("admin.{action}"));
        assert_eq!(
            left,
            [action.map(str::to_owned).into_iter().collect::<Vec<_>>(), told.into_iter().collect()]
        );
    }
}

#[tokio::test]
async fn a_stream_to_another_kind_of_destination_needs_its_secret() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let stream = Stream::new(&site, s3(&[]), Some("secret-access-key")).await;
    let to = json!({ "s3": null, "webhook": { "url": server.url("/audit") } });
    let change = json!({ "destination": to });
    let refused = call(&site, Method::PATCH, &stream.path(""), Some(change.clone())).await;
    assert!(refused.expect_problem(400, "bad_request").body.contains("secret: "));
    let secret = svc_keys::token(&svc_core::SeededEntropy::new(9));
    let with_secret = json!({ "destination": change["destination"], "secret": secret });
    let _ = call(&site, Method::PATCH, &stream.path(""), Some(with_secret)).await.expect(200);
    let role = happen(&site, "role").await;
    h.run_jobs().await;
    let posted = server.requests("/audit").pop().unwrap();
    let batch = crate::webhooks::verified(&posted, &[&secret]);
    assert!(batch["data"]["entries"].as_array().unwrap().iter().any(|entry| entry["target"] == role));
}
