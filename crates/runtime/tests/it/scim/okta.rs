//! What Okta sends, in its order: import, assignment, profile push, deactivation and group push (its SCIM 2.0 protocol reference).

use serde_json::{Value, json};
use svc_http::Method;

use super::{Directory, USERS, at, directory, encoded};
use crate::harness::{Answer, Harness};

const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";

async fn patched(directory: &Directory<'_>, path: &str, operations: Value) -> Answer {
    let body = json!({ "schemas": [PATCH], "Operations": operations });
    directory.send(Method::PATCH, path, Some(body)).await
}

async fn total(directory: &Directory<'_>, path: &str) -> i64 {
    directory.get(path).await.expect(200).json()["totalResults"].as_i64().unwrap()
}

fn person(name: &str, given_name: &str) -> Value {
    let address = format!("{name}@okta.example");
    json!({
        "schemas": [USER],
        "userName": address,
        "name": { "givenName": given_name, "middleName": "", "familyName": "User" },
        "emails": [{ "primary": true, "value": address, "type": "work", "display": address }],
        "displayName": format!("{given_name} User"),
        "locale": "en-US",
        "externalId": format!("00ujl29u0le5T6Aj10h7{name}"),
        "groups": [],
        "active": true,
    })
}

#[tokio::test]
async fn a_person_is_assigned_pushed_deactivated_and_assigned_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    // The test of the connection, and the import before anything is assigned.
    let imported = directory.get(&format!("{USERS}?startIndex=1&count=2")).await.expect(200).json();
    assert_eq!((&imported["totalResults"], &imported["startIndex"]), (&json!(0), &json!(1)));
    let named =
        format!("{USERS}?filter={}&startIndex=1&count=100", encoded(r#"userName eq "test@okta.example""#));
    assert_eq!(total(&directory, &named).await, 0);

    let mut new = person("test", "Test");
    new["password"] = json!("1mz050nq-and-longer");
    let user = directory.create(new).await;
    assert_eq!(user.get("password"), None, "a password is never shown");
    let path = at(&user);
    assert_eq!(total(&directory, &named).await, 1);
    let read = directory.get(&path).await.expect(200).json();
    assert_eq!((&read["name"]["givenName"], &read["active"]), (&json!("Test"), &json!(true)));

    // A profile push is the whole resource, with the id and what was read of it.
    let mut pushed = person("test", "Another");
    (pushed["id"], pushed["meta"]) = (user["id"].clone(), json!({ "resourceType": "User" }));
    let pushed = directory.send(Method::PUT, &path, Some(pushed)).await.expect(200).json();
    assert_eq!((&pushed["id"], &pushed["name"]["givenName"]), (&user["id"], &json!("Another")));

    let off = patched(&directory, &path, json!([{ "op": "replace", "value": { "active": false } }])).await;
    assert_eq!(off.expect(200).json()["active"], json!(false));
    assert_eq!(total(&directory, &named).await, 1, "a person who is unassigned is kept and found");
    let on = patched(&directory, &path, json!([{ "op": "replace", "value": { "active": true } }])).await;
    assert_eq!(on.expect(200).json()["active"], json!(true));
    // An assignment after that pushes everything once more.
    let mut again = person("test", "Third");
    again["active"] = json!(false);
    assert_eq!(
        directory.send(Method::PUT, &path, Some(again)).await.expect(200).json()["active"],
        json!(false)
    );
    let again = directory.send(Method::PUT, &path, Some(person("test", "Third"))).await.expect(200).json();
    assert_eq!((&again["active"], &again["name"]["givenName"]), (&json!(true), &json!("Third")));
    let taken = directory.send(Method::POST, USERS, Some(person("test", "Other"))).await.expect(409).json();
    assert_eq!(taken["scimType"], "uniqueness");
}

#[tokio::test]
async fn a_group_is_pushed_with_its_members_renamed_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let (ada, bob) =
        (directory.create(person("ada", "Ada")).await, directory.create(person("bob", "Bob")).await);
    assert_eq!(total(&directory, "/scim/v2/Groups?startIndex=1&count=100").await, 0);
    let body = json!({ "schemas": [GROUP], "displayName": "Test SCIMv2", "members": [] });
    let group = directory.send(Method::POST, "/scim/v2/Groups", Some(body)).await.expect(201).json();
    let path = format!("/scim/v2/Groups/{}", group["id"].as_str().unwrap());
    let renamed = json!([{ "op": "replace", "value": { "id": group["id"], "displayName": "Test SCIMv2b" } }]);
    assert_eq!(patched(&directory, &path, renamed).await.expect(200).json()["displayName"], "Test SCIMv2b");

    let member = |user: &Value| json!({ "value": user["id"], "display": user["userName"] });
    let members = async || {
        let read = directory.get(&path).await.expect(200).json();
        let members = read["members"].as_array().cloned().unwrap_or_default();
        members.iter().map(|member| member["value"].clone()).collect::<Vec<_>>()
    };
    let add = json!([{ "op": "add", "path": "members", "value": [member(&ada)] }]);
    let _ = patched(&directory, &path, add).await.expect(200);
    assert_eq!(members().await, [ada["id"].clone()]);
    let swap = json!([
        { "op": "remove", "path": format!("members[value eq \"{}\"]", ada["id"].as_str().unwrap()) },
        { "op": "add", "path": "members", "value": [member(&bob)] },
    ]);
    let _ = patched(&directory, &path, swap).await.expect(200);
    assert_eq!(members().await, [bob["id"].clone()]);
    let whole = json!([{ "op": "replace", "path": "members", "value": [member(&ada)] }]);
    let _ = patched(&directory, &path, whole).await.expect(200);
    assert_eq!(members().await, [ada["id"].clone()]);
    let put = json!({
        "schemas": [GROUP], "id": group["id"], "displayName": "Test SCIMv2", "members": [member(&bob)]
    });
    let put = directory.send(Method::PUT, &path, Some(put)).await.expect(200).json();
    assert_eq!((&put["displayName"], members().await), (&json!("Test SCIMv2"), vec![bob["id"].clone()]));
    let _ = directory.send(Method::DELETE, &path, None).await.expect(204);
    let _ = directory.get(&path).await.expect(404);
    let _ = directory.get(&at(&bob)).await.expect(200);
}

#[tokio::test]
async fn a_group_takes_thousands_of_members_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let (ada, bob) =
        (directory.create(person("ada", "Ada")).await, directory.create(person("bob", "Bob")).await);
    let member = |user: &Value| json!({ "value": user["id"], "display": user["userName"] });
    // Each person many times: what counts is how much is sent.
    let members = |pairs: usize| (0..pairs).flat_map(|_| [member(&ada), member(&bob)]).collect::<Value>();
    let group = |pairs: usize| json!({ "schemas": [GROUP], "displayName": "All", "members": members(pairs) });
    let whole = group(1000);
    assert!(whole.to_string().len() > 128 * 1024);
    let made = directory.send(Method::POST, "/scim/v2/Groups", Some(whole.clone())).await.expect(201).json();
    assert_eq!(made["members"].as_array().unwrap().len(), 2);
    let path = format!("/scim/v2/Groups/{}", made["id"].as_str().unwrap());
    let add = json!([{ "op": "add", "path": "members", "value": members(1000) }]);
    let added = patched(&directory, &path, add).await.expect(200).json();
    assert_eq!(added["members"].as_array().unwrap().len(), 2);
    let gone: Value = (0..2000).map(|_| member(&bob)).collect();
    let gone = json!([{ "op": "remove", "path": "members", "value": gone }]);
    let left = patched(&directory, &path, gone).await.expect(200).json();
    assert_eq!(left["members"][0]["value"], ada["id"]);
    assert_eq!(left["members"].as_array().unwrap().len(), 1);
    let put = directory.send(Method::PUT, &path, Some(whole)).await.expect(200).json();
    assert_eq!(put["members"].as_array().unwrap().len(), 2);
    let _ = directory.send(Method::PUT, &path, Some(group(10_000))).await.expect(413);
}
