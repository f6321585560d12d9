//! Groups as directories provision them, and the roles that the tenant gives to their people.

use serde_json::{Value, json};
use svc_core::TenantUserId;
use svc_domain::organizations;
use svc_http::Method;

use super::users::with;
use super::{Directory, directory, refused};
use crate::changes::left_by;
use crate::harness::{Answer, Harness};

const GROUPS: &str = "/scim/v2/Groups";

impl Directory<'_> {
    async fn person(&self, name: &str) -> String {
        self.create(json!({ "userName": name })).await["id"].as_str().unwrap().to_owned()
    }

    async fn group(&self, body: Value) -> Value {
        self.send(Method::POST, GROUPS, Some(body)).await.expect(201).json()
    }

    async fn patch_group(&self, group: &Value, operations: Value) -> Answer {
        let body = json!({ "Operations": operations });
        self.send(Method::PATCH, &at(group), Some(body)).await
    }

    /// The people of a group as it is read, by id.
    async fn people(&self, group: &Value) -> Vec<String> {
        let group = self.get(&at(group)).await.expect(200).json();
        let members = group["members"].as_array().cloned().unwrap_or_default();
        members.iter().map(|member| member["value"].as_str().unwrap().to_owned()).collect()
    }

    /// The roles in the organization with which tokens of a person are made.
    async fn roles_of(&self, person: &str) -> Vec<String> {
        let person: TenantUserId = person.parse().unwrap();
        let mut tx = self.site.harness.app().db.read(self.site.tenant.id).await.unwrap();
        organizations::place(&mut tx, person, self.organization.id).await.unwrap().unwrap().roles
    }
}

fn at(group: &Value) -> String {
    format!("{GROUPS}/{}", group["id"].as_str().unwrap())
}

fn ids(people: &[&String]) -> Value {
    people.iter().map(|id| json!({ "value": id })).collect()
}

#[tokio::test]
async fn a_group_has_the_people_that_the_directory_puts_there() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let (ada, bob, eve) =
        (directory.person("ada").await, directory.person("bob").await, directory.person("eve").await);
    let body = json!({ "displayName": "Engineers", "externalId": "g-1", "members": ids(&[&ada]) });
    let group = directory.group(body).await;
    assert_eq!((&group["displayName"], &group["externalId"]), (&json!("Engineers"), &json!("g-1")));
    assert_eq!(group["members"][0]["type"], "User");
    assert_eq!(group["meta"]["resourceType"], "Group");
    // As Entra ID adds and removes, one by one and in a list; as Okta does by a filter; and as all at once.
    for (operation, left) in [
        (json!({ "op": "Add", "path": "members", "value": ids(&[&bob]) }), vec![&ada, &bob]),
        (json!({ "op": "Add", "path": "members", "value": ids(&[&bob, &eve]) }), vec![&ada, &bob, &eve]),
        (json!({ "op": "Remove", "path": "members", "value": ids(&[&ada]) }), vec![&bob, &eve]),
        (json!({ "op": "Remove", "path": "members", "value": [] }), vec![&bob, &eve]),
        (json!({ "op": "remove", "path": format!("members[value eq \"{bob}\"]") }), vec![&eve]),
        (json!({ "op": "replace", "path": "members", "value": ids(&[&ada, &bob]) }), vec![&ada, &bob]),
        (
            json!({ "op": "replace", "value": { "id": group["id"], "displayName": "Makers" } }),
            vec![&ada, &bob],
        ),
        (json!({ "op": "remove", "path": "members" }), vec![]),
        (json!({ "op": "add", "value": { "members": ids(&[&eve]) } }), vec![&eve]),
    ] {
        let _ = directory.patch_group(&group, json!([operation])).await.expect(200);
        let mut left: Vec<_> = left.into_iter().cloned().collect();
        left.sort();
        assert_eq!(directory.people(&group).await, left, "{operation}");
    }
    let person = directory.get(&format!("/scim/v2/Users/{eve}")).await.expect(200).json();
    assert_eq!(person["groups"][0]["display"], "Makers");
    let whole = json!({ "displayName": "Makers", "members": ids(&[&bob]) });
    let whole = directory.send(Method::PUT, &at(&group), Some(whole)).await.expect(200).json();
    assert_eq!((whole.get("externalId"), directory.people(&group).await), (None, vec![bob.clone()]));
    let _ = directory.send(Method::DELETE, &format!("/scim/v2/Users/{bob}"), None).await.expect(204);
    assert_eq!(directory.people(&group).await, Vec::<String>::new());
    let _ = directory.send(Method::DELETE, &at(&group), None).await.expect(204);
    let _ = refused(directory.get(&at(&group)).await, 404, None);
}

#[tokio::test]
async fn a_version_ends_when_who_is_in_a_group_or_how_a_group_is_called_changes_elsewhere() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let (ada, bob) = (directory.person("ada").await, directory.person("bob").await);
    let group = directory.group(json!({ "displayName": "Makers", "members": ids(&[&ada, &bob]) })).await;
    let version = group["meta"]["version"].as_str().unwrap();
    let listed = directory.get(&format!("{GROUPS}?excludedAttributes=members")).await.expect(200).json();
    assert_eq!(listed["Resources"][0]["meta"]["version"], version);
    let _ = with(&directory, Method::GET, &at(&group), ("if-none-match", version), "").await.expect(304);
    let _ = directory.send(Method::DELETE, &format!("/scim/v2/Users/{bob}"), None).await.expect(204);
    let now = with(&directory, Method::GET, &at(&group), ("if-none-match", version), "").await.expect(200);
    assert_eq!(now.json()["members"].as_array().unwrap().len(), 1);
    let rename = json!([{ "op": "replace", "path": "displayName", "value": "Builders" }]);
    let body = json!({ "Operations": rename }).to_string();
    let stale = with(&directory, Method::PATCH, &at(&group), ("if-match", version), &body).await;
    let _ = refused(stale, 412, None);
    let person = format!("/scim/v2/Users/{ada}");
    let before = directory.get(&person).await.expect(200).header("etag").to_owned();
    let _ = directory.patch_group(&group, rename).await.expect(200);
    let after = with(&directory, Method::GET, &person, ("if-none-match", &before), "").await.expect(200);
    assert_eq!(after.json()["groups"][0]["display"], "Builders");
}

#[tokio::test]
async fn the_audit_log_tells_what_a_group_was_called_before_it_was_renamed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let group = directory.group(json!({ "displayName": "Makers", "externalId": "g-1" })).await;
    let rename = json!([{ "op": "replace", "path": "displayName", "value": "Builders" }]);
    let _ = directory.patch_group(&group, rename).await.expect(200);
    let path = "/api/v1/audit?action=scim_group.updated";
    let log = site.call(Method::GET, path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    let expected = json!({ "display_name": { "before": "Makers", "after": "Builders" } });
    assert_eq!((&log["data"][0]["target"], &log["data"][0]["detail"]["changes"]), (&group["id"], &expected));
}

#[tokio::test]
async fn no_change_is_made_on_the_condition_that_there_is_no_resource() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let group = directory.group(json!({ "displayName": "Makers" })).await;
    let whole = json!({ "displayName": "Builders" }).to_string();
    let rename = json!([{ "op": "replace", "path": "displayName", "value": "Builders" }]);
    for (method, path, body) in [
        (Method::PUT, at(&group), whole.clone()),
        (Method::PATCH, at(&group), json!({ "Operations": rename }).to_string()),
        (Method::DELETE, at(&group), String::new()),
        (Method::POST, GROUPS.to_owned(), whole),
    ] {
        let never = with(&directory, method.clone(), &path, ("if-none-match", "*"), &body).await;
        let detail = refused(never, 400, None).json()["detail"].clone();
        assert_eq!(detail, "if-none-match: no change is made on this condition; leave it out", "{method}");
    }
    assert_eq!(directory.get(&at(&group)).await.expect(200).json(), group);
    assert_eq!(directory.get(GROUPS).await.expect(200).json()["totalResults"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_changes_of_one_group_at_once_none_is_refused_and_none_is_lost() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let group = directory.group(json!({ "displayName": "Everyone" })).await;
    let mut people = Vec::new();
    for number in 0..10 {
        people.push(directory.person(&format!("p{number}")).await);
    }
    let added = people.iter().map(|person| {
        let operation = json!([{ "op": "Add", "path": "members", "value": ids(&[person]) }]);
        directory.patch_group(&group, operation)
    });
    for answer in futures_util::future::join_all(added).await {
        let _ = answer.expect(200);
    }
    people.sort();
    assert_eq!(directory.people(&group).await, people);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_group_that_its_directory_renames_while_the_tenant_gives_it_a_role_has_both() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (directory, admin) = (directory(&site, "initech").await, site.mint(|_| ()));
    site.role("editor", &[]).await;
    let group = directory.group(json!({ "displayName": "Everyone" })).await;
    let id = group["id"].as_str().unwrap();
    let path = format!("/api/v1/organizations/{}/directory-groups/{id}", directory.organization.id);
    for number in 0..8 {
        let name = format!("Number {number}");
        let roles = if number % 2 == 0 { json!(["editor"]) } else { json!([]) };
        let rename = json!([{ "op": "replace", "path": "displayName", "value": name }]);
        let (renamed, given) = tokio::join!(
            directory.patch_group(&group, rename),
            site.call(Method::PUT, &path, Some(&admin), Some(json!({ "roles": roles }))),
        );
        let _ = (renamed.expect(200), given.expect(200));
        let read = site.call(Method::GET, &path, Some(&admin), None).await.expect(200).json();
        assert_eq!((&read["display_name"], &read["roles"]), (&json!(name), &roles));
    }
}

#[tokio::test]
async fn groups_are_found_by_name_by_id_of_the_directory_and_by_whom_they_have() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let ada = directory.person("ada").await;
    for (name, members) in [("One", ids(&[&ada])), ("Two", json!([])), ("two", json!([]))] {
        directory
            .group(json!({ "displayName": name, "externalId": format!("x-{name}"), "members": members }))
            .await;
        h.advance(1);
    }
    let found = async |filter: &str| {
        let query = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect::<String>();
        let found = directory.get(&format!("{GROUPS}?filter={query}")).await.expect(200).json();
        let names = found["Resources"].as_array().unwrap().iter();
        names.map(|group| group["displayName"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (filter, names) in [
        (r#"displayName eq "TWO""#.to_owned(), vec!["Two", "two"]),
        (r#"externalId eq "x-One""#.to_owned(), vec!["One"]),
        (format!(r#"members.value eq "{ada}""#), vec!["One"]),
        (format!(r#"members[value eq "{ada}"]"#), vec!["One"]),
        (format!(r#"members eq "{ada}" and displayName eq "Two""#), vec![]),
        ("not (members pr)".to_owned(), vec!["Two", "two"]),
        (r#"displayName sw "t""#.to_owned(), vec!["Two", "two"]),
    ] {
        assert_eq!(found(&filter).await, names, "{filter}");
    }
    let shown = directory.get(&format!("{GROUPS}?excludedAttributes=members")).await.expect(200).json();
    assert!(!shown.to_string().contains("members"), "{shown}");
    let all = directory.get(GROUPS).await.expect(200).json();
    assert_eq!((&all["totalResults"], &all["Resources"][0]["members"][0]["value"]), (&json!(3), &json!(ada)));
    // What one type alone has is asked of that type.
    for (filter, count) in [("userName pr", 1), ("members pr", 1), ("displayName co \"o\"", 3)] {
        let search = json!({ "filter": filter });
        let found = directory.send(Method::POST, "/scim/v2/.search", Some(search)).await.expect(200).json();
        assert_eq!(found["totalResults"], count, "{filter}");
    }
    let search = json!({ "filter": "nothing pr" });
    let nothing = directory.send(Method::POST, "/scim/v2/.search", Some(search)).await;
    let _ = refused(nothing, 400, Some("invalidFilter"));
    let search = json!({ "filter": "id pr", "count": 2, "sortBy": "id" });
    let found = directory.send(Method::POST, "/scim/v2/.search", Some(search)).await.expect(200).json();
    assert_eq!((&found["totalResults"], &found["itemsPerPage"]), (&json!(4), &json!(2)));
}

#[tokio::test]
async fn people_of_other_directories_are_in_no_group() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let other = super::directory(&site, "globex").await;
    let stranger = other.person("eve").await;
    let mine = directory.group(json!({ "displayName": "Mine" })).await;
    let outsider = site.user("outsider").await.id.to_string();
    for who in [&stranger, &outsider, &"usr_00000000000000000000000000".to_owned(), &"nonsense".to_owned()] {
        let body = json!({ "displayName": "X", "members": ids(&[who]) });
        let _ = refused(directory.send(Method::POST, GROUPS, Some(body)).await, 400, Some("invalidValue"));
        let add = json!([{ "op": "add", "path": "members", "value": ids(&[who]) }]);
        let _ = refused(directory.patch_group(&mine, add).await, 400, Some("invalidValue"));
    }
    let listed = directory.get(GROUPS).await.expect(200).json();
    assert_eq!(listed["totalResults"], 1, "what was refused left nothing");
    for method in [Method::GET, Method::DELETE] {
        let _ = refused(other.send(method, &at(&mine), None).await, 404, None);
    }
    let same = directory.group(json!({ "displayName": "A", "externalId": "same" })).await;
    let taken =
        directory.send(Method::POST, GROUPS, Some(json!({ "displayName": "B", "externalId": "same" }))).await;
    let _ = refused(taken, 409, Some("uniqueness"));
    assert_eq!(
        other.group(json!({ "displayName": "A", "externalId": "same" })).await["displayName"],
        same["displayName"]
    );
}

#[tokio::test]
async fn the_tenant_gives_the_people_of_a_group_roles_in_the_organization() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    site.role("editor", &[]).await;
    let ada = directory.person("ada").await;
    let group = directory.group(json!({ "displayName": "Editors", "members": ids(&[&ada]) })).await;
    assert_eq!(directory.roles_of(&ada).await, Vec::<String>::new());
    let groups = format!("/api/v1/organizations/{}/directory-groups", directory.organization.id);
    let listed = site.call(Method::GET, &groups, Some(&admin), None).await.expect(200).json();
    assert_eq!(
        (&listed["data"][0]["display_name"], &listed["data"][0]["roles"]),
        (&json!("Editors"), &json!([]))
    );
    let path = format!("{groups}/{}", group["id"].as_str().unwrap());
    let give = async |token: &str, roles: Value| {
        site.call(Method::PUT, &path, Some(token), Some(json!({ "roles": roles }))).await
    };
    let given = give(&admin, json!(["editor"])).await.expect(200).json();
    assert_eq!(given["roles"], json!(["editor"]));
    assert_eq!(directory.roles_of(&ada).await, ["editor"]);
    let members = format!("/api/v1/organizations/{}/members", directory.organization.id);
    let one = format!("{members}/{ada}");
    let shown = site.call(Method::GET, &one, Some(&admin), None).await.expect(200).json();
    assert_eq!((&shown["roles"], &shown["effective_roles"]), (&json!([]), &json!(["editor"])));
    let listed = site.call(Method::GET, &members, Some(&admin), None).await.expect(200).json();
    assert!(listed["data"].as_array().unwrap().contains(&shown), "{listed}");
    let _ = give(&admin, json!(["nothing"])).await.expect_problem(400, "bad_request");
    let weak = site.mint(|claims| claims["scope"] = json!("organizations:read organizations:write"));
    let _ = give(&weak, json!(["editor", "admin"])).await.expect_problem(403, "insufficient_scope");
    let roles =
        site.call(Method::GET, "/api/v1/roles?name=editor", Some(&admin), None).await.expect(200).json();
    let role = format!("/api/v1/roles/{}", roles["data"][0]["id"].as_str().unwrap());
    let kept = site.call(Method::DELETE, &role, Some(&admin), None).await.expect_problem(409, "conflict");
    assert!(kept.body.contains("directory"), "{kept:?}");
    let _ = directory.patch_group(&group, json!([{ "op": "remove", "path": "members" }])).await.expect(200);
    assert_eq!(directory.roles_of(&ada).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_member_who_is_given_a_role_is_told_of_with_those_of_groups_too() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    site.role("editor", &[]).await;
    site.role("viewer", &[]).await;
    let ada = directory.person("ada").await;
    let group = directory.group(json!({ "displayName": "Editors", "members": ids(&[&ada]) })).await;
    let organization = format!("/api/v1/organizations/{}", directory.organization.id);
    let group = format!("{organization}/directory-groups/{}", group["id"].as_str().unwrap());
    let member = format!("{organization}/members/{ada}");
    for (path, roles, told) in [
        (&group, json!(["editor"]), json!(["editor"])),
        (&member, json!(["viewer"]), json!(["editor", "viewer"])),
        (&member, json!(["editor"]), json!(["editor"])),
        (&member, json!([]), json!(["editor"])),
    ] {
        let body = json!({ "roles": roles });
        let _ = site.call(Method::PUT, path, Some(&admin), Some(body)).await.expect(200);
        h.run_jobs().await;
        let events = "/api/v1/events?type=org.member.role_changed";
        let events = site.call(Method::GET, events, Some(&admin), None).await.expect(200).json();
        let newest = events["data"].as_array().unwrap().last().unwrap();
        assert_eq!(newest["data"]["roles"], told, "{path} {roles}");
    }
}

#[tokio::test]
async fn policies_see_at_once_which_roles_a_group_gives_and_to_whom() {
    let h = Harness::in_one_process(&[("SVC_ACCESS_CONTROL__CACHE_TTL_SECS", "300")]).await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    site.role("editor", &[]).await;
    let ada = directory.person("ada").await;
    let group = directory.group(json!({ "displayName": "Editors", "members": ids(&[&ada]) })).await;
    let text =
        "permit(principal, action, resource) when { principal.organization_roles.contains(\"editor\") };";
    let policy = json!({ "name": "Editors edit", "status": "active", "text": text });
    let _ = site.call(Method::POST, "/api/v1/policies", Some(&admin), Some(policy)).await.expect(201);
    let question = json!({
        "subject": { "type": "user", "id": ada }, "action": { "name": "edit" },
        "resource": { "type": "document", "id": "1" }, "context": { "organization": directory.organization.id },
    });
    let may = async || {
        let asked = site.call(Method::POST, "/access/v1/evaluation", Some(&admin), Some(question.clone()));
        asked.await.expect(200).json()["decision"] == true
    };
    assert!(!may().await);
    let id = group["id"].as_str().unwrap();
    let path = format!("/api/v1/organizations/{}/directory-groups/{id}", directory.organization.id);
    let roles = json!({ "roles": ["editor"] });
    let _ = site.call(Method::PUT, &path, Some(&admin), Some(roles)).await.expect(200);
    assert!(may().await, "the group has the role");
    let _ = directory.patch_group(&group, json!([{ "op": "remove", "path": "members" }])).await.expect(200);
    assert!(!may().await, "the person has left the group");
    let back = json!([{ "op": "add", "path": "members", "value": ids(&[&ada]) }]);
    let _ = directory.patch_group(&group, back).await.expect(200);
    assert!(may().await);
    let _ = directory.send(Method::DELETE, &at(&group), None).await.expect(204);
    assert!(!may().await, "the group is gone");
}

#[tokio::test]
async fn what_a_group_changes_of_the_roles_of_members_is_told_of_those_whose_roles_are_others_now() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    site.role("editor", &[]).await;
    let (ada, bob) = (directory.person("ada").await, directory.person("bob").await);
    let few = directory.group(json!({ "displayName": "Few", "members": ids(&[&ada]) })).await;
    let many = directory.group(json!({ "displayName": "Many", "members": ids(&[&ada, &bob]) })).await;
    let give = async |group: &Value| {
        let organization = directory.organization.id;
        let id = group["id"].as_str().unwrap();
        let path = format!("/api/v1/organizations/{organization}/directory-groups/{id}");
        let roles = Some(json!({ "roles": ["editor"] }));
        site.call(Method::PUT, &path, Some(&site.mint(|_| ())), roles).await.expect(200)
    };
    let count = |[actions, events]: [Vec<String>; 2]| {
        let told = events.iter().filter(|event| *event == "org.member.role_changed").count();
        let noted = actions.iter().filter(|action| *action == "organization.member_role_changed").count();
        assert_eq!(noted, usize::from(told > 0), "{actions:?}");
        told
    };
    assert_eq!(count(left_by(&h, give(&few)).await), 1, "Ada");
    assert_eq!(count(left_by(&h, give(&many)).await), 1, "Bob: Ada is an editor already");
    let none = || json!([{ "op": "remove", "path": "members" }]);
    assert_eq!(count(left_by(&h, directory.patch_group(&few, none())).await), 0, "Ada stays one");
    let back = json!([{ "op": "replace", "path": "members", "value": ids(&[&bob]) }]);
    assert_eq!(count(left_by(&h, directory.patch_group(&many, back)).await), 1, "Ada is none any more");
    let renamed = json!([{ "op": "replace", "path": "displayName", "value": "Others" }]);
    assert_eq!(count(left_by(&h, directory.patch_group(&many, renamed)).await), 0);
    let path = at(&many);
    assert_eq!(count(left_by(&h, directory.send(Method::DELETE, &path, None)).await), 1, "Bob");
    assert_eq!(directory.roles_of(&bob).await, Vec::<String>::new());
}
