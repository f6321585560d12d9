//! Lists that are searched by the beginning of a name: applications, APIs, trusted issuers. Roles are in `roles.rs`. And lists in an
//! order, and those that are narrowed by what their records have.

mod acting;
mod combined;
mod cursors;
mod filters;
mod history;
mod made;
mod narrowed;
mod orders;
mod people;
mod policies;
mod short;
mod switches;
mod whole;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Harness, Site};

/// The kinds of records, each with the member that names one exactly.
const KINDS: [(&str, &str); 3] = [
    ("/api/v1/applications", "handle"),
    ("/api/v1/apis", "identifier"),
    ("/api/v1/trusted-issuers", "issuer"),
];

const NAMES: [&str; 8] =
    ["Shop", "shopping list", "Shop", "Sho", "Workshop", "Shop_%", "\u{dc}berblick", "SHOP"];

/// The document that makes a record of this name.
fn new(path: &str, number: usize, name: &str) -> Value {
    let address = format!("https://r{number}.example");
    match path {
        "/api/v1/applications" => json!({ "handle": format!("r{number}"), "name": name }),
        "/api/v1/apis" => json!({ "identifier": address, "name": name }),
        "/api/v1/roles" | "/api/v1/groups" => json!({ "name": name }),
        "/api/v1/policies" => json!({ "name": name, "text": "permit(principal, action, resource);" }),
        _ => {
            let key =
                json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
            json!({ "issuer": address, "name": name, "jwks": { "keys": [key] } })
        }
    }
}

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>, status: u16) -> Value {
    let answer = site.call(method, path, Some(&site.mint(|_| ())), body).await.expect(status);
    if answer.body.is_empty() { Value::Null } else { answer.json() }
}

/// Makes a record of each name, but no second one of a name that only one may have; returns their ids.
async fn fill(site: &Site<'_>, path: &str) -> Vec<String> {
    let (mut ids, mut taken) = (Vec::new(), BTreeSet::new());
    let is_unique = ["/api/v1/roles", "/api/v1/groups"].contains(&path);
    let names = NAMES.iter().enumerate().filter(|(_, name)| taken.insert(**name) || !is_unique);
    for (number, name) in names {
        let made = send(site, Method::POST, path, Some(new(path, number, name)), 201).await;
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    ids
}

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap().to_owned()
}

/// The records that a query finds, in pages of two.
async fn records(site: &Site<'_>, path: &str, query: &str) -> Vec<Value> {
    pages(site, path, query, 2).await
}

/// The same, which are found on one page and on pages of one.
pub async fn walked(site: &Site<'_>, path: &str, query: &str) -> Vec<Value> {
    let (one_by_one, whole) = (pages(site, path, query, 1).await, pages(site, path, query, 200).await);
    assert_eq!(one_by_one, whole, "{path} {query}");
    whole
}

/// The same in pages of another length.
async fn pages(site: &Site<'_>, path: &str, query: &str, limit: usize) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = send(site, Method::GET, &format!("{path}?{query}&limit={limit}{cursor}"), None, 200).await;
        let found = page["data"].as_array().unwrap();
        all.extend(found.iter().cloned());
        let Some(next) = page["next_cursor"].as_str() else { return all };
        assert_eq!(found.len(), limit, "{path} {query}: a page that another one follows is full");
        cursor = format!("&cursor={next}");
    }
}

/// The ids of the records that a query finds.
async fn ids(site: &Site<'_>, path: &str, query: &str) -> Vec<String> {
    walked(site, path, query).await.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

/// Their ids and names.
async fn found(site: &Site<'_>, path: &str, query: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = records(site, path, query).await;
    all.iter().map(|record| (text(&record["id"]), text(&record["name"]))).collect()
}

#[tokio::test]
async fn a_search_finds_the_tenants_records_whose_name_begins_so_in_the_order_of_names() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    for (path, _) in KINDS {
        let (ids, _) = (fill(&site, path).await, fill(&other, path).await);
        for (search, expected) in [
            ("sHop", &[0, 1, 2, 5, 7][..]),
            ("shop_", &[5]),
            ("%25", &[]),
            ("%C3%9Cber", &[6]),
            ("s", &[0, 1, 2, 3, 5, 7]),
        ] {
            let mut expected: Vec<_> =
                expected.iter().map(|at| (ids[*at].clone(), NAMES[*at].to_owned())).collect();
            expected.sort_by_key(|(id, name)| (name.to_ascii_lowercase(), id.clone()));
            assert_eq!(found(&site, path, &format!("search={search}")).await, expected, "{path} {search}");
        }
    }
}

#[tokio::test]
async fn a_search_and_an_exact_filter_hold_together() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (path, member) in KINDS {
        let ids = fill(&site, path).await;
        let record = new(path, 3, NAMES[3]);
        let exact = format!("{member}={}", record[member].as_str().unwrap());
        let sho = [(ids[3].clone(), "Sho".to_owned())];
        assert_eq!(found(&site, path, &format!("{exact}&search=SHO")).await, sho, "{path}");
        assert_eq!(found(&site, path, &format!("{exact}&search=work")).await, [], "{path}");
    }
}

#[tokio::test]
async fn a_renamed_record_is_found_by_its_new_name_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (path, _) in KINDS {
        let made = send(&site, Method::POST, path, Some(new(path, 0, "Shop")), 201).await;
        let id = made["id"].as_str().unwrap().to_owned();
        let change = json!({ "name": "Store" });
        send(&site, Method::PATCH, &format!("{path}/{id}"), Some(change), 200).await;
        assert_eq!(found(&site, path, "search=sho").await, [], "{path}");
        assert_eq!(found(&site, path, "search=STO").await, [(id, "Store".to_owned())], "{path}");
    }
}
