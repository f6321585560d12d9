//! A cursor continues the list that it was made for, with its search and its filters, and no other.

use serde_json::json;
use svc_http::Method;

use super::{fill, send};
use crate::harness::{Harness, Site};

/// The cursor after the first record of a list.
async fn cursor(site: &Site<'_>, list: &str) -> String {
    let page = send(site, Method::GET, &format!("{list}limit=1"), None, 200).await;
    page["next_cursor"].as_str().unwrap_or_else(|| panic!("{list} has one page")).to_owned()
}

/// Goes on with a cursor in every list of a path; all but the one that it was made for refuse it.
async fn check(site: &Site<'_>, path: &str, queries: &[&str]) {
    for made in queries {
        let cursor = cursor(site, &format!("{path}?{made}")).await;
        for used in queries {
            let asked = format!("{path}?cursor={cursor}&{used}limit=2");
            let status = if made == used { 200 } else { 400 };
            let answer = send(site, Method::GET, &asked, None, status).await;
            if status == 400 {
                assert_eq!(answer["error"], "bad_request", "{asked}");
                assert_eq!(
                    answer["error_description"],
                    "cursor: it continues a list with another search, order or filter; \
                     give those of the page before, or leave `cursor` out to begin at the first page",
                    "{asked}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_of_one_search_is_refused_by_another() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for path in ["/api/v1/applications", "/api/v1/apis", "/api/v1/trusted-issuers"] {
        fill(&site, path).await;
        check(&site, path, &["", "search=sho&", "search=shop&", "search=SHO&"]).await;
    }
    fill(&site, "/api/v1/policies").await;
    let queries = ["", "status=draft&", "sort=-name&", "search=sho&", "search=sho&status=draft&"];
    check(&site, "/api/v1/policies", &queries).await;
    let narrowed = [
        "",
        "type=web&",
        "enabled=true&",
        "first_party=false&",
        "type=web&enabled=true&",
        "type=web&sort=name&",
    ];
    check(&site, "/api/v1/applications", &narrowed).await;
    let mut people = Vec::new();
    for name in ["ada", "ada.l", "ada.m"] {
        people.push(site.user(name).await.id);
    }
    let in_group = async |name: &str| {
        let group = site.group(name, &[]).await;
        for person in &people {
            site.add(&group, *person).await;
        }
        format!("group_id={}&", group.id)
    };
    let [staff, chiefs] = [in_group("Staff").await, in_group("Chiefs").await];
    let queries = [
        "",
        "search=ada&",
        "search=a&",
        "status=active&",
        "status=active&search=ada&",
        "subject_type=human&",
        "subject_type=human&status=active&",
        "sort=-created_at&",
        "sort=-created_at&status=active&",
        "since=2027-01-15T08:00:00Z&",
        "until=2027-01-15T08:00:01Z&",
        &staff,
        &chiefs,
    ];
    check(&site, "/api/v1/tenant-users", &queries).await;
}

#[tokio::test]
async fn a_cursor_of_one_filter_is_refused_by_another_where_a_position_is_an_id_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for name in ["one", "two", "three"] {
        send(&site, Method::POST, "/api/v1/roles", Some(json!({ "name": name })), 201).await;
    }
    h.run_jobs().await;
    let queries = ["", "action=role.created&", "action=role.created&outcome=success&"];
    check(&site, "/api/v1/audit", &queries).await;
}

#[tokio::test]
async fn the_order_of_parameters_and_the_length_of_pages_may_change_between_pages() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for name in ["ada", "ada.l", "ada.m"] {
        site.user(name).await;
    }
    let path = "/api/v1/tenant-users";
    let cursor = cursor(&site, &format!("{path}?status=active&search=a%64a&")).await;
    let next = format!("{path}?limit=7&cursor={cursor}&search=ada&status=active&role=");
    let page = send(&site, Method::GET, &next, None, 200).await;
    assert_eq!(page["data"].as_array().unwrap().len(), 2);
}
