//! Lists that are narrowed by several parameters at once, in every order: organizations and applications.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_http::Method;

use super::{NAMES, id, new, pages, records, send};
use crate::harness::{Harness, Site};

const APPLICATIONS: &str = "/api/v1/applications";
const ORGANIZATIONS: &str = "/api/v1/organizations";

/// Every order, and what is searched in it.
const EACH: &[(&str, &str)] = &[
    ("created_at", ""),
    ("-created_at", ""),
    ("name", ""),
    ("-name", ""),
    ("name", "&search=SHO"),
    ("-name", "&search=SHO"),
];
/// The same where several parameters are given.
const SOME: &[(&str, &str)] = &[("-created_at", ""), ("name", "&search=SHO")];

/// A parameter with its value as a query has it, and the ids of the records that it keeps.
#[derive(Clone)]
struct Choice {
    query: String,
    kept: BTreeSet<String>,
}

impl Choice {
    fn of(all: &[Value], query: String, is_kept: impl Fn(&Value) -> bool) -> Self {
        Self { query, kept: all.iter().filter(|one| is_kept(one)).map(id).collect() }
    }

    fn and(&self, other: &Self) -> Self {
        let query = format!("{}&{}", self.query, other.query);
        Self { query, kept: self.kept.intersection(&other.kept).cloned().collect() }
    }
}

/// Each choice alone, and with those of the other parameters.
fn combined(parameters: &[Vec<Choice>]) -> Vec<Choice> {
    let mut all: Vec<Choice> = Vec::new();
    for choices in parameters {
        let with_others = all.iter().flat_map(|one| choices.iter().map(|choice| one.and(choice)));
        let added: Vec<_> = with_others.chain(choices.iter().cloned()).collect();
        all.extend(added);
    }
    all
}

/// The ids of records in an order.
fn in_order<'a>(records: impl Iterator<Item = &'a Value>, order: &str) -> Vec<String> {
    let mut keys: Vec<_> = records
        .map(|one| match order.trim_start_matches('-') {
            "name" => (one["name"].as_str().unwrap().to_ascii_lowercase(), id(one)),
            _ => (String::new(), id(one)),
        })
        .collect();
    keys.sort();
    if order.starts_with('-') {
        keys.reverse();
    }
    keys.into_iter().map(|(_, id)| id).collect()
}

/// Asks for each choice in every order, and for several choices together in one by creation and in one by name.
async fn check(site: &Site<'_>, path: &str, all: &[Value], parameters: &[Vec<Choice>]) {
    for Choice { query, kept } in combined(parameters) {
        let orders = if query.contains('&') { SOME } else { EACH };
        for (order, search) in orders {
            let is_found = |one: &&Value| {
                let name = one["name"].as_str().unwrap().to_ascii_lowercase();
                kept.contains(&id(one)) && (search.is_empty() || name.starts_with("sho"))
            };
            let expected = in_order(all.iter().filter(is_found), order);
            let query = format!("{query}&sort={order}{search}");
            for limit in [1, 200] {
                let found: Vec<_> = pages(site, path, &query, limit).await.iter().map(id).collect();
                assert_eq!(found, expected, "{path}?{query}&limit={limit}");
            }
        }
        let found: Vec<_> = records(site, path, &query).await.iter().map(id).collect();
        assert_eq!(found, kept.into_iter().collect::<Vec<_>>(), "{path}?{query}");
    }
}

async fn refused(site: &Site<'_>, path: &str, query: &str) -> String {
    let refused = send(site, Method::GET, &format!("{path}?{query}"), None, 400).await;
    refused["error_description"].as_str().unwrap().to_owned()
}

/// Organizations of each name: those with even numbers are Ada's, each third is suspended, and Cy is in the first five.
async fn organizations(site: &Site<'_>, [ada, bob, cy]: [&str; 3]) -> Vec<Value> {
    for (number, name) in NAMES.iter().enumerate() {
        let owner = if number % 2 == 0 { ada } else { bob };
        let new = json!({ "slug": format!("r{number}"), "name": name, "owner_id": owner });
        let made = send(site, Method::POST, ORGANIZATIONS, Some(new), 201).await;
        let path = format!("{ORGANIZATIONS}/{}", id(&made));
        if number < 5 {
            let member = format!("{path}/members/{cy}");
            send(site, Method::PUT, &member, Some(json!({ "roles": [] })), 200).await;
        }
        if number % 3 == 0 {
            send(site, Method::PATCH, &path, Some(json!({ "status": "suspended" })), 200).await;
        }
    }
    records(site, ORGANIZATIONS, "").await
}

#[tokio::test]
async fn organizations_are_narrowed_by_status_owner_and_member_in_every_order() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let [ada, bob, cy] = [site.user("ada").await, site.user("bob").await, site.user("cy").await];
    let [ada, bob, cy] = [ada, bob, cy].map(|person| person.id.to_string());
    let all = organizations(&site, [&ada, &bob, &cy]).await;
    let of = |query: String, is_kept: &dyn Fn(&Value) -> bool| Choice::of(&all, query, is_kept);
    let first_five = |one: &Value| ["r0", "r1", "r2", "r3", "r4"].iter().any(|slug| one["slug"] == *slug);
    let parameters = [
        ["active", "suspended"].map(|status| of(format!("status={status}"), &|one| one["status"] == status)),
        [&ada, &bob].map(|owner| of(format!("owner_id={owner}"), &|one| one["owner_id"] == **owner)),
        [
            of(format!("tenant_user_id={bob}"), &|one| one["owner_id"] == *bob),
            of(format!("tenant_user_id={cy}"), &first_five),
        ],
    ];
    check(&site, ORGANIZATIONS, &all, &parameters.map(Vec::from)).await;
    for (query, count) in [
        (format!("slug=r0&status=suspended&owner_id={ada}&tenant_user_id={cy}"), 1),
        ("slug=r0&status=active".to_owned(), 0),
        (format!("slug=r0&owner_id={bob}"), 0),
        (format!("slug=r0&tenant_user_id={bob}"), 0),
        (format!("slug=r9&tenant_user_id={cy}"), 0),
    ] {
        assert_eq!(records(&site, ORGANIZATIONS, &query).await.len(), count, "{query}");
    }
}

#[tokio::test]
async fn who_is_removed_or_of_another_tenant_is_in_no_organization_that_a_list_shows() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let [ada, bob, cy] = [site.user("ada").await, site.user("bob").await, site.user("cy").await];
    let [ada, bob, cy] = [ada, bob, cy].map(|person| person.id.to_string());
    organizations(&site, [&ada, &bob, &cy]).await;
    let dan = other.user("dan").await.id.to_string();
    let theirs = json!({ "slug": "r0", "name": "Shop", "owner_id": dan });
    send(&other, Method::POST, ORGANIZATIONS, Some(theirs), 201).await;
    for person in [dan.as_str(), "usr_00000000000000000000000000"] {
        for parameter in ["owner_id", "tenant_user_id"] {
            let query = format!("{parameter}={person}");
            assert!(records(&site, ORGANIZATIONS, &query).await.is_empty(), "{query}");
        }
    }
    assert_eq!(records(&other, ORGANIZATIONS, &format!("tenant_user_id={dan}")).await.len(), 1);
    assert_eq!(records(&site, ORGANIZATIONS, &format!("tenant_user_id={cy}")).await.len(), 5);
    send(&site, Method::DELETE, &format!("/api/v1/tenant-users/{cy}"), None, 204).await;
    for query in [format!("tenant_user_id={cy}"), format!("slug=r0&tenant_user_id={cy}")] {
        assert!(records(&site, ORGANIZATIONS, &query).await.is_empty(), "{query}");
    }
    for (query, told) in [("status=gone", "status: "), ("owner_id=ada", "owner_id: ")] {
        let detail = refused(&site, ORGANIZATIONS, query).await;
        assert!(detail.starts_with(told), "{query}: {detail}");
    }
}

#[tokio::test]
async fn applications_are_narrowed_by_type_and_by_what_they_are_in_every_order() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    for (number, name) in NAMES.iter().enumerate() {
        let mut document = new(APPLICATIONS, number, name);
        document["type"] = json!(if number % 2 == 0 { "web" } else { "machine" });
        document["first_party"] = json!(number % 3 == 0);
        send(&other, Method::POST, APPLICATIONS, Some(document.clone()), 201).await;
        let made = send(&site, Method::POST, APPLICATIONS, Some(document), 201).await;
        if number % 4 < 2 {
            let path = format!("{APPLICATIONS}/{}", id(&made));
            send(&site, Method::PATCH, &path, Some(json!({ "enabled": false })), 200).await;
        }
    }
    let all = records(&site, APPLICATIONS, "").await;
    let parameters: Vec<Vec<_>> = [
        ("type", vec![json!("web"), json!("machine"), json!("spa")]),
        ("enabled", vec![json!(true), json!(false)]),
        ("first_party", vec![json!(true), json!(false)]),
    ]
    .into_iter()
    .map(|(name, values)| {
        let choice = |value: &Value| {
            let text = value.to_string().replace('"', "");
            Choice::of(&all, format!("{name}={text}"), |one| one[name] == *value)
        };
        values.iter().map(choice).collect()
    })
    .collect();
    check(&site, APPLICATIONS, &all, &parameters).await;
    for (query, told) in
        [("type=robot", "type: "), ("enabled=maybe", "enabled: "), ("first_party=", "first_party: ")]
    {
        let detail = refused(&site, APPLICATIONS, query).await;
        assert!(detail.starts_with(told), "{query}: {detail}");
    }
}

#[tokio::test]
async fn a_changed_application_is_found_by_what_it_is_at_present() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let made = send(&site, Method::POST, APPLICATIONS, Some(new(APPLICATIONS, 0, "Shop")), 201).await;
    let path = format!("{APPLICATIONS}/{}", id(&made));
    let change = json!({ "type": "native", "first_party": true, "enabled": false });
    send(&site, Method::PATCH, &path, Some(change), 200).await;
    for (query, is_found) in [
        ("type=native", true),
        ("type=web", false),
        ("first_party=true&enabled=false", true),
        ("first_party=true&enabled=true", false),
        ("handle=r0&type=native&first_party=true&enabled=false", true),
        ("handle=r0&type=web", false),
        ("handle=r0&first_party=false", false),
        ("handle=r0&enabled=true", false),
    ] {
        let found: Vec<_> = records(&site, APPLICATIONS, query).await.iter().map(id).collect();
        let expected: Vec<_> = is_found.then(|| id(&made)).into_iter().collect();
        assert_eq!(found, expected, "{query}");
    }
}
