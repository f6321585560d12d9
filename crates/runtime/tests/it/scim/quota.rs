//! How much of the provisioning API the plan of a tenant allows in a month.

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_http::Method;

use super::{Directory, USERS, at, directory, refused};
use crate::control_plane::Operator;
use crate::harness::{Harness, Site};

const GROUPS: &str = "/scim/v2/Groups";
const PLANS: &str = "/api/v1/control-plane/plans";
const MONTH: i64 = 31 * 86_400;

/// Gives a tenant a plan with these quotas.
async fn bound(h: &Harness, site: &Site<'_>, quotas: Value) {
    let main = h.tenant("main").await;
    let token = Operator::created(&main, "olga").await.token().await;
    let plan = json!({ "name": "starter", "quotas": quotas });
    let plan = main.call(Method::POST, PLANS, Some(&token), Some(plan)).await.expect(201).json();
    let path = format!("/api/v1/control-plane/tenants/{}", site.tenant.id.reference());
    let change = json!({ "plan_id": plan["id"] });
    let _ = main.call(Method::PATCH, &path, Some(&token), Some(change)).await.expect(200);
}

async fn used(directory: &Directory<'_>) -> Value {
    let site = directory.site;
    let usage =
        site.call(Method::GET, "/api/v1/usage", Some(&site.mint(|_| ())), None).await.expect(200).json();
    let quotas = usage["quotas"].as_array().unwrap();
    quotas.iter().find(|quota| quota["name"] == "scim_operations").cloned().unwrap_or_default()
}

#[tokio::test]
async fn directories_change_as_much_in_a_month_as_the_plan_allows() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let directory = directory(&site, "initech").await;
    let first = directory.create(json!({ "userName": "ada" })).await;
    assert_eq!(used(&directory).await, Value::Null, "what has no limit is not counted");
    bound(&h, &site, json!({ "scim_operations": 3 })).await;

    let retitled = json!([{ "op": "replace", "path": "title", "value": "Countess" }]);
    let _ = directory.patch(&first, retitled.clone()).await.expect(200);
    let double = directory.send(Method::POST, USERS, Some(json!({ "userName": "ada" }))).await;
    let _ = refused(double, 409, Some("uniqueness"));
    assert_eq!(used(&directory).await["used"], 1, "what is refused does not count");
    let two = json!({ "Operations": [
        { "method": "POST", "path": "/Users", "bulkId": "bob", "data": { "userName": "bob" } },
        { "method": "POST", "path": "/Users", "bulkId": "cyd", "data": { "userName": "cyd" } },
        { "method": "POST", "path": "/Users", "bulkId": "dan", "data": { "userName": "dan" } },
    ] });
    let bulk = directory.send(Method::POST, "/scim/v2/Bulk", Some(two)).await.expect(200).json();
    let statuses: Vec<_> =
        bulk["Operations"].as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
    assert_eq!(statuses, ["201", "201", "403"], "{bulk}");

    let full = directory.patch(&first, retitled.clone()).await.expect(403);
    assert!(full.body.contains("the plan of this tenant allows 3 scim_operations a month"), "{full:?}");
    assert_eq!(directory.named("sortBy=userName").await, ["ada", "bob", "cyd"], "reading goes on");
    assert_eq!(used(&directory).await, json!({ "name": "scim_operations", "used": 3, "limit": 3 }));

    h.advance(MONTH);
    assert_eq!(used(&directory).await["used"], 0);
    let _ = directory.patch(&first, retitled).await.expect(200);
}

#[tokio::test]
async fn a_directory_ends_access_also_where_the_plan_is_used_up() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let directory = directory(&site, "initech").await;
    let mut people = Vec::new();
    for name in ["ada", "bob", "cyd", "dan", "eve"] {
        people.push(directory.create(json!({ "userName": name })).await);
    }
    let [ada, bob, cyd, dan, eve] = people.as_slice() else { panic!("{people:?}") };
    bound(&h, &site, json!({ "scim_operations": 0 })).await;

    let active = |value: Value| json!([{ "op": "Replace", "path": "active", "value": value }]);
    for value in [json!(false), json!("False")] {
        let off = directory.patch(ada, active(value)).await.expect(200).json();
        assert_eq!(off["active"], false, "{off}");
    }
    let off = json!({ "userName": "bob", "active": false });
    let off = directory.send(Method::PUT, &at(bob), Some(off)).await.expect(200).json();
    assert_eq!(off["active"], false, "{off}");
    let _ = directory.send(Method::DELETE, &at(cyd), None).await.expect(204);
    let path = |user: &Value| at(user).replace("/scim/v2", "");
    let data = |value: bool| {
        let schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
        json!({ "schemas": [schema], "Operations": active(json!(value)) })
    };
    let bulk = json!({ "Operations": [
        { "method": "DELETE", "path": path(dan) },
        { "method": "PATCH", "path": path(eve), "data": data(false) },
        { "method": "PATCH", "path": path(bob), "data": data(true) },
    ] });
    let bulk = directory.send(Method::POST, "/scim/v2/Bulk", Some(bulk)).await.expect(200).json();
    let statuses: Vec<_> =
        bulk["Operations"].as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
    assert_eq!(statuses, ["204", "200", "403"], "{bulk}");

    assert_eq!(used(&directory).await, json!({ "name": "scim_operations", "used": 6, "limit": 0 }));
    let _ = directory.patch(ada, active(json!(true))).await.expect(403);
}

#[tokio::test]
async fn a_directory_takes_people_out_of_groups_also_where_the_plan_is_used_up() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let directory = directory(&site, "initech").await;
    let mut people = Vec::new();
    for name in ["ada", "bob", "cyd"] {
        let person = directory.create(json!({ "userName": name })).await;
        people.push(json!({ "value": person["id"] }));
    }
    let [ada, bob, cyd] = people.as_slice() else { panic!("{people:?}") };
    let group = json!({ "displayName": "Editors", "members": [ada, bob] });
    let group = directory.send(Method::POST, GROUPS, Some(group)).await.expect(201).json();
    let path = format!("{GROUPS}/{}", group["id"].as_str().unwrap());
    bound(&h, &site, json!({ "scim_operations": 0 })).await;

    let change = async |operation: Value| {
        directory.send(Method::PATCH, &path, Some(json!({ "Operations": [operation] }))).await
    };
    let out = change(json!({ "op": "Remove", "path": "members", "value": [ada] })).await.expect(200).json();
    assert_eq!(out["members"].as_array().map(Vec::len), Some(1), "{out}");
    for wanted in [
        json!({ "op": "replace", "path": "members", "value": [cyd] }),
        json!({ "op": "add", "path": "members", "value": [ada] }),
        json!({ "op": "replace", "path": "displayName", "value": "Writers" }),
    ] {
        let answer = change(wanted).await.expect(403);
        assert!(answer.body.contains("scim_operations"), "{answer:?}");
    }
    let whole = json!({ "displayName": "Editors" });
    let out = directory.send(Method::PUT, &path, Some(whole)).await.expect(200).json();
    assert_eq!(out.get("members"), None, "{out}");
    assert_eq!(used(&directory).await, json!({ "name": "scim_operations", "used": 2, "limit": 0 }));
    let _ = directory.send(Method::DELETE, &path, None).await.expect(204);
}

#[tokio::test]
async fn changes_at_once_do_not_exceed_the_plan() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let directory = directory(&site, "initech").await;
    bound(&h, &site, json!({ "scim_operations": 2 })).await;
    let create = async |name: &str| {
        directory.send(Method::POST, USERS, Some(json!({ "userName": name }))).await.status
    };
    let mut statuses = join_all(["ada", "bob", "cyd", "dan"].map(create)).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 201, 403, 403]);
}
