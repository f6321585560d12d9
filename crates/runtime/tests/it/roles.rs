//! Roles: records of a tenant that permit scopes of its APIs, what tokens say of them, and who may give them.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_domain::apis::management::{ADMIN, MANAGEMENT};
use svc_domain::apis::{self, ApiScope, PersonClaim};
use svc_http::Method;
use svc_runtime::apply;

use crate::apply::apply_text;
use crate::changes::left_by;
use crate::harness::client::claims;
use crate::harness::{Answer, Client, Harness, Person, Site};
use crate::polling::{allow_device, poll_device};

const ROLES: &str = "/api/v1/roles";
const NOTES: &str = "https://notes.example";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

async fn create(site: &Site<'_>, body: Value) -> Answer {
    send(site, Method::POST, ROLES, Some(body)).await
}

/// An API of which one scope is for everybody and the other for administrators; its tokens say what `wanted` names.
async fn notes(site: &Site<'_>, wanted: &[PersonClaim]) {
    let scope = |name: &str, roles: &[&str]| ApiScope {
        name: name.to_owned(),
        description: String::new(),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
    };
    site.api(NOTES, &[]).await;
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let api = apis::find_by_identifier(&mut tx, &site.tenant, NOTES).await.unwrap().unwrap();
    let configuration = apis::Configuration {
        scopes: vec![scope("notes:read", &[]), scope("notes:write", &[ADMIN])],
        access_token_claims: wanted.iter().copied().collect::<BTreeSet<_>>(),
        ..api.configuration.clone()
    };
    apis::update(&mut tx, &site.harness.operator(), &api, &configuration, true).await.unwrap();
    tx.commit().await.unwrap();
}

/// What the person gets who asks for all that the API has.
async fn granted(app: &Client<'_>, person: &Person) -> Value {
    let scope = [("scope", "openid offline_access notes:read notes:write"), ("resource", NOTES)];
    let code = app.code_with(&mut app.site.browser(), person, &scope).await;
    app.exchange(&code).await.expect(200).json()
}

fn access(tokens: &Value) -> Value {
    claims(tokens["access_token"].as_str().unwrap())
}

#[tokio::test]
async fn a_role_is_made_read_changed_searched_and_deleted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read", "notes:write"]).await;
    let permissions = json!([{ "api": NOTES, "scopes": ["notes:write"] }]);
    let new = json!({ "name": "Editor", "description": "Writes notes", "permissions": permissions });
    let made = create(&site, new.clone()).await.expect(201);
    let path =
        made.header("location").strip_prefix(site.issuer()).unwrap_or(made.header("location")).to_owned();
    let role = made.json();
    assert_eq!(
        (&role["name"], &role["built_in"], &role["permissions"]),
        (&json!("Editor"), &json!(false), &permissions)
    );
    assert!(create(&site, new).await.expect_problem(409, "conflict").body.contains("name: "));
    let blank = create(&site, json!({ "name": "\u{202E} " })).await.expect_problem(400, "bad_request");
    assert!(blank.body.contains("name: "), "{blank:?}");
    assert_eq!(send(&site, Method::GET, &path, None).await.expect(200).json(), role);

    let change = json!({ "permissions": [] });
    let changed = send(&site, Method::PATCH, &path, Some(change.clone())).await.expect(200);
    assert_eq!(changed.header("etag"), "\"2\"");
    assert_eq!(
        (&changed.json()["description"], &changed.json()["permissions"]),
        (&json!("Writes notes"), &json!([]))
    );
    let again = send(&site, Method::PATCH, &path, Some(change)).await.expect(200);
    assert_eq!(again.header("etag"), "\"2\"", "nothing changed");

    for query in ["name=Editor", "search=eDi"] {
        let found = send(&site, Method::GET, &format!("{ROLES}?{query}"), None).await.expect(200).json();
        assert_eq!(found["data"], json!([changed.json()]), "{query}");
    }
    let all = send(&site, Method::GET, ROLES, None).await.expect(200).json();
    let names: BTreeSet<_> =
        all["data"].as_array().unwrap().iter().map(|role| role["name"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["Editor", "admin"]));

    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = send(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn what_a_role_permits_has_to_be_a_scope_of_an_api_of_the_tenant() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    site.api(NOTES, &["notes:read"]).await;
    other.api("https://elsewhere.example", &["notes:read"]).await;
    let control_plane = format!("{}/control-plane", site.issuer());
    for (permission, said) in [
        (json!({ "api": NOTES, "scopes": ["notes:raed"] }), "has no scope \\\"notes:raed\\\""),
        (json!({ "api": NOTES, "scopes": [] }), "/permissions/0/scopes"),
        (json!({ "api": "https://elsewhere.example", "scopes": ["notes:read"] }), "there is no API"),
        (json!({ "api": control_plane, "scopes": ["control-plane:write"] }), "there is no API"),
    ] {
        let refused = create(&site, json!({ "name": "x", "permissions": [permission] })).await;
        assert!(refused.expect_problem(400, "bad_request").body.contains(said), "{said}");
    }
    for name in ["admin", "operator"] {
        let refused = create(&site, json!({ "name": name })).await.expect_problem(409, "conflict");
        assert!(refused.body.contains("the service itself"), "{name}");
    }
}

#[tokio::test]
async fn a_scope_that_is_bound_to_roles_is_given_to_those_whose_role_permits_it_and_taken_with_the_permission()
 {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    notes(&site, &[]).await;
    let role = site.role("editor", &[(NOTES, &["notes:write"])]).await;
    let app = site.app("web").await;
    let (ada, bob) = (site.user_with_roles("ada", &["editor"]).await, site.user("bob").await);
    assert_eq!(access(&granted(&app, &bob).await)["scope"], "notes:read offline_access openid");
    let tokens = granted(&app, &ada).await;
    assert_eq!(access(&tokens)["scope"], "notes:read notes:write offline_access openid");
    assert_eq!(access(&tokens).get("roles"), None, "the API did not ask for it");

    let path = format!("{ROLES}/{}", role.id);
    let _ = send(&site, Method::PATCH, &path, Some(json!({ "permissions": [] }))).await.expect(200);
    let next = app.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200).json();
    assert_eq!(access(&next)["scope"], "notes:read offline_access openid");
}

#[tokio::test]
async fn a_browser_that_is_signed_in_gets_what_the_groups_of_the_person_permit_by_then() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    notes(&site, &[]).await;
    site.role("editor", &[(NOTES, &["notes:write"])]).await;
    let editors = site.group("Editors", &["editor"]).await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let member = format!("/api/v1/groups/{}/members/{}", editors.id, ada.id);
    let steps = [
        (None, "notes:read openid"),
        (Some(Method::PUT), "notes:read notes:write openid"),
        (Some(Method::DELETE), "notes:read openid"),
    ];
    for (change, scope) in steps {
        if let Some(method) = change {
            let _ = send(&site, method, &member, None).await.expect(204);
        }
        let asked = [("scope", "openid notes:read notes:write"), ("resource", NOTES)];
        let code = app.code_with(&mut browser, &ada, &asked).await;
        let tokens = app.exchange(&code).await.expect(200).json();
        assert_eq!(access(&tokens)["scope"], scope);
    }
}

#[tokio::test]
async fn an_api_chooses_what_its_tokens_say_of_a_persons_roles() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    notes(&site, &[PersonClaim::Roles, PersonClaim::Permissions]).await;
    site.role("editor", &[(NOTES, &["notes:write"])]).await;
    let ada = site.user_with_roles("ada", &["editor", "reader"]).await;
    let ours = site.app("web").await;
    let theirs = site.app_with("theirs", |configuration| configuration.first_party = false).await;
    let scope = [("scope", "openid notes:read"), ("resource", NOTES)];
    for (app, permissions) in [(&ours, Some(json!(["notes:write"]))), (&theirs, None)] {
        let code = app.code_with(&mut site.browser(), &ada, &scope).await;
        let tokens = app.exchange(&code).await.expect(200).json();
        let told = access(&tokens);
        assert_eq!(
            (&told["scope"], &told["roles"]),
            (&json!("notes:read openid"), &json!(["editor", "reader"]))
        );
        assert_eq!(told.get("permissions"), permissions.as_ref(), "of a third party only what was agreed to");
    }
    assert_eq!(access(&granted(&theirs, &ada).await)["permissions"], json!(["notes:write"]));
    let token = ours.own_token("notes:read", NOTES).await;
    assert_eq!(claims(&token).get("roles"), None, "an application has none");
}

#[tokio::test]
async fn a_role_may_open_a_part_of_the_management_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let api = site.tenant.api_audience();
    let permissions = json!([{ "api": api, "scopes": ["tenant-users:read"] }]);
    let _ = create(&site, json!({ "name": "support", "permissions": permissions })).await.expect(201);
    let app = site.app("console").await;
    let ada = site.user_with_roles("ada", &["support"]).await;
    let scope = [("scope", "tenant-users:read tenant-users:write"), ("resource", api.as_str())];
    let code = app.code_with(&mut site.browser(), &ada, &scope).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    assert_eq!(tokens["scope"], "tenant-users:read");
    let users = format!("/api/v1/tenant-users/{}", ada.id);
    let token = tokens["access_token"].as_str();
    let _ = site.call(Method::GET, &users, token, None).await.expect(200);
    let refused = site.call(Method::DELETE, &users, token, None).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn a_role_names_the_management_api_as_files_do_and_shows_its_identifier() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let permitting = |scope: &str| json!([{ "api": MANAGEMENT, "scopes": [scope] }]);
    let shown = |scope: &str| json!([{ "api": format!("{}/api", site.issuer()), "scopes": [scope] }]);
    let new = json!({ "name": "support", "permissions": permitting("tenant-users:read") });
    let made = create(&site, new).await.expect(201).json();
    assert_eq!(made["permissions"], shown("tenant-users:read"));
    let path = format!("{ROLES}/{}", made["id"].as_str().unwrap());
    let change = || Some(json!({ "permissions": permitting("sessions:read") }));
    let weak = site.mint(|claims| claims["scope"] = json!("roles:write tenant-users:read"));
    let refused = site.call(Method::PATCH, &path, Some(&weak), change()).await;
    let _ = refused.expect_problem(403, "insufficient_scope");
    let changed = send(&site, Method::PATCH, &path, change()).await.expect(200).json();
    assert_eq!(changed["permissions"], shown("sessions:read"));
}

#[tokio::test]
async fn a_role_is_not_deleted_while_something_names_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let roles = send(&site, Method::GET, "/api/v1/roles?name=admin", None).await.expect(200).json();
    let admin = format!("{ROLES}/{}", roles["data"][0]["id"].as_str().unwrap());
    assert_eq!(roles["data"][0]["built_in"], true);
    let _ = send(&site, Method::DELETE, &admin, None).await.expect_problem(409, "conflict");

    let path = format!("{ROLES}/{}", site.role("editor", &[]).await.id);
    let ada = site.user_with_roles("ada", &["editor"]).await;
    let bob = site.user("bob").await;
    let refused = send(&site, Method::DELETE, &path, None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains(&ada.id.to_string()), "{refused:?}");
    assert!(refused.body.contains("`/api/v1/tenant-users?role=editor`"), "{refused:?}");
    let having = send(&site, Method::GET, "/api/v1/tenant-users?role=editor", None).await.expect(200).json();
    let ids: Vec<_> = having["data"].as_array().unwrap().iter().map(|person| &person["id"]).collect();
    assert_eq!(ids, [&json!(ada.id)], "and not {}", bob.id);
    let taken = json!({ "roles": [] });
    let _ = send(&site, Method::PATCH, &format!("/api/v1/tenant-users/{}", ada.id), Some(taken))
        .await
        .expect(200);

    let scopes = json!([{ "name": "notes:write", "roles": ["editor"] }]);
    let api = json!({ "identifier": NOTES, "name": "Notes", "scopes": scopes });
    let api = send(&site, Method::POST, "/api/v1/apis", Some(api)).await.expect(201).json();
    let refused = send(&site, Method::DELETE, &path, None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("notes:write"), "{refused:?}");
    let open = json!({ "scopes": [{ "name": "notes:write" }] });
    let api = format!("/api/v1/apis/{}", api["id"].as_str().unwrap());
    let _ = send(&site, Method::PATCH, &api, Some(open)).await.expect(200);
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
}

#[tokio::test]
async fn an_api_is_not_deleted_while_a_role_permits_its_scopes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let role = site.role("reader", &[(NOTES, &["notes:read"])]).await;
    let found = send(&site, Method::GET, &format!("/api/v1/apis?identifier={NOTES}"), None).await.json();
    let path = format!("/api/v1/apis/{}", found["data"][0]["id"].as_str().unwrap());
    let _ = send(&site, Method::PATCH, &path, Some(json!({ "enabled": false }))).await.expect(200);
    let refused = send(&site, Method::DELETE, &path, None).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("a role permits"), "{refused:?}");
    let _ = send(&site, Method::DELETE, &format!("{ROLES}/{}", role.id), None).await.expect(204);
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
}

#[tokio::test]
async fn a_scope_stays_in_its_api_while_a_role_permits_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read", "notes:write"]).await;
    let role = site.role("reader", &[(NOTES, &["notes:read"])]).await;
    let found = send(&site, Method::GET, &format!("/api/v1/apis?identifier={NOTES}"), None).await.json();
    let path = format!("/api/v1/apis/{}", found["data"][0]["id"].as_str().unwrap());
    let change = async |names: &[&str]| {
        let scopes: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
        send(&site, Method::PATCH, &path, Some(json!({ "scopes": scopes }))).await
    };
    let _ = change(&["notes:read"]).await.expect(200);
    let refused = change(&["notes:write"]).await.expect_problem(409, "conflict").json();
    assert_eq!(refused["detail"], "scopes: the role \"reader\" permits notes:read; change that role first");
    let _ = send(&site, Method::DELETE, &format!("{ROLES}/{}", role.id), None).await.expect(204);
    let _ = change(&["notes:write"]).await.expect(200);
}

#[tokio::test]
async fn a_caller_permits_by_a_role_only_what_it_holds_and_gives_only_roles_that_there_are() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read", "notes:write"]).await;
    let weak = site.mint(|claims| claims["scope"] = json!("roles:write roles:read notes:read"));
    let call = async |method, path: &str, permissions: Value| {
        let body = if path == ROLES {
            json!({ "name": "editor", "permissions": permissions })
        } else {
            json!({ "permissions": permissions })
        };
        site.call(method, path, Some(&weak), Some(body)).await
    };
    let all = json!([{ "api": NOTES, "scopes": ["notes:read", "notes:write"] }]);
    let refused = call(Method::POST, ROLES, all.clone()).await.expect_problem(403, "insufficient_scope");
    // The token is for the management API: a scope of the same name there is not that of the notes.
    assert!(refused.body.contains("permissions: notes:read, permissions: notes:write:"), "{refused:?}");
    let own = json!([{ "api": site.tenant.api_audience(), "scopes": ["roles:read"] }]);
    let made = call(Method::POST, ROLES, own).await.expect(201).json();
    let path = format!("{ROLES}/{}", made["id"].as_str().unwrap());
    for method in [Method::PUT, Method::PATCH] {
        let _ = call(method, &path, all.clone()).await.expect_problem(403, "insufficient_scope");
    }
    let strong = send(&site, Method::PATCH, &path, Some(json!({ "permissions": all }))).await;
    let _ = strong.expect(200);
    // What another gave may stay and be taken away.
    let _ = call(Method::PATCH, &path, all).await.expect(200);
    let _ = call(Method::PATCH, &path, json!([])).await.expect(200);

    let misspelt = json!({ "username": "eve", "roles": ["edtior"] });
    let refused = send(&site, Method::POST, "/api/v1/tenant-users", Some(misspelt)).await;
    assert!(refused.expect_problem(400, "bad_request").body.contains("there is no role"));
}

#[tokio::test]
async fn each_change_of_a_role_leaves_one_entry_and_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let made = left_by(&h, create(&site, json!({ "name": "editor" }))).await;
    assert_eq!(made, [["role.created"], ["admin.role.created"]]);
    let found = send(&site, Method::GET, "/api/v1/roles?name=editor", None).await.json();
    let path = format!("{ROLES}/{}", found["data"][0]["id"].as_str().unwrap());
    let change = || send(&site, Method::PUT, &path, Some(json!({ "description": "Writes" })));
    assert_eq!(left_by(&h, change()).await, [["role.updated"], ["admin.role.updated"]]);
    assert!(left_by(&h, change()).await.iter().all(Vec::is_empty), "nothing changed");
    let deleted = left_by(&h, send(&site, Method::DELETE, &path, None)).await;
    assert_eq!(deleted, [["role.deleted"], ["admin.role.deleted"]]);
}

const FILE: &str = r#"
[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.api]]
identifier = "https://notes.example"
name = "Notes"
scopes = [{ name = "notes:write", roles = ["admin"] }]

[[tenant.role]]
name = "editor"
description = "Writes notes"
permissions = [
    { api = "https://notes.example", scopes = ["notes:write"] },
    { api = "urn:svc:management-api", scopes = ["tenant-users:read"] },
]

[[tenant.user]]
username = "grace"
initial_password = "compiler nanosecond moth"
roles = ["editor"]
"#;

#[tokio::test]
async fn a_file_says_which_roles_there_are_and_what_they_permit() {
    let h = Harness::new().await;
    let first = apply_text(&h, FILE).await.unwrap().to_string();
    assert!(first.contains("created   role editor"), "{first}");
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
    let exported = apply::export(&h.app().db, &h.app().services.tenants, "acme", true).await.unwrap();
    let exported = exported.to_text().unwrap();
    assert!(exported.contains("api = \"urn:svc:management-api\""), "{exported}");
    assert!(apply_text(&h, &exported).await.unwrap().is_unchanged(), "{exported}");
    let edited = FILE.replace("Writes notes", "Writes and reads notes");
    let second = apply_text(&h, &edited).await.unwrap().to_string();
    assert!(second.contains("updated   role editor") && second.contains("description"), "{second}");
    let misspelt = FILE.replace("roles = [\"editor\"]", "roles = [\"edtior\"]");
    let fault = apply_text(&h, &misspelt).await.unwrap_err();
    assert!(fault.contains("user \"grace\": roles: there is no role \"edtior\""), "{fault}");
    let unknown = FILE.replace("[\"tenant-users:read\"]", "[\"tenant-users:raed\"]");
    let fault = apply_text(&h, &unknown).await.unwrap_err();
    assert!(fault.contains("role \"editor\": permissions: "), "{fault}");
}

#[tokio::test]
async fn on_another_device_a_person_gives_what_their_roles_permit_as_well() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    notes(&site, &[]).await;
    site.role("editor", &[(NOTES, &["notes:write"])]).await;
    let (tv, ada) = (site.public_app("tv").await, site.user_with_roles("ada", &["editor"]).await);
    let bob = site.user("bob").await;
    for (person, scope) in [(&ada, "notes:read notes:write"), (&bob, "notes:read")] {
        let asked = [("scope", "notes:read notes:write"), ("resource", NOTES)];
        let started = tv.post("/oauth/device/code", &asked, &[]).await.expect(200).json();
        allow_device(&site, person, started["user_code"].as_str().unwrap()).await;
        let tokens = poll_device(&tv, started["device_code"].as_str().unwrap()).await.expect(200).json();
        assert_eq!(tokens["scope"], scope, "{}", person.username);
    }
}

#[tokio::test]
async fn roles_that_are_given_leave_the_sign_in_name_that_is_changed_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let path = format!("/api/v1/tenant-users/{}", site.user("ada").await.id);
    for round in 0..5 {
        let username = format!("ada-{round}");
        let roles = if round % 2 == 0 { json!(["editor"]) } else { json!([]) };
        let changes = [json!({ "username": username }), json!({ "roles": roles })];
        let changes = changes.map(|change| send(&site, Method::PATCH, &path, Some(change)));
        for changed in join_all(changes).await {
            let _ = changed.expect(200);
        }
        let now = send(&site, Method::GET, &path, None).await.expect(200).json();
        assert_eq!((&now["username"], &now["roles"]), (&json!(username), &roles));
    }
}

#[tokio::test]
async fn a_person_who_is_given_a_role_twice_has_it_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    site.role("author", &[]).await;
    let new = json!({ "username": "grace", "roles": ["editor", "author", "editor"] });
    let made = send(&site, Method::POST, "/api/v1/tenant-users", Some(new)).await.expect(201).json();
    assert_eq!(made["roles"], json!(["editor", "author"]));
    let path = format!("/api/v1/tenant-users/{}", made["id"].as_str().unwrap());
    let change = json!({ "roles": ["author", "author"] });
    let changed = send(&site, Method::PATCH, &path, Some(change)).await.expect(200).json();
    assert_eq!((&changed["roles"], &changed["effective_roles"]), (&json!(["author"]), &json!(["author"])));
}

#[tokio::test]
async fn entries_of_a_set_that_are_given_twice_are_kept_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let [first, second] = ["https://app.example/b", "https://app.example/a"];
    let app = json!({ "handle": "twice", "name": "Twice", "type": "spa", "token_endpoint_auth_method": "none",
        "redirect_uris": [first, second, first], "allowed_origins": ["+", "+"] });
    let app = send(&site, Method::POST, "/api/v1/applications", Some(app)).await.expect(201).json();
    assert_eq!(app["redirect_uris"], json!([first, second]), "in their order");
    assert_eq!(app["allowed_origins"], json!(["+"]));
    let scope = json!({ "name": "notes:read", "roles": ["editor", "editor"] });
    let api = json!({ "identifier": NOTES, "name": "Notes", "scopes": [scope] });
    let api = send(&site, Method::POST, "/api/v1/apis", Some(api)).await.expect(201).json();
    assert_eq!(api["scopes"][0]["roles"], json!(["editor"]));
    let webhook = json!({ "url": "https://receiver.example", "event_types": ["auth.*", "auth.*"] });
    let webhook = send(&site, Method::POST, "/api/v1/webhooks", Some(webhook)).await.expect(201).json();
    assert_eq!(webhook["event_types"], json!(["auth.*"]));
    let path = format!("/api/v1/webhooks/{}", webhook["id"].as_str().unwrap());
    let change = json!({ "event_types": ["tenant_user.suspended", "auth.*", "tenant_user.suspended"] });
    let changed = send(&site, Method::PATCH, &path, Some(change)).await.expect(200).json();
    assert_eq!(changed["event_types"], json!(["tenant_user.suspended", "auth.*"]));
}
