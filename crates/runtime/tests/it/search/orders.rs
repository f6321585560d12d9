//! Lists in the order that is asked for: by the time of creation or by name, from either end.

use serde_json::json;
use svc_http::Method;

use super::{NAMES, fill, ids, records, send};
use crate::harness::{Harness, Site};

const APPLICATIONS: &str = "/api/v1/applications";
const ORGANIZATIONS: &str = "/api/v1/organizations";
const USERS: &str = "/api/v1/tenant-users";
/// Every list that is ordered by name and may be long; the short ones are in `short.rs`.
const NAMED: [&str; 7] = [
    APPLICATIONS,
    ORGANIZATIONS,
    "/api/v1/apis",
    "/api/v1/roles",
    "/api/v1/groups",
    "/api/v1/policies",
    "/api/v1/trusted-issuers",
];

/// Makes an organization of each name; returns their ids.
async fn organizations(site: &Site<'_>) -> Vec<String> {
    let owner = site.user("owner").await.id;
    let mut ids = Vec::new();
    for (number, name) in NAMES.iter().enumerate() {
        let new = json!({ "slug": format!("r{number}"), "name": name, "owner_id": owner });
        let made = send(site, Method::POST, ORGANIZATIONS, Some(new), 201).await;
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    ids
}

#[tokio::test]
async fn records_are_listed_by_their_creation_or_their_name_from_either_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for path in NAMED {
        if path == ORGANIZATIONS {
            organizations(&site).await
        } else {
            fill(&site, path).await
        };
        let oldest = ids(&site, path, "").await;
        let mut records = records(&site, path, "").await;
        records
            .sort_by_key(|one| (one["name"].as_str().unwrap().to_ascii_lowercase(), one["id"].to_string()));
        let by_name: Vec<_> = records.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        let mut searched = records.clone();
        searched.retain(|one| one["name"].as_str().unwrap().to_ascii_lowercase().starts_with("sho"));
        let searched: Vec<_> = searched.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        let backwards = |ids: &[String]| ids.iter().rev().cloned().collect::<Vec<_>>();
        for (query, expected) in [
            ("sort=created_at", oldest.clone()),
            ("sort=-created_at", backwards(&oldest)),
            ("search=SHO", searched.clone()),
            ("sort=name", by_name.clone()),
            ("sort=-name", backwards(&by_name)),
            ("sort=name&search=SHO", searched.clone()),
            ("sort=-name&search=SHO", backwards(&searched)),
        ] {
            assert_eq!(ids(&site, path, query).await, expected, "{path} {query}");
        }
    }
}

#[tokio::test]
async fn people_are_listed_from_the_newest_on() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut oldest = Vec::new();
    for name in ["ada", "bob", "eve"] {
        oldest.push(site.user(name).await.id.to_string());
    }
    // Ids of one moment are in no order.
    oldest.sort();
    let invited = json!({ "email": "zoe@new.example", "invite": true });
    send(&site, Method::POST, USERS, Some(invited), 201).await;
    assert_eq!(ids(&site, USERS, "sort=created_at&status=active").await, oldest);
    oldest.reverse();
    assert_eq!(ids(&site, USERS, "sort=-created_at&status=active").await, oldest);
    let mut all = ids(&site, USERS, "sort=created_at").await;
    all.reverse();
    assert_eq!((ids(&site, USERS, "sort=-created_at").await, all.len()), (all, 4));
}

#[tokio::test]
async fn an_order_that_a_list_does_not_have_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    fill(&site, APPLICATIONS).await;
    for (path, told) in [
        (format!("{APPLICATIONS}?sort=handle"), "sort: "),
        (format!("{APPLICATIONS}?sort=name&sort=-name"), "sort"),
        ("/api/v1/roles?sort=created".to_owned(), "sort: "),
        (
            "/api/v1/policies?sort=-created_at&search=sho&status=draft".to_owned(),
            "sort: what is searched is in the order of names",
        ),
        (
            format!("{APPLICATIONS}?sort=created_at&search=sho"),
            "sort: what is searched is in the order of names",
        ),
        (format!("{USERS}?sort=name"), "sort: "),
        (format!("{USERS}?sort=-created_at&search=ada"), "sort: what is searched is in the order of names"),
    ] {
        let refused = send(&site, Method::GET, &path, None, 400).await;
        assert_eq!(refused["error"], "bad_request", "{path}");
        assert!(refused["error_description"].as_str().unwrap().contains(told), "{path}: {refused}");
    }
    let first = send(&site, Method::GET, &format!("{APPLICATIONS}?sort=name&limit=1"), None, 200).await;
    let cursor = first["next_cursor"].as_str().unwrap();
    for other in ["sort=-name", "sort=created_at", "search=sho", "limit=1"] {
        let path = format!("{APPLICATIONS}?cursor={cursor}&{other}");
        let refused = send(&site, Method::GET, &path, None, 400).await;
        let told = refused["error_description"].as_str().unwrap();
        assert!(told.starts_with("cursor: it continues a list"), "{path}: {refused}");
    }
}
