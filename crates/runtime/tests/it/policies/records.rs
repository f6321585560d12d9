//! The documents: life, versions, limits, faults with their places, records.

use super::*;
use crate::changes::left_by;
use crate::harness::Harness;

#[tokio::test]
async fn a_policy_is_made_read_changed_listed_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let made = policy(&site, "draft", READERS).await;
    assert_eq!(
        (&made["version"], &made["status"], &made["organization_id"]),
        (&json!(1), &json!("draft"), &Value::Null)
    );
    let path = path_of(&made);
    let read = send(&site, Method::GET, &path, None).await.expect(200);
    assert_eq!((read.header("etag"), read.json()), ("\"1\"", made.clone()));

    let token = site.mint(|_| ());
    let stale = site
        .call_with(Method::PATCH, &path, &token, ("if-match", "\"7\""), json!({ "status": "active" }))
        .await;
    let _ = stale.expect_problem(409, "conflict");
    let changed = send(&site, Method::PATCH, &path, Some(json!({ "status": "active" }))).await.expect(200);
    assert_eq!((changed.header("etag"), &changed.json()["text"]), ("\"2\"", &json!(READERS)));
    let replaced = json!({ "name": "Other", "text": READERS });
    let replaced = send(&site, Method::PUT, &path, Some(replaced)).await.expect(200).json();
    assert_eq!(
        (&replaced["status"], &replaced["version"]),
        (&json!("active"), &json!(3)),
        "the status stays"
    );
    let same = send(&site, Method::PATCH, &path, Some(json!({ "name": "Other" }))).await.expect(200);
    assert_eq!(same.header("etag"), "\"3\"", "nothing changed");
    for query in ["", "?status=active", "?search=oth"] {
        let found = send(&site, Method::GET, &format!("{POLICIES}{query}"), None).await.expect(200).json();
        assert_eq!(found["data"], json!([replaced]), "{query}");
    }
    let none = send(&site, Method::GET, &format!("{POLICIES}?status=shadow"), None).await.expect(200).json();
    assert_eq!(none["data"], json!([]));
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = send(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_changes_of_one_policy_at_once_none_is_refused_and_none_is_lost() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let path = path_of(&policy(&site, "draft", READERS).await);
    let restore = format!("{path}/versions/1/activate");
    for number in 0..8 {
        let (name, text) = (format!("Number {number}"), format!("{READERS}\n// {number}"));
        let (named, written) = tokio::join!(
            send(&site, Method::PATCH, &path, Some(json!({ "name": name }))),
            send(&site, Method::PATCH, &path, Some(json!({ "text": text }))),
        );
        let _ = (named.expect(200), written.expect(200));
        let read = send(&site, Method::GET, &path, None).await.expect(200).json();
        assert_eq!((&read["name"], &read["text"]), (&json!(name), &json!(text)));
        let again = json!({ "description": format!("After {number}") });
        let (restored, described) = tokio::join!(
            send(&site, Method::POST, &restore, None),
            send(&site, Method::PATCH, &path, Some(again)),
        );
        let _ = (restored.expect(200), described.expect(200));
    }
    let read = send(&site, Method::GET, &path, None).await.expect(200).json();
    assert_eq!((&read["text"], &read["version"]), (&json!(READERS), &json!(1 + 8 * 4)));
}

#[tokio::test]
async fn every_change_makes_a_version_and_each_can_decide_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    let made = policy(&site, "active", READERS).await;
    let path = path_of(&made);
    let forbidding = "forbid(principal, action, resource);";
    let _ = send(&site, Method::PATCH, &path, Some(json!({ "text": forbidding }))).await.expect(200);
    let _ = send(&site, Method::PATCH, &path, Some(json!({ "status": "archived" }))).await.expect(200);
    let versions = send(&site, Method::GET, &format!("{path}/versions"), None).await.expect(200).json();
    let told: Vec<_> = versions["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|version| {
            (
                version["version"].as_i64().unwrap(),
                version["status"].as_str().unwrap(),
                version["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [(3, "archived", forbidding), (2, "active", forbidding), (1, "active", READERS)]);
    let page = send(&site, Method::GET, &format!("{path}/versions?limit=1"), None).await.expect(200).json();
    let next = format!("{path}/versions?limit=1&cursor={}", page["next_cursor"].as_str().unwrap());
    let next = send(&site, Method::GET, &next, None).await.expect(200).json();
    assert_eq!(next["data"][0]["version"], json!(2));
    assert_eq!(ask(&site, &ada, "read", json!({})).await["decision"], json!(false));

    let again = send(&site, Method::POST, &format!("{path}/versions/1/activate"), None).await.expect(200);
    assert_eq!(
        (again.header("etag"), &again.json()["text"], &again.json()["status"]),
        ("\"4\"", &json!(READERS), &json!("active"))
    );
    assert_eq!(ask(&site, &ada, "read", json!({})).await["decision"], json!(true));
    let first = send(&site, Method::GET, &format!("{path}/versions/1"), None).await.expect(200).json();
    assert_eq!((&first["version"], &first["text"]), (&json!(1), &json!(READERS)), "no version ever changes");
    for missing in ["versions/9", "versions/0"] {
        let _ = send(&site, Method::GET, &format!("{path}/{missing}"), None)
            .await
            .expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn faults_of_a_text_are_told_with_line_column_and_offset() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let text = "permit(principal, action, resource);\nforbid(principal, action, resource)\nwhen { context.a + \"b\" == 2 };";
    for (method, path, body) in [
        (Method::POST, POLICIES.to_owned(), json!({ "name": "Wrong", "text": text })),
        (Method::POST, format!("{POLICIES}/validate"), json!({ "text": text })),
        (Method::PATCH, path_of(&policy(&site, "draft", READERS).await), json!({ "text": text })),
    ] {
        let refused = send(&site, method, &path, Some(body)).await.expect_problem(400, "bad_request").json();
        let fault = &refused["errors"][0];
        assert_eq!((&fault["pointer"], &fault["line"]), (&json!("/text"), &json!(3)), "{refused}");
        let offset = usize::try_from(fault["offset"].as_u64().unwrap()).unwrap();
        assert!(
            text[offset..].starts_with("\"b\"") || text[offset..].starts_with("context.a + "),
            "{refused}"
        );
        assert_eq!(
            fault["column"].as_u64().unwrap(),
            offset as u64 - text.rfind('\n').unwrap() as u64,
            "{refused}"
        );
    }
    let fine =
        send(&site, Method::POST, &format!("{POLICIES}/validate"), Some(json!({ "text": READERS }))).await;
    assert_eq!(fine.expect(200).json(), json!({ "statements": 1 }));
    let schema =
        "entity User; entity document; action read appliesTo { principal: [User], resource: [document] };";
    let held =
        json!({ "text": "permit(principal, action == Action::\"raed\", resource);", "schema": schema });
    let refused = send(&site, Method::POST, &format!("{POLICIES}/validate"), Some(held)).await;
    assert!(refused.expect_problem(400, "bad_request").body.contains("raed"));
    let list = send(&site, Method::GET, POLICIES, None).await.expect(200).json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "nothing of it was stored");
}

#[tokio::test]
async fn what_no_policy_can_be_is_refused_by_the_name_of_its_member() {
    let h = Harness::with(&[("SVC_ACCESS_CONTROL__MAX_POLICIES_PER_TENANT", "1")]).await;
    let site = h.tenant("main").await;
    let other = h.tenant("acme").await;
    let owner = other.user("owner").await;
    let theirs = other.organization("initech", owner.id).await.id;
    for (member, value) in [
        ("name", json!("")),
        ("description", json!("x".repeat(501))),
        ("status", json!("on")),
        ("text", json!("")),
        ("text", json!(format!("// {}\n{READERS}", "x".repeat(33 << 10)))),
        ("schema", json!("entity ;")),
        ("organization_id", json!(theirs)),
    ] {
        let mut new = json!({ "name": "Readers", "text": READERS });
        new[member] = value;
        let refused = send(&site, Method::POST, POLICIES, Some(new)).await.expect_problem(400, "bad_request");
        assert!(refused.json()["detail"].as_str().unwrap().contains(member), "{member}: {refused:?}");
    }
    policy(&site, "draft", READERS).await;
    let new = json!({ "name": "Second", "text": READERS });
    let full = send(&site, Method::POST, POLICIES, Some(new)).await.expect_problem(409, "conflict");
    assert!(full.body.contains("access_control.max_policies_per_tenant"), "{full:?}");
}

#[tokio::test]
async fn each_change_of_a_policy_leaves_one_entry_and_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let new = json!({ "name": "Readers", "text": READERS });
    let left = left_by(&h, send(&site, Method::POST, POLICIES, Some(new))).await;
    assert_eq!(left, [["policy.created"], ["admin.policy.created"]]);
    let found = send(&site, Method::GET, POLICIES, None).await.json();
    let path = path_of(&found["data"][0]);
    for (method, path, body, action) in [
        (Method::PATCH, path.clone(), Some(json!({ "status": "active" })), Some("policy.updated")),
        (Method::PATCH, path.clone(), Some(json!({ "status": "active" })), None),
        (Method::POST, format!("{path}/versions/1/activate"), None, None),
        (Method::POST, format!("{path}/dry-run"), Some(json!({})), None),
        (Method::DELETE, path.clone(), None, Some("policy.deleted")),
    ] {
        let left = left_by(&h, send(&site, method, &path, body)).await;
        let event = action.map(|action| format!("admin.{action}"));
        assert_eq!(left, [action.map(str::to_owned), event].map(Vec::from_iter), "{path}");
    }
}
