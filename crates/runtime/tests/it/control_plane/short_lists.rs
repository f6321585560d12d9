//! The lists of plans and of operators: searched, narrowed, and in each order.

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_http::Method;

use super::{Desk, OPERATORS, PLANS};
use crate::harness::Harness;

/// As many plans as there can be.
const FULL: &str = "INSERT INTO plans (id, name, configuration, created_at, updated_at, version) \
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000) \
     SELECT 'p' || n, 'p' || n, '{}', 1, 1, 1 FROM numbers";

impl Desk<'_> {
    /// The values of a member of the records that a query finds, on one page and on pages of one.
    async fn listed(&self, path: &str, query: &str, member: &str) -> Vec<Value> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let address = format!("{path}?{query}&limit=1{cursor}");
            let page = self.call(Method::GET, &address, None).await.expect(200).json();
            all.extend(page["data"].as_array().unwrap().iter().map(|one| one[member].clone()));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        let whole = self.call(Method::GET, &format!("{path}?{query}"), None).await.expect(200).json();
        let whole: Vec<_> = whole["data"].as_array().unwrap().iter().map(|one| one[member].clone()).collect();
        assert_eq!(all, whole, "{path} {query}");
        all
    }
}

#[tokio::test]
async fn plans_are_searched_by_name_and_walked_in_every_order() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    for name in ["starter", "Business", "startup", "STAR", "free"] {
        h.advance(1);
        let _ = desk.call(Method::POST, PLANS, Some(json!({ "name": name }))).await.expect(201);
    }
    for (query, expected) in [
        ("", &["starter", "Business", "startup", "STAR", "free"][..]),
        ("sort=-created_at", &["free", "STAR", "startup", "Business", "starter"]),
        ("sort=name", &["Business", "free", "STAR", "starter", "startup"]),
        ("sort=-name", &["startup", "starter", "STAR", "free", "Business"]),
        ("search=Star", &["STAR", "starter", "startup"]),
        ("search=start&sort=-name", &["startup", "starter"]),
        ("search=tart", &[]),
    ] {
        assert_eq!(desk.listed(PLANS, query, "name").await, expected, "{query}");
    }
}

#[tokio::test]
async fn there_are_no_more_plans_than_a_list_reads() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(SystemSql::new(FULL), args![]).await.unwrap();
    tx.commit().await.unwrap();
    let refused = desk.call(Method::POST, PLANS, Some(json!({ "name": "starter" }))).await;
    let problem = refused.expect_problem(409, "conflict").json();
    assert_eq!(problem["error_description"], "a deployment has at most 1000 plans; delete another first");
}

#[tokio::test]
async fn operators_are_found_by_their_role_their_name_and_their_address() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    site.user("gordon").await;
    for (name, role) in [("greta", "viewer"), ("ada", "viewer"), ("bob", "tenant_manager")] {
        h.advance(1);
        let one = format!("{OPERATORS}/{}", site.user(name).await.id);
        let _ = desk.call(Method::PUT, &one, Some(json!({ "role": role }))).await.expect(204);
    }
    for (query, expected) in [
        ("", &["grace", "greta", "ada", "bob"][..]),
        ("role=viewer", &["greta", "ada"]),
        ("role=administrator", &["grace"]),
        ("search=g", &["grace", "greta"]),
        ("search=GRE", &["greta"]),
        ("search=ada@main.", &["ada"]),
        ("search=g&role=viewer", &["greta"]),
        ("search=main", &[]),
    ] {
        assert_eq!(desk.listed(OPERATORS, query, "username").await, expected, "{query}");
    }
    let refused = desk.call(Method::GET, &format!("{OPERATORS}?role=owner"), None).await;
    let problem = refused.expect_problem(400, "bad_request").json();
    assert!(problem["error_description"].as_str().unwrap().starts_with("role: "), "{problem}");
}
