//! The list of tenants: narrowed, searched and in each order.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Desk, PLANS, TENANTS};
use crate::harness::Harness;

/// Slugs and names, of which some begin alike.
const MADE: [(&str, &str); 7] = [
    ("shop", "Zeta"),
    ("acme", "Shop"),
    ("globex", "shopping list"),
    ("sho-ltd", "Workshop"),
    ("initech", "SHOP"),
    ("shop-two", "Shop two"),
    ("umbrella", "Shop"),
];

impl Desk<'_> {
    /// The tenants that a query finds, in pages of this length.
    async fn found(&self, query: &str, limit: u32) -> Vec<Value> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("{TENANTS}?{query}&limit={limit}{cursor}");
            let page = self.call(Method::GET, &path, None).await.expect(200).json();
            all.extend(page["data"].as_array().unwrap().iter().cloned());
            let Some(next) = page["next_cursor"].as_str() else { return all };
            cursor = format!("&cursor={next}");
        }
    }

    async fn refused(&self, query: &str) -> String {
        let refused = self.call(Method::GET, &format!("{TENANTS}?{query}"), None).await;
        let problem = refused.expect_problem(400, "bad_request").json();
        problem["error_description"].as_str().unwrap().to_owned()
    }

    /// Makes the tenants: those with even numbers on a plan, each third suspended, the one after it deleted. Returns the plan.
    async fn fill(&self) -> String {
        let plan = json!({ "name": "starter", "quotas": { "webhooks": 2 } });
        let plan = self.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
        for (number, (slug, name)) in MADE.into_iter().enumerate() {
            let plan_id = if number % 2 == 0 { plan["id"].clone() } else { Value::Null };
            let new = json!({ "slug": slug, "name": name, "plan_id": plan_id });
            let made = self.call(Method::POST, TENANTS, Some(new)).await.expect(201).json();
            let path = format!("{TENANTS}/{}", text(&made, "id"));
            if number % 3 == 1 {
                let _ = self.call(Method::POST, &format!("{path}/suspend"), None).await.expect(200);
            } else if number % 3 == 2 {
                let _ = self.call(Method::DELETE, &path, None).await.expect(200);
            }
        }
        text(&plan, "id").to_owned()
    }
}

fn text<'a>(tenant: &'a Value, member: &str) -> &'a str {
    tenant[member].as_str().unwrap()
}

/// Under what a list by name has a tenant: its name, or the first of name and slug that begins with what is searched.
fn key(tenant: &Value, search: &str) -> Option<String> {
    let slug = (!search.is_empty()).then(|| text(tenant, "slug"));
    let names = [Some(text(tenant, "name")), slug].into_iter().flatten().map(str::to_ascii_lowercase);
    names.filter(|name| name.starts_with(&search.to_ascii_lowercase())).min()
}

/// The ids of the tenants that a search finds, in an order.
fn expected(tenants: &[&Value], order: &str, search: &str) -> Vec<String> {
    let is_by_name = order.ends_with("name");
    let keys = tenants.iter().filter_map(|one| Some((key(one, search)?, text(one, "id").to_owned())));
    let mut keys: Vec<_> = keys.map(|(key, id)| (if is_by_name { key } else { String::new() }, id)).collect();
    keys.sort();
    if order.starts_with('-') {
        keys.reverse();
    }
    keys.into_iter().map(|(_, id)| id).collect()
}

#[tokio::test]
async fn tenants_are_narrowed_by_status_and_plan_and_searched_in_every_order() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let plan = desk.fill().await;
    let all = desk.found("", 200).await;
    assert_eq!(all.len(), MADE.len() + 1);
    let statuses = [None, Some("active"), Some("suspended"), Some("deleting")];
    for (status, of_plan) in statuses.into_iter().flat_map(|status| [(status, false), (status, true)]) {
        let is_kept = |one: &&Value| {
            status.is_none_or(|status| one["status"] == status) && (!of_plan || one["plan_id"] == *plan)
        };
        let kept: Vec<_> = all.iter().filter(is_kept).collect();
        assert!(!kept.is_empty(), "{status:?} {of_plan}");
        let mut query = status.map(|status| format!("status={status}&")).unwrap_or_default();
        query += &if of_plan { format!("plan_id={plan}&") } else { String::new() };
        for (order, search) in [
            ("created_at", ""),
            ("-created_at", ""),
            ("name", ""),
            ("-name", ""),
            ("name", "SHO"),
            ("-name", "shop"),
        ] {
            let query = format!("{query}sort={order}&search={search}");
            for limit in [1, 200] {
                let found = desk.found(&query, limit).await;
                let found: Vec<_> = found.iter().map(|one| text(one, "id")).collect();
                assert_eq!(found, expected(&kept, order, search), "{query}&limit={limit}");
            }
        }
    }
}

#[tokio::test]
async fn a_tenant_is_found_by_its_name_or_its_slug_and_shown_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    desk.fill().await;
    for (search, slugs) in [
        ("sho", &["sho-ltd", "shop", "acme", "initech", "umbrella", "shop-two", "globex"][..]),
        ("SHOP-", &["shop-two"]),
        ("shop%20", &["shop-two"]),
        ("zeta", &["shop"]),
        ("%25", &[]),
    ] {
        let found = desk.found(&format!("search={search}"), 2).await;
        let mut found: Vec<_> = found.iter().map(|one| text(one, "slug")).collect();
        let mut slugs = slugs.to_vec();
        found.sort_unstable();
        slugs.sort_unstable();
        assert_eq!(found, slugs, "{search}");
    }
    assert!(desk.found("plan_id=pln_00000000000000000000000001", 2).await.is_empty());
}

#[tokio::test]
async fn a_list_of_tenants_refuses_what_it_does_not_have() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    desk.fill().await;
    for (query, told) in [
        ("status=gone", "status: "),
        ("sort=slug", "sort: "),
        ("plan_id=starter", "plan_id: "),
        ("sort=created_at&search=sho", "sort: what is searched is in the order of names"),
    ] {
        let detail = desk.refused(query).await;
        assert!(detail.starts_with(told), "{query}: {detail}");
    }
    let first = desk.call(Method::GET, &format!("{TENANTS}?status=active&limit=1"), None).await;
    let cursor = text(&first.expect(200).json(), "next_cursor").to_owned();
    for other in ["status=deleting", "status=active&sort=name", "search=sho", "limit=1"] {
        let detail = desk.refused(&format!("cursor={cursor}&{other}")).await;
        assert!(detail.starts_with("cursor: it continues a list"), "{other}: {detail}");
    }
}
