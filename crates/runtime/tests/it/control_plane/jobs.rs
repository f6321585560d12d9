//! The processes that run, how their background jobs are doing, and what waits for them.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Desk, Operator};
use crate::harness::Harness;
use crate::webhooks::{Subscription, suspend, with_receiver};

async fn processes(operator: &Operator<'_>) -> Vec<Value> {
    let token = operator.token().await;
    let listed = operator.call(&token, Method::GET, "/api/v1/control-plane/jobs", None).await;
    listed.expect(200).json()["processes"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_operator_sees_the_processes_that_run_with_their_jobs() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let operator = Operator::created(&site, "grace").await;
    assert!(processes(&operator).await.is_empty());
    h.run_jobs().await;
    let now = json!(h.operator().now);
    let found = processes(&operator).await;
    let process = found.first().unwrap();
    assert_eq!((&process["version"], &process["seen_at"]), (&json!(env!("CARGO_PKG_VERSION")), &now));
    let of = |process: &Value, name: &str| {
        let jobs = process["jobs"].as_array().unwrap();
        jobs.iter().find(|job| job["name"] == name).cloned()
    };
    let sync = found.iter().find_map(|process| of(process, "sync")).unwrap();
    assert_eq!(
        (&sync["every_secs"], &sync["failures"], &sync["error"]),
        (&json!(1), &json!(0), &Value::Null)
    );
    assert_eq!((&sync["last_run_at"], &sync["last_success_at"]), (&now, &now));
    assert!(found.iter().any(|process| of(process, "sweep").is_some()), "{found:?}");
    h.advance(46);
    assert!(processes(&operator).await.is_empty(), "what is silent runs no more");
}

#[tokio::test]
async fn an_operator_sees_what_waits_for_a_receiver_that_fails() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let _ = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    let waiting = async || {
        let read = desk.call(Method::GET, "/api/v1/control-plane/queues", None).await.expect(200).json();
        let queues = read["queues"].as_array().unwrap();
        let webhooks = queues.iter().find(|queue| queue["queue"] == "webhooks")?;
        let counts = ["waiting", "due", "failing"].map(|member| webhooks[member].as_i64().unwrap());
        Some((counts, webhooks["due_since"].is_string()))
    };
    assert_eq!(waiting().await, None);
    server.answer_with("/events", "500 Internal Server Error", "");
    suspend(&site, "ada").await;
    h.run_jobs().await;
    assert_eq!(waiting().await, Some(([1, 0, 1], false)));
    h.advance(6);
    assert_eq!(waiting().await, Some(([1, 1, 1], true)));
    server.answer_with("/events", "200 OK", "");
    h.run_jobs().await;
    assert_eq!(waiting().await, None);
}
