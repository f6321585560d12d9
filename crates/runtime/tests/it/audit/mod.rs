//! The audit log: search, counts, export, checkpoints, and the chain as an outsider verifies it with the documentation alone.

mod actors;
mod changes;
mod recipe;

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Answer, Harness, Site};

/// After the tenants of the tests were made.
const START: &str = "2027-01-15T08:00:01Z";
const AUDIT: &str = "/api/v1/audit";

async fn read(site: &Site<'_>, below: &str) -> Answer {
    site.call(Method::GET, &format!("{AUDIT}{below}"), Some(&site.mint(|_| ())), None).await
}

async fn targets(site: &Site<'_>, query: &str) -> Vec<String> {
    let found = read(site, query).await.expect(200).json();
    let entries = found["data"].as_array().unwrap().iter();
    entries.map(|entry| entry["target"].as_str().unwrap().to_owned()).collect()
}

/// So many roles, a second apart; returns their ids, newest first.
async fn roles(h: &Harness, site: &Site<'_>, (name, count): (&str, usize)) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..count {
        h.advance(1);
        let body = json!({ "name": format!("{name}{number}") });
        let made = site.call(Method::POST, "/api/v1/roles", Some(&site.mint(|_| ())), Some(body)).await;
        ids.insert(0, made.expect(201).json()["id"].as_str().unwrap().to_owned());
    }
    ids
}

#[tokio::test]
async fn entries_are_found_by_what_they_say_before_and_after_they_have_their_place() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ids = roles(&h, &site, ("role", 4)).await;
    let since = h.operator().now;
    let ada = site.user("ada").await;
    for _ in 0..2 {
        assert_eq!(targets(&site, "?action=role.created&actor_kind=application").await, ids);
        assert_eq!(targets(&site, "?action=role.*&actor=minted").await, ids);
        assert_eq!(targets(&site, &format!("?target={}", ids[1])).await, [ids[1].clone()]);
        assert_eq!(targets(&site, "?actor=minted&action=role.created&outcome=success").await, ids);
        assert!(targets(&site, "?actor=minted&outcome=denied").await.is_empty());
        assert!(targets(&site, "?actor=nobody").await.is_empty());
        assert_eq!(targets(&site, "?q=ROLE2&action=role.*").await, [ids[1].clone()]);
        let later = targets(&site, &format!("?since={since}")).await;
        assert!(later.contains(&ada.id.to_string()) && !later.contains(&ids[1]), "{later:?}");
        let earlier = targets(&site, &format!("?until={since}&actor=minted&action=role.created")).await;
        assert_eq!(earlier, ids[1..]);
        h.run_jobs().await;
    }
    let other = h.tenant("other").await;
    assert!(targets(&other, "?action=role.created&actor=minted").await.is_empty());
    assert!(targets(&other, &format!("?target={}", ids[0])).await.is_empty());
    for (query, told) in [
        ("?action=*.created", "action: "),
        ("?outcome=perhaps", "outcome"),
        ("?actor_kind=person", "actor_kind: unknown variant `person`, expected one of `user`, `application`"),
        ("/export?actor_kind=person", "actor_kind: "),
        ("?since=yesterday", "since"),
        ("?colour=red", "unknown query parameter `colour`"),
    ] {
        let refused = read(&site, query).await.expect_problem(400, "bad_request");
        assert!(refused.body.contains(told), "{query}: {refused:?}");
    }
}

#[tokio::test]
async fn a_search_is_read_page_by_page() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut ids = roles(&h, &site, ("role", 5)).await;
    h.run_jobs().await;
    // The newest two have no place yet.
    let newest = roles(&h, &site, ("newer", 2)).await;
    ids.splice(0..0, newest);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    for _ in 0..4 {
        let page = read(&site, &format!("?action=role.created&since={START}&limit=2{cursor}"))
            .await
            .expect(200)
            .json();
        let entries = page["data"].as_array().unwrap().iter();
        seen.extend(entries.map(|entry| entry["target"].as_str().unwrap().to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, ids);
}

#[tokio::test]
async fn what_there_is_of_a_time_is_counted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    h.advance(10);
    let since = h.operator().now;
    let _ = roles(&h, &site, ("role", 3)).await;
    let found = read(&site, &format!("/facets?since={since}")).await.expect(200).json();
    assert_eq!(found["actions"], json!([{ "value": "role.created", "count": 3 }]));
    assert_eq!(found["actors"], json!([{ "value": "minted", "count": 3 }]));
    assert_eq!(found["outcomes"], json!([{ "value": "success", "count": 3 }]));
    assert_eq!((&found["counted"], &found["is_complete"]), (&json!(3), &json!(true)));
}

#[tokio::test]
async fn what_a_search_finds_is_counted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ids = roles(&h, &site, ("role", 3)).await;
    let path = format!("/api/v1/roles/{}", ids[0]);
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    // Entries are found before they have their place, and after that by an index.
    for _ in 0..2 {
        for (asked, actions) in [
            ("actor=minted&action=role.*&outcome=success", vec![("role.created", 3), ("role.deleted", 1)]),
            (&format!("target={}", ids[0]), vec![("role.created", 1), ("role.deleted", 1)]),
            ("action=role.deleted", vec![("role.deleted", 1)]),
            ("action=role.*&outcome=denied", vec![]),
            ("q=ROLE2&action=role.created", vec![("role.created", 1)]),
        ] {
            let found = read(&site, &format!("/facets?{asked}")).await.expect(200).json();
            let expected: Vec<_> =
                actions.iter().map(|(value, count)| json!({ "value": value, "count": count })).collect();
            assert_eq!(found["actions"], json!(expected), "{asked}");
            let counted = actions.iter().map(|(_, count)| *count).sum::<i64>();
            assert_eq!((&found["counted"], &found["is_complete"]), (&json!(counted), &json!(true)));
        }
        h.run_jobs().await;
    }
    let _ = read(&site, "/facets?action=*.created").await.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn an_export_has_every_entry_and_no_formula() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ids = roles(&h, &site, ("role", 3)).await;
    h.run_jobs().await;
    let body = json!({ "name": "=HYPERLINK(\"http://evil.example\")", "scope": "tenant-users:read" });
    let _ =
        site.call(Method::POST, "/api/v1/api-keys", Some(&site.mint(|_| ())), Some(body)).await.expect(201);
    let lines = read(&site, "/export").await.expect(200);
    assert_eq!(lines.header("content-type"), "application/jsonl");
    assert!(lines.header("content-disposition").contains("audit.jsonl"));
    let entries: Vec<Value> = lines.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let listed = read(&site, "?limit=200").await.expect(200).json();
    let mut listed = listed["data"].as_array().unwrap().clone();
    listed.reverse();
    assert_eq!(entries, listed);
    let csv = read(&site, "/export?format=csv&actor=minted&action=role.created").await.expect(200);
    assert!(csv.header("content-type").starts_with("text/csv"));
    let rows: Vec<_> = csv.body.lines().collect();
    assert_eq!(rows.len(), 4, "{csv:?}");
    assert!(rows[0].starts_with("position,id,at,actor_kind"));
    assert!(rows[1].contains(&ids[2]) && rows[3].contains(&ids[0]), "{csv:?}");
    let csv = read(&site, "/export?format=csv").await.expect(200);
    let fields = csv.body.split([',', '\n']).map(|field| field.trim_start_matches('"'));
    assert!(!fields.into_iter().any(|field| field.starts_with(['=', '+', '-', '@', '\t'])), "{csv:?}");
    let token = site.mint(|claims| claims["scope"] = json!("roles:read"));
    for below in ["", "/export", "/facets", "/checkpoints"] {
        let refused = site.call(Method::GET, &format!("{AUDIT}{below}"), Some(&token), None).await;
        let _ = refused.expect_problem(403, "insufficient_scope");
    }
}

#[tokio::test]
async fn an_empty_time_is_exported_as_an_empty_file() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let until = "until=2000-01-01T00:00:00Z";
    assert_eq!(read(&site, &format!("/export?{until}")).await.expect(200).body, "");
    let csv = read(&site, &format!("/export?format=csv&{until}")).await.expect(200).body;
    assert_eq!(csv.lines().count(), 1, "{csv}");
}
