//! Organizations: customers of a tenant, their members with roles there, and their owners.

use serde_json::{Value, json};
use svc_http::Method;

use super::World;
use crate::changes::left_by;
use crate::harness::{Answer, Harness, Site};

const ORGANIZATIONS: &str = "/api/v1/organizations";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

#[tokio::test]
async fn an_organization_is_made_read_changed_searched_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let new = json!({ "slug": "initech", "name": "Initech", "owner_id": ada.id });
    let made = send(&site, Method::POST, ORGANIZATIONS, Some(new.clone())).await.expect(201).json();
    let path = format!("{ORGANIZATIONS}/{}", made["id"].as_str().unwrap());
    assert_eq!((&made["status"], &made["owner_id"]), (&json!("active"), &json!(ada.id)));
    let taken = send(&site, Method::POST, ORGANIZATIONS, Some(new)).await.expect_problem(409, "conflict");
    assert!(taken.body.contains("slug: "), "{taken:?}");
    let members = send(&site, Method::GET, &format!("{path}/members"), None).await.expect(200).json();
    assert_eq!(members["data"][0]["tenant_user_id"], json!(ada.id), "the owner is a member");

    let change = json!({ "status": "suspended", "accent": "#0f766e", "metadata": { "plan": "gold" } });
    let changed = send(&site, Method::PATCH, &path, Some(change)).await.expect(200);
    assert_eq!(changed.header("etag"), "\"2\"");
    assert_eq!(
        (&changed.json()["status"], &changed.json()["name"]),
        (&json!("suspended"), &json!("Initech"))
    );
    for query in ["slug=initech", "search=ini"] {
        let found = send(&site, Method::GET, &format!("{ORGANIZATIONS}?{query}"), None).await.expect(200);
        assert_eq!(found.json()["data"], json!([changed.json()]), "{query}");
    }
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = send(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn null_in_a_patch_removes_the_rules_of_signing_in_and_what_a_put_leaves_out_stays() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let path = format!("{ORGANIZATIONS}/{}", site.organization("initech", ada.id).await.id);
    let none = send(&site, Method::GET, &path, None).await.expect(200).json()["sign_in"].clone();
    let rules = json!({ "second_factor": "optional", "sso": "optional", "session_max_age_secs": 600 });
    let set = json!({ "status": "suspended", "sign_in": rules });
    let _ = send(&site, Method::PATCH, &path, Some(set)).await.expect(200);
    for (method, change, expected) in [
        (Method::PUT, json!({ "name": "Initech" }), ("suspended", &rules)),
        (Method::PATCH, json!({ "name": "Initech Inc." }), ("suspended", &rules)),
        (Method::PATCH, json!({ "sign_in": null }), ("suspended", &none)),
        (Method::PATCH, json!({ "status": null }), ("active", &none)),
    ] {
        let told = send(&site, method, &path, Some(change.clone())).await.expect(200).json();
        assert_eq!((told["status"].as_str().unwrap(), &told["sign_in"]), expected, "{change}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_changes_in_part_of_one_organization_at_once_none_is_refused_and_none_is_lost() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let path = format!("{ORGANIZATIONS}/{}", site.organization("initech", ada.id).await.id);
    let names: Vec<_> = (0..10).map(|number| format!("m{number}")).collect();
    let changes = names.iter().map(|name| {
        let change = json!({ "metadata": { (name.as_str()): true } });
        send(&site, Method::PATCH, &path, Some(change))
    });
    for answer in futures_util::future::join_all(changes).await {
        let _ = answer.expect(200);
    }
    let read = send(&site, Method::GET, &path, None).await.expect(200).json();
    assert!(names.iter().all(|name| read["metadata"][name] == true), "{read}");
}

#[tokio::test]
async fn a_change_that_is_meant_for_a_membership_which_has_ended_does_not_begin_it_again() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let path = format!("{ORGANIZATIONS}/{}/members/{}", world.initech.id, world.ada.id);
    let read = send(&world.site, Method::GET, &path, None).await.expect(200);
    world.remove(&world.initech, &world.ada).await;
    let (token, wanted) = (world.site.mint(|_| ()), json!({ "roles": ["editor"] }));
    for version in ["*", read.header("etag"), "\"0\""] {
        let meant = ("if-match", version);
        let late = world.site.call_with(Method::PUT, &path, &token, meant, wanted.clone()).await;
        let _ = late.expect_problem(409, "conflict");
        let _ = send(&world.site, Method::GET, &path, None).await.expect_problem(404, "not_found");
    }
    let _ = send(&world.site, Method::PUT, &path, Some(wanted)).await.expect(200);
}

#[tokio::test]
async fn what_no_organization_can_be_is_refused_by_the_name_of_its_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for (member, value) in [
        ("slug", json!("-initech")),
        ("slug", json!("Initech")),
        ("name", json!("")),
        ("name", json!("\u{202E}\u{200B} ")),
        ("logo_uri", json!("http://initech.example/logo.png")),
        ("accent", json!("red")),
        ("metadata", json!({ "x": "x".repeat(16 << 10) })),
    ] {
        let mut new = json!({ "slug": "initech", "name": "Initech", "owner_id": ada.id });
        new[member] = value;
        let refused = send(&site, Method::POST, ORGANIZATIONS, Some(new)).await;
        assert!(refused.expect_problem(400, "bad_request").body.contains(member), "{member}");
    }
}

#[tokio::test]
async fn members_have_roles_in_an_organization_and_not_in_the_tenant() {
    let h = Harness::with(&[("SVC_ORGANIZATIONS__MAX_MEMBERS", "2")]).await;
    let site = h.tenant("main").await;
    let (ada, bob, eve) = (site.user("ada").await, site.user("bob").await, site.user("eve").await);
    let role = site.role("editor", &[]).await;
    let path = format!("{ORGANIZATIONS}/{}", site.organization("initech", ada.id).await.id);
    let member = |person: &crate::harness::Person| format!("{path}/members/{}", person.id);
    let editor = || Some(json!({ "roles": ["editor"] }));
    let made = send(&site, Method::PUT, &member(&bob), editor()).await.expect(200);
    assert_eq!(made.json()["roles"], json!(["editor"]));
    let again = send(&site, Method::PUT, &member(&bob), editor()).await.expect(200);
    assert_eq!((again.header("etag"), again.json()), ("\"1\"", made.json()));
    let tenant_user = send(&site, Method::GET, &format!("/api/v1/tenant-users/{}", bob.id), None).await;
    assert_eq!(tenant_user.json()["effective_roles"], json!([]));
    let full = send(&site, Method::PUT, &member(&eve), editor()).await.expect_problem(409, "conflict");
    assert!(full.body.contains("organizations.max_members"), "{full:?}");
    let unknown = Some(json!({ "roles": ["edtior"] }));
    let _ = send(&site, Method::PUT, &member(&bob), unknown).await.expect_problem(400, "bad_request");

    let in_use = send(&site, Method::DELETE, &format!("/api/v1/roles/{}", role.id), None).await;
    assert!(in_use.expect_problem(409, "conflict").body.contains("a member of organization"));
    let weak = site.mint(|claims| claims["scope"] = json!("organizations:write organizations:read"));
    let taken = site.call(Method::PUT, &member(&bob), Some(&weak), Some(json!({ "roles": [] }))).await;
    assert_eq!(taken.expect(200).json()["roles"], json!([]));
    let given = site.call(Method::PUT, &member(&bob), Some(&weak), editor()).await;
    let _ = given.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn who_was_removed_from_the_tenant_takes_no_place_of_a_member_and_keeps_no_role() {
    let h = Harness::with(&[("SVC_ORGANIZATIONS__MAX_MEMBERS", "2")]).await;
    let site = h.tenant("main").await;
    let role = format!("/api/v1/roles/{}", site.role("editor", &[]).await.id);
    let (ada, bob, eve) = (site.user("ada").await, site.user("bob").await, site.user("eve").await);
    let path = format!("{ORGANIZATIONS}/{}", site.organization("initech", ada.id).await.id);
    let join = async |person: &crate::harness::Person| {
        send(
            &site,
            Method::PUT,
            &format!("{path}/members/{}", person.id),
            Some(json!({ "roles": ["editor"] })),
        )
        .await
    };
    let _ = join(&bob).await.expect(200);
    let _ = join(&eve).await.expect_problem(409, "conflict");
    let bob = format!("/api/v1/tenant-users/{}", bob.id);
    let _ = send(&site, Method::DELETE, &bob, None).await.expect(204);
    let eve_there = format!("{path}/members/{}", eve.id);
    let _ = join(&eve).await.expect(200);
    let _ = send(&site, Method::DELETE, &role, None).await.expect_problem(409, "conflict");
    let _ = send(&site, Method::DELETE, &eve_there, None).await.expect(204);
    let _ = send(&site, Method::DELETE, &role, None).await.expect(204);
}

#[tokio::test]
async fn an_organization_always_has_an_owner_who_is_a_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let path = format!("{ORGANIZATIONS}/{}", site.organization("initech", ada.id).await.id);
    let (owner, to_bob) = (format!("{path}/owner"), Some(json!({ "tenant_user_id": bob.id })));
    let stranger = send(&site, Method::PUT, &owner, to_bob.clone()).await.expect_problem(400, "bad_request");
    assert!(stranger.body.contains("tenant_user_id: "), "{stranger:?}");
    let ada_there = format!("{path}/members/{}", ada.id);
    let refused = send(&site, Method::DELETE, &ada_there, None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("the owner"), "{refused:?}");
    let bob_there = format!("{path}/members/{}", bob.id);
    let _ = send(&site, Method::PUT, &bob_there, Some(json!({}))).await.expect(200);
    let moved = send(&site, Method::PUT, &owner, to_bob).await.expect(200).json();
    assert_eq!(moved["owner_id"], json!(bob.id));
    let _ = send(&site, Method::DELETE, &ada_there, None).await.expect(204);
    let _ = send(&site, Method::DELETE, &ada_there, None).await.expect_problem(404, "not_found");
    let _ = send(&site, Method::DELETE, &bob_there, None).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn each_change_of_an_organization_leaves_one_entry_and_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    site.role("editor", &[]).await;
    let new = json!({ "slug": "initech", "name": "Initech", "owner_id": ada.id });
    let [actions, events] = left_by(&h, send(&site, Method::POST, ORGANIZATIONS, Some(new))).await;
    assert_eq!(actions, ["organization.created", "organization.member_added"]);
    assert_eq!(events, ["org.created", "org.member.added"]);
    let found = send(&site, Method::GET, &format!("{ORGANIZATIONS}?slug=initech"), None).await.json();
    let path = format!("{ORGANIZATIONS}/{}", found["data"][0]["id"].as_str().unwrap());
    let member = format!("{path}/members/{}", bob.id);
    let (owner, to) = (format!("{path}/owner"), |id| Some(json!({ "tenant_user_id": id })));
    for (method, path, body, action, event) in [
        (Method::PUT, &path, Some(json!({ "name": "Initrode" })), "updated", "updated"),
        (Method::PUT, &member, Some(json!({})), "member_added", "member.added"),
        (
            Method::PUT,
            &member,
            Some(json!({ "roles": ["editor"] })),
            "member_role_changed",
            "member.role_changed",
        ),
        (Method::PUT, &owner, to(bob.id), "owner_changed", "owner_changed"),
        (Method::PUT, &owner, to(ada.id), "owner_changed", "owner_changed"),
        (Method::DELETE, &member, None, "member_removed", "member.removed"),
        (Method::DELETE, &path, None, "deleted", "deleted"),
    ] {
        let left = left_by(&h, send(&site, method, path, body)).await;
        assert_eq!(left, [[format!("organization.{action}")], [format!("org.{event}")]]);
    }
}

#[tokio::test]
async fn a_deployment_may_go_without_organizations() {
    let h = Harness::with(&[("SVC_ORGANIZATIONS__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let _ = send(&site, Method::GET, ORGANIZATIONS, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_role_in_an_organization_protects_a_managed_person_from_callers_who_lack_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("ada").await;
    let _ = site.role("editor", &[]).await;
    let organization = site.organization("initech", owner.id).await;
    let users = "/api/v1/tenant-users";
    let made =
        send(&site, Method::POST, users, Some(json!({ "username": "grace" }))).await.expect(201).json();
    let id = made["id"].as_str().unwrap();
    let user = format!("{users}/{id}");
    let weak = site.mint(|claims| claims["scope"] = json!("tenant-users:read tenant-users:write"));
    let call = async |method: Method, below: &str, body: Option<Value>| {
        site.call(method, &format!("{user}/{below}"), Some(&weak), body).await
    };
    let password = || Some(json!({ "password": "relay moth compiler" }));
    let _ = call(Method::PUT, "password", password()).await.expect(204);
    let member = format!("{ORGANIZATIONS}/{}/members/{id}", organization.id);
    let _ = send(&site, Method::PUT, &member, Some(json!({ "roles": ["editor"] }))).await.expect(200);
    let refused = call(Method::PUT, "password", password()).await.expect_problem(403, "insufficient_scope");
    assert!(refused.body.contains("roles: editor"), "{refused:?}");
    let _ = call(Method::POST, "suspend", None).await.expect(200);
    let _ = call(Method::POST, "reactivate", None).await.expect_problem(403, "insufficient_scope");
    let _ = send(&site, Method::POST, &format!("{user}/reactivate"), None).await.expect(200);
    let _ = send(&site, Method::PUT, &format!("{user}/password"), password()).await.expect(204);
}
