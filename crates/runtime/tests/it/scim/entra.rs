//! What Entra ID sends, in its order: from the connection test to the deletion ("Develop and plan provisioning for a SCIM endpoint").

use serde_json::{Value, json};
use svc_http::Method;

use super::{Directory, USERS, at, directory, encoded, refused};
use crate::harness::{Answer, Harness};

const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE: &str = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
/// Which it names besides.
const OF_MICROSOFT: &str = "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group";

async fn found(directory: &Directory<'_>, path: &str, filter: &str) -> Vec<Value> {
    let listed = directory.get(&format!("{path}filter={}", encoded(filter))).await.expect(200).json();
    assert_eq!(listed["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:ListResponse"]));
    let resources = listed["Resources"].as_array().unwrap().clone();
    assert_eq!(listed["totalResults"], json!(resources.len()));
    resources
}

async fn patched(directory: &Directory<'_>, path: &str, operations: Value) -> Answer {
    let body = json!({ "schemas": [PATCH], "Operations": operations });
    directory.send(Method::PATCH, path, Some(body)).await
}

fn person(name: &str) -> Value {
    json!({
        "schemas": [USER, ENTERPRISE],
        "externalId": format!("0a21f0f2-8d2a-4f8e-bf98-{name}"),
        "userName": format!("{name}@testuser.example"),
        "active": true,
        "emails": [{ "primary": true, "type": "work", "value": format!("{name}@testuser.example") }],
        "meta": { "resourceType": "User" },
        "name": { "formatted": "givenName familyName", "familyName": "familyName", "givenName": "givenName" },
        "roles": [],
        (ENTERPRISE): { "department": "Research", "employeeNumber": "4711" },
    })
}

#[tokio::test]
async fn a_person_is_looked_for_created_changed_disabled_enabled_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    // The connection test: a person who does not exist.
    let unknown = r#"userName eq "5ddcd2a8-1c1c-4a1a-9d1b-0b9f3d7a2b6c""#;
    assert!(found(&directory, "/scim/v2/Users?", unknown).await.is_empty());
    let user = directory.create(person("ada")).await;
    assert_eq!(user[ENTERPRISE]["department"], "Research");
    let path = at(&user);
    assert_eq!(directory.get(&path).await.expect(200).json()["id"], user["id"]);
    let by_id = found(&directory, "/scim/v2/Users?", r#"externalId eq "0a21f0f2-8d2a-4f8e-bf98-ada""#).await;
    assert_eq!(by_id[0]["id"], user["id"]);
    // Names are matched whatever their case.
    let by_name = found(&directory, "/scim/v2/Users?", r#"userName eq "ADA@TestUser.example""#).await;
    assert_eq!(by_name[0]["id"], user["id"]);

    let operations = json!([
        { "op": "Replace", "path": "emails[type eq \"work\"].value", "value": "countess@testuser.example" },
        { "op": "Replace", "path": "name.familyName", "value": "updatedFamilyName" },
        { "op": "Add", "path": format!("{ENTERPRISE}:department"), "value": "Compilers" },
    ]);
    let changed = patched(&directory, &path, operations).await.expect(200).json();
    assert_eq!(changed["emails"][0]["value"], "countess@testuser.example");
    assert_eq!(changed["name"]["familyName"], "updatedFamilyName");
    assert_eq!(changed[ENTERPRISE]["department"], "Compilers");
    // The manager as a list of one, and the question whether it is this one, both without the URN of the extension.
    let head = directory.create(person("head")).await["id"].as_str().unwrap().to_owned();
    let manager = json!([{ "$ref": format!("https://idp.example/Users/{head}"), "value": head }]);
    let led = json!([{ "op": "Add", "path": "manager", "value": manager }]);
    let led = patched(&directory, &path, led).await.expect(200).json();
    assert_eq!(led[ENTERPRISE]["manager"]["value"], json!(head));
    for (manager, count) in [(head.as_str(), 1), ("usr_00000000000000000000000000", 0)] {
        let filter = format!("id eq \"{}\" and manager eq \"{manager}\"", led["id"].as_str().unwrap());
        assert_eq!(found(&directory, "/scim/v2/Users?attributes=id&", &filter).await.len(), count);
    }
    let renamed = json!([{ "op": "Replace", "path": "userName", "value": "countess@testuser.example" }]);
    let renamed = patched(&directory, &path, renamed).await.expect(200).json();
    assert_eq!(renamed["userName"], "countess@testuser.example");

    // Disabled and enabled, with the flag as a value and, as older applications have it, as a text.
    for (value, is_active) in
        [(json!(false), false), (json!(true), true), (json!("False"), false), (json!("True"), true)]
    {
        let operation = json!([{ "op": "Replace", "path": "active", "value": value }]);
        let answer = patched(&directory, &path, operation).await.expect(200).json();
        assert_eq!(answer["active"], json!(is_active), "{value}");
        let still = found(&directory, "/scim/v2/Users?", r#"userName eq "countess@testuser.example""#).await;
        assert_eq!(still[0]["active"], json!(is_active), "who is disabled is still found");
    }
    let _ = directory.send(Method::DELETE, &path, None).await.expect(204);
    let _ = directory.get(&path).await.expect(404);
    assert!(
        found(&directory, "/scim/v2/Users?", r#"userName eq "countess@testuser.example""#).await.is_empty()
    );
    let _ = directory.send(Method::POST, USERS, Some(person("ada"))).await.expect(201);
}

#[tokio::test]
async fn a_person_whose_work_address_is_removed_has_the_next_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let home = json!({ "type": "home", "value": "ada@home.example" });
    let work = json!({ "type": "Work", "value": "ada@work.example" });
    let user = directory.create(json!({ "userName": "ada", "emails": [home, work] })).await;
    let path = format!("/api/v1/tenant-users/{}", user["id"].as_str().unwrap());
    let admin = site.mint(|_| ());
    let read = || site.call(Method::GET, &path, Some(&admin), None);
    assert_eq!(read().await.expect(200).json()["email"], "ada@work.example");

    let removal = json!([{ "op": "Remove", "path": "emails[type eq \"work\"].value" }]);
    let left = patched(&directory, &at(&user), removal).await.expect(200).json();
    assert_eq!(left["emails"], json!([home, { "type": "Work" }]));
    assert_eq!(read().await.expect(200).json()["email"], "ada@home.example");
}

#[tokio::test]
async fn a_group_is_looked_for_created_renamed_filled_emptied_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let (ada, bob) = (directory.create(person("ada")).await, directory.create(person("bob")).await);
    let without_members = "/scim/v2/Groups?excludedAttributes=members&";
    let named = r#"displayName eq "Compilers""#;
    assert!(found(&directory, without_members, named).await.is_empty());
    let body = json!({
        "schemas": [GROUP, OF_MICROSOFT], "externalId": "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
        "displayName": "Compilers", "meta": { "resourceType": "Group" },
    });
    let group = directory.send(Method::POST, "/scim/v2/Groups", Some(body)).await.expect(201).json();
    let path = format!("/scim/v2/Groups/{}", group["id"].as_str().unwrap());
    let known = found(&directory, without_members, named).await;
    assert_eq!((&known[0]["id"], known[0].get("members")), (&group["id"], None));
    let read = directory.get(&format!("{path}?excludedAttributes=members")).await.expect(200).json();
    assert_eq!(read["displayName"], "Compilers");
    let renamed = json!([{ "op": "Replace", "path": "displayName", "value": "Linkers" }]);
    assert_eq!(patched(&directory, &path, renamed).await.expect(200).json()["displayName"], "Linkers");

    let member = |user: &Value| json!([{ "$ref": null, "value": user["id"] }]);
    for (op, user, left) in [("Add", &ada, 1), ("Add", &bob, 2), ("Remove", &ada, 1)] {
        let operation = json!([{ "op": op, "path": "members", "value": member(user) }]);
        let _ = patched(&directory, &path, operation).await.expect(200);
        let members = directory.get(&path).await.expect(200).json()["members"].as_array().unwrap().len();
        assert_eq!(members, left, "{op}");
    }
    let of_bob = format!("members eq \"{}\"", bob["id"].as_str().unwrap());
    let looked = format!("id eq \"{}\" and {of_bob}", group["id"].as_str().unwrap());
    assert_eq!(found(&directory, without_members, &looked).await.len(), 1);
    let _ = directory.send(Method::DELETE, &path, None).await.expect(204);
    let _ = directory.get(&path).await.expect(404);
}

#[tokio::test]
async fn who_is_in_a_group_is_not_read_where_it_is_not_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let ada = directory.create(person("ada")).await;
    let body = json!({ "schemas": [GROUP], "displayName": "All", "members": [{ "value": ada["id"] }] });
    let group = directory.send(Method::POST, "/scim/v2/Groups", Some(body)).await.expect(201).json();
    let path = format!("/scim/v2/Groups/{}", group["id"].as_str().unwrap());
    let statements = async |path: &str| {
        let made = || h.apps().map(|app| app.db.counts().statements).sum::<u64>();
        // What is in memory of each node then.
        for _ in 0..2 {
            let _ = directory.get(path).await.expect(200);
        }
        let before = made();
        let _ = directory.get(path).await.expect(200);
        made() - before
    };
    let named = encoded(r#"displayName eq "All""#);
    let (list, listed) = ("/scim/v2/Groups", format!("/scim/v2/Groups?filter={named}"));
    for (whole, without) in [
        (path.clone(), format!("{path}?excludedAttributes=members")),
        (listed.clone(), format!("{listed}&excludedAttributes=members")),
        (listed.clone(), format!("{listed}&attributes=displayName")),
        (list.to_owned(), format!("{list}?excludedAttributes=members")),
    ] {
        assert!(statements(whole.as_str()).await > statements(without.as_str()).await, "{without}");
    }
    let of_ada = encoded(&format!("displayName eq \"All\" and members eq {}", ada["id"]));
    let found =
        directory.get(&format!("{list}?filter={of_ada}&excludedAttributes=members")).await.expect(200);
    assert_eq!(found.json()["totalResults"], 1, "what is compared is read");
}

#[tokio::test]
async fn a_person_gets_the_address_of_another_person_of_the_tenant_by_no_change() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let grace = site.user("grace").await;
    let own = json!([{ "value": "ada@testuser.example", "type": "work" }]);
    let user = directory.create(json!({ "userName": "ada", "emails": own })).await;
    let path = format!("/scim/v2/Users/{}", user["id"].as_str().unwrap());
    let taken = json!([{ "value": grace.email, "type": "work", "primary": true }]);
    let change = json!([{ "op": "Replace", "path": "emails[type eq \"work\"].value", "value": grace.email }]);
    let _ = refused(patched(&directory, &path, change).await, 409, Some("uniqueness"));
    let whole = json!({ "userName": "ada", "emails": taken });
    let _ = refused(directory.send(Method::PUT, &path, Some(whole)).await, 409, Some("uniqueness"));
    let record = format!("/api/v1/tenant-users/{}", user["id"].as_str().unwrap());
    let kept = site.call(Method::GET, &record, Some(&site.mint(|_| ())), None).await.expect(200).json();
    assert_eq!(kept["email"], "ada@testuser.example");
    assert_eq!(directory.get(&path).await.expect(200).json()["emails"], own);

    let gone = json!({ "userName": "ada", "active": false, "emails": taken });
    let gone = directory.send(Method::PUT, &path, Some(gone)).await.expect(200).json();
    assert_eq!(gone["active"], false, "who leaves is out, whatever else the directory says");
    let home = json!([{ "op": "add", "path": "emails", "value": [{ "value": "ada@home.example", "type": "home" }] }]);
    let _ = patched(&directory, &path, home).await.expect(200);
    let back = json!([{ "op": "replace", "path": "active", "value": true }]);
    let back = patched(&directory, &path, back).await.expect(200).json();
    assert_eq!(back["active"], true, "what was said before is no change");
}
