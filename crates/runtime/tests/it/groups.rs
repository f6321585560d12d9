//! Groups: people who have roles together, groups in groups, and what tokens and memory know of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_core::Seconds;
use svc_domain::apis::{self, PersonClaim};
use svc_domain::people::groups::Group;
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::find_by_slug;
use svc_http::Method;
use svc_runtime::apply;

use crate::apply::apply_text;
use crate::changes::left_by;
use crate::harness::client::claims;
use crate::harness::{Answer, Harness, Person, Site};

const GROUPS: &str = "/api/v1/groups";
const NOTES: &str = "https://notes.example";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

async fn user(site: &Site<'_>, person: &Person) -> Answer {
    send(site, Method::GET, &format!("/api/v1/tenant-users/{}", person.id), None).await.expect(200)
}

/// The groups and the roles of a person, as the API has them.
async fn standing(site: &Site<'_>, person: &Person) -> [Value; 3] {
    let person = user(site, person).await.json();
    ["roles", "groups", "effective_roles"].map(|member| person[member].clone())
}

/// A group in a group in a group, and a role for each.
async fn chain(site: &Site<'_>) -> [Group; 3] {
    let mut made = Vec::new();
    for (name, role) in [("Company", "reader"), ("Editors", "editor"), ("Chiefs", "chief")] {
        site.role(role, &[]).await;
        made.push(site.group(name, &[role]).await);
    }
    site.nest(&made[0], &made[1]).await;
    site.nest(&made[1], &made[2]).await;
    made.try_into().unwrap()
}

#[tokio::test]
async fn a_group_is_made_read_changed_searched_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let new = json!({ "name": "Editors", "description": "Write notes", "roles": ["editor"] });
    let made = send(&site, Method::POST, GROUPS, Some(new.clone())).await.expect(201).json();
    let path = format!("{GROUPS}/{}", made["id"].as_str().unwrap());
    assert_eq!((&made["name"], &made["roles"]), (&json!("Editors"), &json!(["editor"])));
    let taken = send(&site, Method::POST, GROUPS, Some(new)).await.expect_problem(409, "conflict");
    assert!(taken.body.contains("name: "), "{taken:?}");
    let blank = json!({ "name": "\u{200B} \u{2067}" });
    let blank = send(&site, Method::POST, GROUPS, Some(blank)).await.expect_problem(400, "bad_request");
    assert!(blank.body.contains("name: use at least one character that can be seen"), "{blank:?}");
    let unknown = json!({ "name": "Others", "roles": ["edtior"] });
    let unknown = send(&site, Method::POST, GROUPS, Some(unknown)).await;
    assert!(unknown.expect_problem(400, "bad_request").body.contains("there is no role"));
    let changed = json!({ "name": "Writers" });
    let changed = send(&site, Method::PATCH, &path, Some(changed)).await.expect(200);
    assert_eq!((changed.header("etag"), &changed.json()["roles"]), ("\"2\"", &json!(["editor"])));
    for query in ["name=Writers", "search=wri"] {
        let found = send(&site, Method::GET, &format!("{GROUPS}?{query}"), None).await.expect(200).json();
        assert_eq!(found["data"], json!([changed.json()]), "{query}");
    }
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = send(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_person_has_the_roles_of_a_group_and_of_the_groups_around_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let [company, editors, chiefs] = chain(&site).await;
    let ada = site.user_with_roles("ada", &["editor"]).await;
    let member = |group: &Group| format!("{GROUPS}/{}/members/{}", group.id, ada.id);
    let _ = send(&site, Method::PUT, &member(&chiefs), None).await.expect(204);
    let all = json!(["editor", "chief", "reader"]);
    let names = json!(["Chiefs", "Company", "Editors"]);
    assert_eq!(standing(&site, &ada).await, [json!(["editor"]), names, all]);
    let members = send(&site, Method::GET, &format!("{GROUPS}/{}/members", chiefs.id), None).await.json();
    assert_eq!(members["data"], json!([{ "tenant_user_id": ada.id }]));
    let inside = send(&site, Method::GET, &format!("{GROUPS}/{}/groups", company.id), None).await.json();
    assert_eq!(inside["data"], json!([{ "group_id": editors.id }]));

    let nested = format!("{GROUPS}/{}/groups/{}", company.id, editors.id);
    let before = user(&site, &ada).await.header("etag").to_owned();
    h.advance(1);
    let _ = send(&site, Method::DELETE, &nested, None).await.expect(204);
    assert_ne!(user(&site, &ada).await.header("etag"), before, "another document has another version");
    let now = [json!(["editor"]), json!(["Chiefs", "Editors"]), json!(["editor", "chief"])];
    assert_eq!(standing(&site, &ada).await, now);
    let _ = send(&site, Method::DELETE, &nested, None).await.expect_problem(404, "not_found");
    let _ = send(&site, Method::DELETE, &member(&chiefs), None).await.expect(204);
    assert_eq!(standing(&site, &ada).await, [json!(["editor"]), json!([]), json!(["editor"])]);
    let _ = send(&site, Method::DELETE, &member(&chiefs), None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_group_is_never_in_itself_and_never_deeper_than_eight() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut groups = Vec::new();
    for number in 0..9 {
        groups.push(site.group(&format!("Group {number}"), &[]).await);
    }
    let nest = async |outer: usize, inner: usize| {
        let path = format!("{GROUPS}/{}/groups/{}", groups[outer].id, groups[inner].id);
        send(&site, Method::PUT, &path, None).await
    };
    for outer in 0..7 {
        let _ = nest(outer, outer + 1).await.expect(204);
    }
    for (outer, inner) in [(0, 0), (1, 0), (7, 0)] {
        let refused = nest(outer, inner).await.expect_problem(409, "conflict");
        assert!(refused.body.contains("in itself"), "{outer} {inner}");
    }
    for (outer, inner) in [(7, 8), (8, 0)] {
        let refused = nest(outer, inner).await.expect_problem(409, "conflict");
        assert!(refused.body.contains("8 times"), "{outer} {inner}");
    }
    let _ = nest(0, 8).await.expect(204);
    let _ = nest(0, 8).await.expect(204);
}

#[tokio::test]
async fn a_person_is_in_two_hundred_groups_at_most_and_may_be_put_into_one_of_them_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut groups = Vec::new();
    for number in 0..=200 {
        groups.push(site.group(&format!("Group {number}"), &[]).await);
    }
    for group in &groups[..200] {
        site.add(group, ada.id).await;
    }
    let put = async |group: &Group| {
        send(&site, Method::PUT, &format!("{GROUPS}/{}/members/{}", group.id, ada.id), None).await
    };
    let refused = put(&groups[200]).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("200 groups"), "{refused:?}");
    let _ = put(&groups[199]).await.expect(204);
}

#[tokio::test]
async fn a_refresh_says_the_groups_that_the_person_is_in_by_then() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let [_, _, chiefs] = chain(&site).await;
    let ada = site.user_with_roles("ada", &["editor"]).await;
    let wide = "roles groups offline_access".parse().unwrap();
    let app = site.app_with("web", |app| app.scope = app.scope.union(&wide)).await;
    let asked = [("scope", "openid roles groups offline_access")];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let mut tokens = app.exchange(&code).await.expect(200).json();
    let member = format!("{GROUPS}/{}/members/{}", chiefs.id, ada.id);
    let all = json!(["Chiefs", "Company", "Editors"]);
    let steps = [
        (None, json!(["editor"]), Value::Null),
        (Some((Method::PUT, 204)), json!(["editor", "chief", "reader"]), all),
        (Some((Method::DELETE, 204)), json!(["editor"]), Value::Null),
    ];
    for (change, roles, groups) in steps {
        if let Some((method, status)) = change {
            let _ = send(&site, method, &member, None).await.expect(status);
        }
        tokens = app.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200).json();
        let told = claims(tokens["id_token"].as_str().unwrap());
        assert_eq!((&told["roles"], &told["groups"]), (&roles, &groups));
    }
}

#[tokio::test]
async fn tokens_and_userinfo_say_the_groups_and_memory_follows_each_change() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let [company, editors, chiefs] = chain(&site).await;
    site.api(NOTES, &["notes:read"]).await;
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let api = apis::find_by_identifier(&mut tx, &site.tenant, NOTES).await.unwrap().unwrap();
    let wanted = BTreeSet::from([PersonClaim::Roles, PersonClaim::Groups]);
    let configuration = apis::Configuration { access_token_claims: wanted, ..api.configuration.clone() };
    apis::update(&mut tx, &h.operator(), &api, &configuration, true).await.unwrap();
    tx.commit().await.unwrap();
    let ada = site.user("ada").await;
    site.add(&chiefs, ada.id).await;
    let app = site.app_with("web", |app| app.scope = app.scope.union(&"roles groups".parse().unwrap())).await;

    let asked = [("scope", "openid notes:read"), ("resource", NOTES)];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    let told = claims(tokens["access_token"].as_str().unwrap());
    assert_eq!(told["roles"], json!(["chief", "editor", "reader"]));
    assert_eq!(told["groups"], json!(["Chiefs", "Company", "Editors"]));

    let asked = [("scope", "openid roles groups")];
    let code = app.code_with(&mut site.browser(), &ada, &asked).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    let token = tokens["access_token"].as_str().unwrap();
    let other = h.restarted().await;
    let there = Site { harness: &other, ..site.clone() };
    let told = async |site: &Site<'_>| {
        let told = site.call(Method::GET, "/userinfo", Some(token), None).await.expect(200).json();
        [told["roles"].clone(), told["groups"].clone()]
    };
    let first = [json!(["chief", "editor", "reader"]), json!(["Chiefs", "Company", "Editors"])];
    assert_eq!([told(&site).await, told(&there).await], [first.clone(), first]);

    let rename = json!({ "name": "Staff", "roles": [] });
    let nested = format!("{GROUPS}/{}/groups/{}", editors.id, chiefs.id);
    let steps = [
        (Method::PATCH, format!("{GROUPS}/{}", company.id), Some(rename), json!(["chief", "editor"]), 3),
        (Method::DELETE, format!("{GROUPS}/{}", company.id), None, json!(["chief", "editor"]), 2),
        (Method::DELETE, nested, None, json!(["chief"]), 1),
        (Method::DELETE, format!("{GROUPS}/{}/members/{}", chiefs.id, ada.id), None, Value::Null, 0),
    ];
    for (method, path, body, roles, groups) in steps {
        let looked_at = h.operator().now;
        h.advance(1);
        let status = if method == Method::PATCH { 200 } else { 204 };
        let _ = send(&site, method, &path, body).await.expect(status);
        let since = looked_at - Seconds(1);
        other.app().services.sync(&other.app().db, since, h.operator().now).await.unwrap();
        for site in [&site, &there] {
            let [told_roles, told_groups] = told(site).await;
            assert_eq!(told_roles, roles, "{path}");
            assert_eq!(told_groups.as_array().map_or(0, Vec::len), groups, "{path}");
        }
    }
}

#[tokio::test]
async fn a_caller_gives_by_a_group_only_roles_that_it_has() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let [company, editors, _] = chain(&site).await;
    let (ada, empty) = (site.user("ada").await, site.group("Empty", &[]).await);
    let weak = site.mint(|claims| claims["scope"] = json!("groups:write groups:read"));
    let call = async |method, path: String, body| site.call(method, &path, Some(&weak), body).await;
    let new = json!({ "name": "Mine", "roles": ["editor"] });
    let refused = call(Method::POST, GROUPS.to_owned(), Some(new)).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
    for method in [Method::PUT, Method::PATCH] {
        let given = json!({ "name": "Empty", "roles": ["chief"] });
        let refused = call(method, format!("{GROUPS}/{}", empty.id), Some(given)).await;
        let _ = refused.expect_problem(403, "insufficient_scope");
    }
    let joined = call(Method::PUT, format!("{GROUPS}/{}/members/{}", editors.id, ada.id), None).await;
    assert!(
        joined.expect_problem(403, "insufficient_scope").body.contains("roles: reader"),
        "of the group around"
    );
    let nested = call(Method::PUT, format!("{GROUPS}/{}/groups/{}", company.id, empty.id), None).await;
    let _ = nested.expect_problem(403, "insufficient_scope");
    let open = call(Method::PUT, format!("{GROUPS}/{}/members/{}", empty.id, ada.id), None).await;
    let _ = open.expect(204);
}

#[tokio::test]
async fn a_role_that_a_group_has_is_not_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let role = site.role("editor", &[]).await;
    let group = site.group("Editors", &["editor"]).await;
    let path = format!("/api/v1/roles/{}", role.id);
    let refused = send(&site, Method::DELETE, &path, None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains(&group.id.to_string()), "{refused:?}");
    let _ = send(&site, Method::DELETE, &format!("{GROUPS}/{}", group.id), None).await.expect(204);
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
}

#[tokio::test]
async fn each_change_of_a_group_leaves_one_entry_and_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, inner) = (site.user("ada").await, site.group("Inner", &[]).await);
    let new = json!({ "name": "Editors" });
    let made = left_by(&h, send(&site, Method::POST, GROUPS, Some(new))).await;
    assert_eq!(made, [["group.created"], ["admin.group.created"]]);
    let found = send(&site, Method::GET, &format!("{GROUPS}?name=Editors"), None).await.json();
    let path = format!("{GROUPS}/{}", found["data"][0]["id"].as_str().unwrap());
    let rename = json!({ "name": "Writers" });
    let (member, nested) = (format!("{path}/members/{}", ada.id), format!("{path}/groups/{}", inner.id));
    for (method, path, body, name) in [
        (Method::PUT, &path, Some(rename), "updated"),
        (Method::PUT, &member, None, "member_added"),
        (Method::DELETE, &member, None, "member_removed"),
        (Method::PUT, &nested, None, "nested"),
        (Method::DELETE, &nested, None, "unnested"),
        (Method::DELETE, &path, None, "deleted"),
    ] {
        let left = left_by(&h, send(&site, method, path, body)).await;
        assert_eq!(left, [[format!("group.{name}")], [format!("admin.group.{name}")]]);
    }
}

const FILE: &str = r#"
[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.role]]
name = "editor"

[[tenant.group]]
name = "Company"
roles = ["editor"]
groups = ["Editors"]

[[tenant.group]]
name = "Editors"
description = "Write notes"

[[tenant.user]]
username = "grace"
initial_password = "compiler nanosecond moth"
groups = ["Editors"]
"#;

#[tokio::test]
async fn a_file_says_which_groups_there_are_and_who_is_in_them() {
    let h = Harness::new().await;
    let first = apply_text(&h, FILE).await.unwrap().to_string();
    assert!(first.contains("created   group Editors"), "{first}");
    let grace = async || {
        let (services, db) = (&h.app().services, &h.app().db);
        let mut tx = db.read_system().await.unwrap();
        let id = find_by_slug(&mut tx, "acme").await.unwrap().unwrap();
        let tenant = services.tenants.by_id(id).await.unwrap();
        let mut tx = db.read(tenant.id).await.unwrap();
        tenant_users::find_by_identifier(&mut tx, "grace").await.unwrap().unwrap()
    };
    assert_eq!(
        (grace().await.roles, grace().await.groups),
        (vec!["editor".to_owned()], vec!["Company".to_owned(), "Editors".to_owned()])
    );
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
    let exported = apply::export(&h.app().db, &h.app().services.tenants, "acme", true).await.unwrap();
    let exported = exported.to_text().unwrap();
    assert!(apply_text(&h, &exported).await.unwrap().is_unchanged(), "{exported}");

    let alone = FILE.replace("groups = [\"Editors\"]\n\n", "\n");
    let outcome = apply_text(&h, &alone).await.unwrap().to_string();
    let left = "groups: [\"Editors\"] → []\n";
    assert!(outcome.contains(&format!("updated   group Company\n            {left}")), "{outcome}");
    assert_eq!(grace().await.groups, ["Editors"]);
    let out = FILE.replace("moth\"\ngroups = [\"Editors\"]", "moth\"\ngroups = []");
    let outcome = apply_text(&h, &out).await.unwrap().to_string();
    assert!(outcome.contains(&format!("updated   user grace\n            {left}")), "{outcome}");
    assert!(grace().await.groups.is_empty());
    let unknown = FILE.replace("moth\"\ngroups = [\"Editors\"]", "moth\"\ngroups = [\"Edtiors\"]");
    let fault = apply_text(&h, &unknown).await.unwrap_err();
    assert!(fault.contains("user \"grace\": groups: there is no group \"Edtiors\""), "{fault}");
}
