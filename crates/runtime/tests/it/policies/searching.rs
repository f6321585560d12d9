//! Searches: who, to what, and what.

use std::collections::BTreeSet;

use super::*;
use crate::harness::Harness;

async fn search(site: &Site<'_>, what: &str, body: Value) -> Value {
    send(site, Method::POST, &format!("/access/v1/search/{what}"), Some(body)).await.expect(200).json()
}

#[tokio::test]
async fn those_who_may_are_found_page_by_page() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let group = site.group("Editors", &[]).await;
    let mut expected = BTreeSet::new();
    for number in 0..7 {
        let user = site.user(&format!("user{number}")).await;
        if number % 2 == 0 {
            site.add(&group, user.id).await;
            expected.insert(user.id.to_string());
        }
    }
    policy(&site, "active", "permit(principal in Group::\"Editors\", action == Action::\"edit\", resource);")
        .await;
    let (mut found, mut token, mut pages) = (BTreeSet::new(), String::new(), 0);
    loop {
        let body = json!({ "subject": { "type": "user", "id": "ignored" }, "action": { "name": "edit" },
            "resource": { "type": "document", "id": "1" }, "page": { "token": token, "limit": 2, "properties": { "sort": "name" } } });
        let answer = search(&site, "subject", body).await;
        for result in answer["results"].as_array().unwrap() {
            assert_eq!(result["type"], json!("user"));
            assert!(found.insert(result["id"].as_str().unwrap().to_owned()), "no one is found twice");
        }
        pages += 1;
        token = answer["page"]["next_token"].as_str().unwrap().to_owned();
        if token.is_empty() {
            break;
        }
    }
    assert_eq!((found, pages), (expected, 4));
}

#[tokio::test]
async fn a_page_goes_on_with_the_question_that_it_was_asked_for_and_no_other() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for number in 0..3 {
        site.user(&format!("user{number}")).await;
    }
    policy(&site, "active", "permit(principal, action == Action::\"edit\", resource);").await;
    let question = |action: &str, document: &str, token: &str| {
        json!({ "subject": { "type": "user" }, "action": { "name": action }, "resource": { "type": "document", "id": document },
            "context": { "acr": "1", "agent": "a" }, "page": { "token": token, "limit": 2 } })
    };
    let first = search(&site, "subject", question("edit", "1", "")).await;
    let token = first["page"]["next_token"].as_str().unwrap();
    for (action, document) in [("read", "1"), ("edit", "2")] {
        let other = Some(question(action, document, token));
        let refused = send(&site, Method::POST, "/access/v1/search/subject", other).await;
        assert!(
            refused
                .expect_problem(400, "bad_request")
                .body
                .contains("page.token: was given out for another question")
        );
    }
    // Members have no order.
    let mut same = question("edit", "1", token);
    same["context"] = json!({ "agent": "a", "acr": "1" });
    let again = search(&site, "subject", same).await;
    let last = search(&site, "subject", question("edit", "1", token)).await;
    assert_eq!(again["results"], last["results"]);
    assert_eq!(last["results"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_may_be_done_and_to_what_is_found_among_what_policies_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    policy(
        &site,
        "active",
        "permit(principal, action in [Action::\"read\", Action::\"list\"], resource is document);",
    )
    .await;
    policy(
        &site,
        "active",
        "permit(principal, action == Action::\"delete\", resource == document::\"7\");\n\
        forbid(principal, action == Action::\"list\", resource == document::\"8\");",
    )
    .await;
    policy(&site, "draft", "permit(principal, action == Action::\"drafted\", resource == document::\"9\");")
        .await;
    let subject = json!({ "type": "user", "id": ada });
    let actions = async |id: &str| {
        let body = json!({ "subject": subject, "resource": { "type": "document", "id": id } });
        search(&site, "action", body).await["results"].clone()
    };
    assert_eq!(actions("7").await, json!([{ "name": "delete" }, { "name": "list" }, { "name": "read" }]));
    assert_eq!(actions("8").await, json!([{ "name": "read" }]));
    let resources = async |action: &str| {
        let body =
            json!({ "subject": subject, "action": { "name": action }, "resource": { "type": "document" } });
        search(&site, "resource", body).await["results"].clone()
    };
    assert_eq!(resources("list").await, json!([{ "type": "document", "id": "7" }]));
    assert_eq!(resources("delete").await, json!([{ "type": "document", "id": "7" }]));
    let wrong = json!({ "subject": { "type": "robot" }, "action": { "name": "x" }, "resource": { "type": "document", "id": "1" } });
    let refused = send(&site, Method::POST, "/access/v1/search/subject", Some(wrong)).await;
    assert!(refused.expect_problem(400, "bad_request").body.contains("subject.type"));
    let forged = json!({ "subject": { "type": "user" }, "action": { "name": "x" }, "resource": { "type": "document", "id": "1" },
        "page": { "token": "forged" } });
    let refused = send(&site, Method::POST, "/access/v1/search/subject", Some(forged)).await;
    assert!(refused.expect_problem(400, "bad_request").body.contains("page.token"));
}
