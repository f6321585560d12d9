//! The processes that run, and how their background jobs are doing.

use serde_json::{Value, json};
use svc_http::Method;

use super::Operator;
use crate::harness::Harness;

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
