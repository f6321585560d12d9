//! Policies are narrowed by their status, their organization and a search at once, in each order.

use serde_json::{Value, json};
use svc_http::Method;

use super::{send, walked};
use crate::harness::{Harness, Site};

const POLICIES: &str = "/api/v1/policies";
const ORDERS: [Option<&str>; 5] =
    [None, Some("created_at"), Some("-created_at"), Some("name"), Some("-name")];

/// Some policies of one organization and of none, in two statuses; returns the organization.
async fn fill(site: &Site<'_>) -> String {
    let owner = site.user("owner").await;
    let organization = site.organization("acme", owner.id).await.id.to_string();
    for (name, status, is_of_organization) in [
        ("Shop b", "active", false),
        ("Shop a", "draft", true),
        ("shop c", "active", true),
        ("Work", "active", true),
        ("Shop a", "active", true),
        ("Shop d", "archived", false),
    ] {
        let new = json!({
            "name": name, "status": status, "text": "permit(principal, action, resource);",
            "organization_id": is_of_organization.then_some(&organization),
        });
        send(site, Method::POST, POLICIES, Some(new), 201).await;
    }
    organization
}

/// What a list is asked for.
struct ListQuery<'a> {
    status: Option<&'a str>,
    organization: Option<&'a str>,
    search: Option<&'a str>,
    sort: Option<&'a str>,
}

impl ListQuery<'_> {
    fn query(&self) -> String {
        let members = [
            ("status", self.status),
            ("organization_id", self.organization),
            ("search", self.search),
            ("sort", self.sort),
        ];
        let given = members.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        given.collect::<Vec<_>>().join("&")
    }

    /// Those of all policies, by id, that are asked for, in the order that is asked for.
    fn of(&self, all: &[Value]) -> Vec<Value> {
        let is = |wanted: Option<&str>, known: &Value| wanted.is_none_or(|wanted| known == wanted);
        let fits = |policy: &&Value| {
            is(self.status, &policy["status"])
                && is(self.organization, &policy["organization_id"])
                && self.search.is_none_or(|search| name(policy).starts_with(search))
        };
        let mut found: Vec<Value> = all.iter().filter(fits).cloned().collect();
        let usual = if self.search.is_some() { "name" } else { "created_at" };
        let sort = self.sort.unwrap_or(usual);
        if sort.ends_with("name") {
            found.sort_by_key(|policy| (name(policy), policy["id"].to_string()));
        }
        if sort.starts_with('-') {
            found.reverse();
        }
        found
    }
}

fn name(policy: &Value) -> String {
    policy["name"].as_str().unwrap().to_ascii_lowercase()
}

#[tokio::test]
async fn every_filter_holds_with_every_other_in_every_order() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let organization = fill(&site).await;
    let all = walked(&site, POLICIES, "").await;
    assert_eq!(all.len(), 6);
    for status in [None, Some("active"), Some("shadow")] {
        for organization in [None, Some(organization.as_str())] {
            for search in [None, Some("shop"), Some("shop a")] {
                for sort in ORDERS {
                    if search.is_some() && sort.is_some_and(|sort| sort.ends_with("created_at")) {
                        continue;
                    }
                    let asked = ListQuery { status, organization, search, sort };
                    let query = asked.query().replace(' ', "%20");
                    assert_eq!(walked(&site, POLICIES, &query).await, asked.of(&all), "{query}");
                }
            }
        }
    }
}
