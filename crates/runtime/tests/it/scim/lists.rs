//! Lists of provisioned people: filters, order, pages, what is shown; and what the API says of itself.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Directory, USERS, at, directory, encoded, refused};
use crate::harness::{Harness, Site};

/// A directory with five people, `p1` to `p5`.
async fn with_people<'a>(site: &'a Site<'a>) -> Directory<'a> {
    let directory = directory(site, "initech").await;
    for n in 1..=5 {
        let body = json!({
            "userName": format!("p{n}"), "externalId": format!("x{n}"), "active": n != 3, "title": format!("T{}", n % 2),
            "emails": [{ "value": format!("P{n}@initech.example"), "type": "work" }],
        });
        directory.create(body).await;
        // Ids of one instant have no order.
        site.harness.advance(1);
    }
    directory
}

#[tokio::test]
async fn a_filter_finds_people_by_an_index_or_by_looking_at_each() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = with_people(&site).await;
    for (filter, found) in [
        (r#"userName eq "P2""#, vec!["p2"]),
        (r#"externalId eq "x3""#, vec!["p3"]),
        (r#"externalId eq "X3""#, vec![]),
        (r#"emails.value eq "p4@INITECH.example""#, vec!["p4"]),
        (r#"emails[type eq "work" and value eq "p4@initech.example"]"#, vec!["p4"]),
        (r#"emails[type eq "home" and value eq "p4@initech.example"]"#, vec![]),
        (r#"emails[type eq "work"].value eq "p5@initech.example""#, vec!["p5"]),
        (r#"userName eq "p2" and active eq false"#, vec![]),
        (r#"id eq "usr_00000000000000000000000000" or title eq "t0""#, vec!["p2", "p4"]),
        (r#"id eq "nonsense""#, vec![]),
        ("active eq false", vec!["p3"]),
        (r#"not (title eq "T1") and emails[value co "p4"]"#, vec!["p4"]),
        (r#"meta.created gt "2000-01-01T00:00:00Z""#, vec!["p1", "p2", "p3", "p4", "p5"]),
    ] {
        assert_eq!(directory.named(&format!("filter={}", encoded(filter))).await, found, "{filter}");
    }
    let (or_all, nul, deep) = (r#"userName eq "x" or 1=1"#, r#"userName eq "\u0000""#, "(".repeat(1000));
    for filter in ["userName", "password pr", or_all, nul, &deep] {
        let answer = directory.get(&format!("{USERS}?filter={}", encoded(filter))).await;
        let _ = refused(answer, 400, Some("invalidFilter"));
    }
}

#[tokio::test]
async fn lists_are_sorted_and_paged_by_index_and_by_cursor() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = with_people(&site).await;
    let page = async |query: &str| directory.get(&format!("{USERS}?{query}")).await.expect(200).json();
    let second = page("startIndex=2&count=2").await;
    assert_eq!(second["Resources"][0]["userName"], "p2");
    let numbers =
        |page: &Value| ["totalResults", "startIndex", "itemsPerPage"].map(|name| page[name].clone());
    assert_eq!(numbers(&second), [json!(5), json!(2), json!(2)]);
    for (query, wanted) in [
        ("count=0", [5, 1, 0]),
        ("count=-1", [5, 1, 0]),
        ("startIndex=-7&count=1", [5, 1, 1]),
        ("startIndex=6", [5, 6, 0]),
        ("count=99999999999999999999", [5, 1, 5]),
        ("filter=active+eq+true&startIndex=4", [4, 4, 1]),
    ] {
        assert_eq!(numbers(&page(query).await), wanted.map(|number| json!(number)), "{query}");
    }
    let far = page("startIndex=9223372036854775808").await;
    assert_eq!((&far["totalResults"], &far["itemsPerPage"]), (&json!(5), &json!(0)));
    assert_eq!(directory.named("sortBy=userName&sortOrder=descending&count=2").await, ["p5", "p4"]);
    assert_eq!(directory.named("sortBy=title&filter=active+eq+true").await, ["p2", "p4", "p1", "p5"]);
    for list in ["", "&filter=active+pr", "&sortBy=userName"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = page(&format!("cursor={cursor}&count=2{list}")).await;
            assert_eq!((&page["totalResults"], page.get("startIndex")), (&json!(5), None));
            seen.extend(page["Resources"].as_array().unwrap().iter().map(|user| user["userName"].clone()));
            let Some(next) = page.get("nextCursor") else { break };
            cursor = next.as_str().unwrap().to_owned();
        }
        assert_eq!(json!(seen), json!(["p1", "p2", "p3", "p4", "p5"]), "{list}");
    }
    let first = page("cursor=&count=2").await;
    let cursor = first["nextCursor"].as_str().unwrap();
    for query in
        [format!("cursor={cursor}A"), "cursor=x".to_owned(), format!("cursor={cursor}&filter=active+pr")]
    {
        let _ = refused(directory.get(&format!("{USERS}?{query}")).await, 400, Some("invalidCursor"));
    }
    for query in ["count=x", "startIndex=1.5", "sortBy=nothing", "sortBy=userName&sortOrder=up"] {
        let _ = refused(directory.get(&format!("{USERS}?{query}")).await, 400, Some("invalidValue"));
    }
    let search = json!({ "sortBy": "userName", "sortOrder": "up" });
    let answer = directory.send(Method::POST, &format!("{USERS}/.search"), Some(search)).await;
    let told = refused(answer, 400, Some("invalidValue")).json();
    assert_eq!(told["detail"], "sortOrder: expected ascending or descending");
}

/// Reads a list by cursors, two at a time, and deletes what it has read before it reads on; returns whom it saw.
async fn read_and_deleted(directory: &Directory<'_>, list: &str) -> Vec<String> {
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let query = format!("{USERS}?cursor={cursor}&count=2{list}");
        let page = directory.get(&query).await.expect(200).json();
        for user in page["Resources"].as_array().unwrap() {
            seen.push(user["userName"].as_str().unwrap().to_owned());
            let _ = directory.send(Method::DELETE, &at(user), None).await.expect(204);
        }
        let Some(next) = page["nextCursor"].as_str() else { return seen };
        cursor = next.to_owned();
    }
}

#[tokio::test]
async fn a_list_that_is_read_by_cursors_misses_no_one_although_what_was_read_is_deleted_meanwhile() {
    let h = Harness::new().await;
    for (slug, list, order) in [
        ("aaa", "", ["p1", "p2", "p3", "p4", "p5"]),
        ("bbb", "&filter=userName+pr", ["p1", "p2", "p3", "p4", "p5"]),
        ("ccc", "&sortBy=userName&sortOrder=descending", ["p5", "p4", "p3", "p2", "p1"]),
        ("ddd", "&sortBy=title", ["p2", "p4", "p1", "p3", "p5"]),
        ("eee", "&sortBy=nickName", ["p1", "p2", "p3", "p4", "p5"]),
    ] {
        let site = h.tenant(slug).await;
        let directory = with_people(&site).await;
        assert_eq!(read_and_deleted(&directory, list).await, order, "{list}");
    }
}

#[tokio::test]
async fn a_list_that_is_read_by_cursors_misses_no_one_although_the_last_who_was_read_moves_to_its_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = with_people(&site).await;
    let list = "sortBy=userName&count=2";
    let first = directory.get(&format!("{USERS}?{list}&cursor=")).await.expect(200).json();
    let last = &first["Resources"][1];
    assert_eq!(last["userName"], "p2");
    let renamed = json!([{ "op": "replace", "path": "userName", "value": "z2" }]);
    let _ = directory.patch(last, renamed).await.expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    assert_eq!(directory.named(&format!("{list}&cursor={cursor}")).await, ["p3", "p4"]);
}

#[tokio::test]
async fn a_search_through_all_types_goes_on_with_each_and_sorts_by_what_it_does_not_show() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = with_people(&site).await;
    for name in ["Engineers", "Writers"] {
        let group = json!({ "displayName": name });
        let _ = directory.send(Method::POST, "/scim/v2/Groups", Some(group)).await.expect(201);
        h.advance(1);
    }
    for (query, wanted) in [
        (json!({}), ["Engineers", "Writers", "p1", "p2", "p3", "p4", "p5"]),
        (
            json!({ "sortBy": "meta.created", "sortOrder": "descending", "attributes": ["userName", "displayName"] }),
            ["Writers", "Engineers", "p5", "p4", "p3", "p2", "p1"],
        ),
    ] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let mut search = query.clone();
            (search["cursor"], search["count"]) = (json!(cursor), json!(3));
            let answer = directory.send(Method::POST, "/scim/v2/.search", Some(search)).await.expect(200);
            let page = answer.json();
            assert_eq!(page["totalResults"], 7);
            for one in page["Resources"].as_array().unwrap() {
                assert_eq!(one.get("meta").is_some(), query.get("attributes").is_none(), "{one}");
                seen.push(one.get("userName").unwrap_or(&one["displayName"]).as_str().unwrap().to_owned());
            }
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = next.to_owned();
        }
        assert_eq!(seen, wanted, "{query}");
    }
}

#[tokio::test]
async fn an_answer_has_the_attributes_that_were_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = with_people(&site).await;
    let found = directory.get(&format!("{USERS}?attributes=userName&count=1")).await.expect(200).json();
    let mut names: Vec<_> = found["Resources"][0].as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    assert_eq!(names, ["id", "schemas", "userName"]);
    let body =
        json!({ "filter": "userName eq \"p1\"", "excludedAttributes": ["emails", "meta"], "count": 5 });
    let search =
        directory.send(Method::POST, &format!("{USERS}/.search"), Some(body)).await.expect(200).json();
    let one = &search["Resources"][0];
    assert_eq!((&one["userName"], one.get("emails"), one.get("meta")), (&json!("p1"), None, None));
    let both = directory.get(&format!("{USERS}?attributes=a&excludedAttributes=b")).await;
    let _ = refused(both, 400, Some("invalidValue"));
}

#[tokio::test]
async fn the_api_says_what_it_can_do_and_its_limits_are_those_of_the_configuration() {
    let h = Harness::with(&[("SVC_SCIM__MAX_RESULTS", "3")]).await;
    let site = h.tenant("main").await;
    let directory = with_people(&site).await;
    let read = async |path: &str| directory.get(path).await.expect(200).json();
    let config = read("/scim/v2/ServiceProviderConfig").await;
    assert_eq!((&config["filter"]["maxResults"], &config["patch"]["supported"]), (&json!(3), &json!(true)));
    let page = read(&format!("{USERS}?count=100")).await;
    assert_eq!((&page["totalResults"], &page["itemsPerPage"]), (&json!(5), &json!(3)));
    let schemas = read("/scim/v2/Schemas").await;
    for schema in schemas["Resources"].as_array().unwrap() {
        assert_eq!(&read(&format!("/scim/v2/Schemas/{}", schema["id"].as_str().unwrap())).await, schema);
        assert!(!schema.to_string().contains("\"password\""));
    }
    let types = read("/scim/v2/ResourceTypes").await;
    for kind in types["Resources"].as_array().unwrap() {
        assert_eq!(&read(&format!("/scim/v2/ResourceTypes/{}", kind["id"].as_str().unwrap())).await, kind);
    }
    let _ = refused(directory.get("/scim/v2/Schemas/urn:nothing").await, 404, None);
    let _ = refused(directory.get("/scim/v2/Schemas?filter=id+pr").await, 403, None);
}
