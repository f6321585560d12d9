//! How members become operators and stop being them, at the terminal and through the API.

use serde_json::json;
use svc_core::Seconds;
use svc_db::Tx;
use svc_domain::people::operators::Role;
use svc_domain::people::sessions::{self, Lifetimes, NewSession};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_domain::people::{changes, credentials};
use svc_http::Method;
use svc_runtime::operators::{self as terminal, Factors, OperatorCommand};

use super::{KEYS, OPERATORS, Operator, PLANS, TENANTS, operator_of};
use crate::apply::apply_text;
use crate::changes::left_by;
use crate::harness::{Harness, Person, Site};

pub(super) async fn run(h: &Harness, command: OperatorCommand) -> Result<String, String> {
    let app = h.app();
    let done = terminal::execute(&command, &app.config, &app.db, (&h.operator(), &*app.clock)).await;
    done.map_err(|failure| failure.to_string())
}

#[tokio::test]
async fn the_first_operator_is_made_at_the_terminal_and_signs_in_at_once() {
    let h = Harness::new().await;
    let create = |name: &str| OperatorCommand::CreateOperator {
        username: name.to_owned(),
        email: None,
        role: Role::default(),
    };
    let missing = run(&h, create("grace")).await.unwrap_err();
    assert_eq!(missing, "there is no tenant \"main\", the default one; make it with `svc-runtime apply`");
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let listed = grace.call(&token, Method::GET, OPERATORS, None).await.expect(200).json();
    let since = h.operator().now.to_string();
    let expected = json!([
        { "tenant_user_id": grace.person.id, "username": "grace", "email": null, "role": "administrator", "since": since },
    ]);
    assert_eq!(listed, json!({ "data": expected, "next_cursor": null }));
    let taken = run(&h, create("grace")).await.unwrap_err();
    assert_eq!(taken, "username: another member has this one");
    let said = run(&h, OperatorCommand::ListOperators).await.unwrap();
    assert_eq!(said, format!("{}  grace  administrator since {since}", grace.person.id));
    let second = run(&h, create("joan")).await.unwrap();
    assert!(second.starts_with("operator joan: created\npassword: "), "{second}");
}

#[tokio::test]
async fn an_operator_who_is_locked_out_gets_a_new_password_and_what_was_open_ends() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    h.advance(1);
    let app = h.app();
    let cx = h.operator();
    let renewed =
        terminal::reset(&app.db, &app.config, (&cx, &*app.clock), ("grace", Factors::Kept)).await.unwrap();
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect_problem(401, "unauthorized");
    h.advance(1);
    grace.person.password = renewed.password.expose().to_owned();
    let token = grace.token().await;
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect(200);
    site.user("ada").await;
    let refused = run(&h, reset("ada", false)).await.unwrap_err();
    assert!(refused.starts_with("\"ada\" is no operator"), "{refused}");
}

fn password_in(said: &str) -> String {
    said.lines().find_map(|line| line.strip_prefix("password: ")).unwrap().to_owned()
}

fn reset(name: &str, remove_second_factors: bool) -> OperatorCommand {
    OperatorCommand::ResetOperator { name: name.to_owned(), remove_second_factors }
}

#[tokio::test]
async fn an_operator_who_has_lost_the_second_factor_gets_in_without_it_once_it_was_removed_at_the_terminal() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut grace = Operator::created(&site, "grace").await;
    site.second_factor(grace.person.id).await;
    site.phone(grace.person.id, "+442079460123").await;
    h.advance(1);
    let said = run(&h, reset("grace", false)).await.unwrap();
    assert!(said.starts_with("operator grace: has a new password\n"), "{said}");
    let password = password_in(&said);
    h.advance(1);
    let mut browser = site.browser();
    let page = browser.get(&grace.app.authorize_path("v", &[("scope", "openid")])).await.expect(200);
    let typed = [("username", "grace"), ("password", password.as_str())];
    let page = browser.submit(&page, &typed).await.expect(200);
    assert!(page.body.contains("name=\"code\""), "{page:?}");
    let mut said = None;
    let [actions, _] = left_by(&h, async { said = Some(run(&h, reset("grace", true)).await) }).await;
    let said = said.unwrap().unwrap();
    assert!(said.starts_with("operator grace: has a new password, and no second factor\n"), "{said}");
    let count = |wanted: &str| actions.iter().filter(|action| *action == wanted).count();
    assert_eq!((count("account.credential_removed"), count("password.reset")), (2, 1), "{actions:?}");
    h.advance(1);
    grace.person.password = password_in(&said);
    let token = grace.token().await;
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect(200);
}

#[tokio::test]
async fn a_session_elsewhere_that_begins_while_an_operator_gets_a_new_password_ends_too() {
    let h = Harness::pooled().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let grace = Operator::created(&site, "grace").await;
    let (app, cx) = (h.app(), h.operator());
    let mut tx = app.db.read(site.tenant.id).await.unwrap();
    let account = tenant_users::find(&mut tx, grace.person.id).await.unwrap().unwrap().account_id;
    drop(tx);
    let mut tx = app.db.begin(other.tenant.id).await.unwrap();
    let there = changes::join(&mut tx, &cx, account).await.unwrap();
    tx.commit().await.unwrap();

    let lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3600) };
    let (digest, later) = (svc_keys::digest("a session"), cx.at(cx.now + Seconds(1)));
    let new =
        NewSession { digest, amr: &["pwd"], acr: "urn:svc:aal1", user_agent: "test", auth_time: later.now };
    let mut open = app.db.begin(other.tenant.id).await.unwrap();
    credentials::held_of_account(&mut open, account).await.unwrap();
    sessions::create(&mut open, &later, &there, new, lifetimes).unwrap();
    let resetting =
        Box::pin(terminal::reset(&app.db, &app.config, (&cx, &*app.clock), ("grace", Factors::Kept)));
    let resetting = svc_testkit::meanwhile_then(&app.db, open, resetting, async |_: &mut Tx<_>| h.advance(2));
    resetting.await.unwrap();
    let mut tx = app.db.read(other.tenant.id).await.unwrap();
    let found = sessions::find(&mut tx, digest, h.operator().now, lifetimes).await.unwrap();
    assert!(found.is_none(), "{found:?}");
}

#[tokio::test]
async fn a_member_is_made_an_operator_and_stops_being_one_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let ada = Operator { person: site.user_with_roles("ada", &["editor"]).await, ..operator_of(&grace) };
    let one = format!("{OPERATORS}/{}", ada.person.id);
    let granting = grace.call(&token, Method::PUT, &one, None);
    let [actions, events] = left_by(&h, granting).await;
    assert_eq!(actions, ["operator.granted", "tenant_user.roles_changed"]);
    assert_eq!(events, ["admin.operator.granted", "tenant_user.roles_changed"]);
    let again = left_by(&h, grace.call(&token, Method::PUT, &one, None)).await;
    assert!(again.iter().all(Vec::is_empty), "{again:?}");
    assert_eq!(roles(&site, &ada).await, ["editor", "operator"]);
    let theirs = ada.token().await;
    let _ = ada.call(&theirs, Method::GET, KEYS, None).await.expect(200);
    let own = format!("{OPERATORS}/{}", grace.person.id);
    let _ = grace.call(&token, Method::DELETE, &own, None).await.expect_problem(409, "conflict");
    h.advance(1);
    let [actions, events] = left_by(&h, grace.call(&token, Method::DELETE, &one, None)).await;
    assert!(actions.contains(&"operator.revoked".to_owned()), "{actions:?}");
    assert!(events.contains(&"admin.operator.revoked".to_owned()), "{events:?}");
    let refused = ada.call(&theirs, Method::GET, KEYS, None).await;
    assert_eq!(refused.status, 401, "{refused:?}");
    assert_eq!(roles(&site, &ada).await, ["editor"]);
    let _ = grace.call(&token, Method::DELETE, &one, None).await.expect_problem(404, "not_found");
    let unknown = format!("{OPERATORS}/usr_00000000000000000000000000");
    let _ = grace.call(&token, Method::PUT, &unknown, None).await.expect_problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_member_who_is_made_an_operator_while_the_tenant_gives_it_a_role_has_both() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let grace = Operator::created(&site, "grace").await;
    let (token, tenant) = (grace.token().await, site.mint(|_| ()));
    let ada = Operator { person: site.user("ada").await, ..operator_of(&grace) };
    let one = format!("{OPERATORS}/{}", ada.person.id);
    let member = format!("/api/v1/tenant-users/{}", ada.person.id);
    let give = |roles: &[&str]| {
        let body = json!({ "roles": roles });
        site.call(Method::PATCH, &member, Some(&tenant), Some(body))
    };
    for _ in 0..8 {
        let (granted, given) = tokio::join!(grace.call(&token, Method::PUT, &one, None), give(&["editor"]));
        let _ = (granted.expect(204), given.expect(200));
        assert_eq!(roles(&site, &ada).await, ["editor", "operator"]);
        let _ = grace.call(&token, Method::DELETE, &one, None).await.expect(204);
        let _ = give(&[]).await.expect(200);
    }
}

#[tokio::test]
async fn an_operator_who_is_removed_and_comes_back_is_a_member_until_an_operator_says_otherwise() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let ada = site.user("ada").await;
    let path = format!("{OPERATORS}/{}", ada.id);
    let _ = grace.call(&token, Method::PUT, &path, None).await.expect(204);
    h.advance(1);
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    h.advance(1);
    let back = Operator { person: come_back(&site, ada).await, ..operator_of(&grace) };
    let listed = grace.call(&token, Method::GET, OPERATORS, None).await.expect(200).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    // The tenant gives the role back, and with it only what lets the scope be asked for.
    let theirs = back.token().await;
    let _ = back.call(&theirs, Method::GET, KEYS, None).await.expect_problem(403, "forbidden");
    let path = format!("{OPERATORS}/{}", back.person.id);
    let _ = grace.call(&token, Method::PUT, &path, None).await.expect(204);
    let _ = back.call(&theirs, Method::GET, KEYS, None).await.expect(200);
}

#[tokio::test]
async fn the_tenant_lets_no_last_operator_go() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = site.mint(|_| ());
    let ada = site.user("ada").await;
    let one = format!("/api/v1/tenant-users/{}", grace.person.id);
    let suspend = format!("{one}/suspend");
    let role = async |role: Role| {
        let name = ada.username.clone();
        run(&h, OperatorCommand::GrantOperator { name, role }).await.unwrap();
    };
    role(Role::TenantManager).await;
    for (method, path) in [(Method::POST, &suspend), (Method::DELETE, &one)] {
        let refused = site.call(method, path, Some(&token), None).await.expect_problem(409, "conflict");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("make another member one first"), "{detail}");
    }
    role(Role::Administrator).await;
    let _ = site.call(Method::POST, &suspend, Some(&token), None).await.expect(200);
    let _ = site.call(Method::DELETE, &one, Some(&token), None).await.expect(204);
    let last = format!("/api/v1/tenant-users/{}", ada.id);
    let _ = site.call(Method::DELETE, &last, Some(&token), None).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn whatever_roles_a_tenant_or_a_file_gives_an_operator_the_control_plane_stays_open_to_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let path = format!("/api/v1/tenant-users/{}", grace.person.id);
    let bare = Some(json!({ "roles": [] }));
    let told = site.call(Method::PATCH, &path, Some(&site.mint(|_| ())), bare).await.expect(200).json();
    assert_eq!(told["roles"], json!(["operator"]));
    let file = "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n\
                [[tenant.user]]\nusername = \"grace\"\nroles = []\n";
    apply_text(&h, file).await.unwrap();
    let again = apply_text(&h, file).await.unwrap();
    assert!(again.is_unchanged(), "{again}");
    assert_eq!(roles(&site, &grace).await, ["operator"]);
    let token = grace.token().await;
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect(200);
}

/// Makes a person who was removed a member again, with the role of operators.
async fn come_back(site: &Site<'_>, person: Person) -> Person {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let account = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().account_id;
    let (username, roles) = ("countess".to_owned(), ["operator".to_owned()]);
    let new = NewMember { username: Some(&username), roles: &roles, ..NewMember::of(account) };
    let id = tenant_users::create(&mut tx, &site.harness.operator(), new).await.unwrap();
    let subject = tenant_users::find(&mut tx, id).await.unwrap().unwrap().subject;
    tx.commit().await.unwrap();
    Person { id, username, subject, ..person }
}

#[tokio::test]
async fn an_operator_goes_as_far_as_the_role_and_a_changed_role_holds_at_the_next_call() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let ada = Operator { person: site.user("ada").await, ..operator_of(&grace) };
    let one = format!("{OPERATORS}/{}", ada.person.id);
    let give = |role: &str| grace.call(&token, Method::PUT, &one, Some(json!({ "role": role })));
    let _ = give("viewer").await.expect(204);
    let theirs = ada.token().await;
    for path in [KEYS, OPERATORS, TENANTS, PLANS] {
        let _ = ada.call(&theirs, Method::GET, path, None).await.expect(200);
    }
    let plan = |name: &str| Some(json!({ "name": name }));
    let refused =
        ada.call(&theirs, Method::POST, PLANS, plan("small")).await.expect_problem(403, "forbidden");
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("role: this needs an operator who is `tenant_manager`"), "{detail}");
    let [actions, events] = left_by(&h, give("tenant_manager")).await;
    assert_eq!(
        (actions, events),
        (vec!["operator.granted".to_owned()], vec!["admin.operator.granted".to_owned()])
    );
    let _ = ada.call(&theirs, Method::POST, PLANS, plan("small")).await.expect(201);
    let rotate = format!("{KEYS}/rotate");
    let _ = ada.call(&theirs, Method::POST, &rotate, Some(json!({}))).await.expect_problem(403, "forbidden");
    // Who administers the tenant of the operators could suspend or remove any of them.
    let invited = |name: &str| Some(json!({ "email": format!("{name}@example.com") }));
    let own = format!("{TENANTS}/{}/administrators", site.tenant.id.reference());
    let refused =
        ada.call(&theirs, Method::POST, &own, invited("eve")).await.expect_problem(403, "forbidden");
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("id: operators sign in at this tenant"), "{detail}");
    let acme = h.tenant("acme").await;
    let others = format!("{TENANTS}/{}/administrators", acme.tenant.id.reference());
    let _ = ada.call(&theirs, Method::POST, &others, invited("eve")).await.expect(204);
    let _ = grace.call(&token, Method::POST, &own, invited("joan")).await.expect(204);
    // So could who vouches for the applications there.
    let authorities = Some(json!({ "settings": { "tls_client_ca_pem": "none" } }));
    let own = format!("{TENANTS}/{}", site.tenant.id.reference());
    let refused = ada.call(&theirs, Method::PATCH, &own, authorities.clone()).await;
    let detail = refused.expect_problem(403, "forbidden").json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("settings.tls_client_ca_pem: operators sign in"), "{detail}");
    let _ = grace.call(&token, Method::PATCH, &own, authorities).await.expect_problem(400, "bad_request");
    // And the owner of the domain at which they sign in.
    let domain = Some(json!({ "custom_domain": "login.elsewhere.localhost" }));
    let refused = ada.call(&theirs, Method::PATCH, &own, domain).await;
    let detail = refused.expect_problem(403, "forbidden").json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("custom_domain: operators sign in"), "{detail}");
    let _ = ada.call(&theirs, Method::PATCH, &own, Some(json!({ "name": "Home" }))).await.expect(200);
    // No one gives themselves more.
    let more = ada.call(&theirs, Method::PUT, &one, Some(json!({ "role": "administrator" }))).await;
    let _ = more.expect_problem(403, "forbidden");
    let listed = ada.call(&theirs, Method::GET, OPERATORS, None).await.expect(200).json();
    let shown: Vec<_> = listed["data"].as_array().unwrap().iter().map(|one| &one["role"]).collect();
    assert!(
        shown.contains(&&json!("tenant_manager")) && shown.contains(&&json!("administrator")),
        "{listed}"
    );
    let own = format!("{OPERATORS}/{}", grace.person.id);
    let lowered = grace.call(&token, Method::PUT, &own, Some(json!({ "role": "viewer" }))).await;
    let _ = lowered.expect_problem(409, "conflict");
    let _ = give("king").await.expect_problem(400, "bad_request");
    let _ = grace.call(&token, Method::PUT, &one, None).await.expect(204);
    let _ = ada.call(&theirs, Method::POST, &rotate, Some(json!({}))).await.expect(200);
    let said = run(&h, OperatorCommand::GrantOperator { name: "ada".to_owned(), role: Role::Viewer }).await;
    assert_eq!(said.unwrap(), "ada: an operator, viewer");
    let _ = ada.call(&theirs, Method::POST, PLANS, plan("large")).await.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn an_operator_whose_role_is_of_a_newer_version_only_reads() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let account = {
        let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
        tenant_users::find(&mut tx, grace.person.id).await.unwrap().unwrap().account_id
    };
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = svc_db::quiet_system_sql!(
        "a test",
        "UPDATE accounts SET operator_role = 'auditor_general' WHERE id = $1"
    );
    tx.execute(update, svc_db::args![account]).await.unwrap();
    tx.commit().await.unwrap();
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect(200);
    let plan = json!({ "name": "small" });
    let _ = grace.call(&token, Method::POST, PLANS, Some(plan)).await.expect_problem(403, "forbidden");
}

async fn roles(site: &Site<'_>, operator: &Operator<'_>) -> Vec<String> {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    tenant_users::find(&mut tx, operator.person.id).await.unwrap().unwrap().roles
}

#[tokio::test]
async fn an_account_that_the_tenant_manages_is_its_persons_own_from_the_grant_on() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    Operator::created(&site, "grace").await;
    let token = site.mint(|_| ());
    let new = json!({ "username": "joan" });
    let made = site.call(Method::POST, "/api/v1/tenant-users", Some(&token), Some(new)).await;
    let made = made.expect(201).json();
    let path = format!("/api/v1/tenant-users/{}/password", made["id"].as_str().unwrap());
    let body = || Some(json!({ "password": "another compiler moth" }));
    let _ = site.call(Method::PUT, &path, Some(&token), body()).await.expect(204);
    run(&h, OperatorCommand::GrantOperator { name: "joan".to_owned(), role: Role::Viewer }).await.unwrap();
    let _ = site.call(Method::PUT, &path, Some(&token), body()).await.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn what_operators_sign_in_with_is_changed_by_no_tenant_and_no_file() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = site.mint(|_| ());
    let app = format!("/api/v1/applications/{}", grace.app.id);
    let redirect = json!({ "redirect_uris": ["https://evil.example/callback"] });
    let change = site.call(Method::PATCH, &app, Some(&token), Some(redirect)).await;
    let _ = change.expect_problem(403, "forbidden");
    let _ = site.call(Method::DELETE, &app, Some(&token), None).await.expect_problem(403, "forbidden");
    let audience = site.tenant.control_plane_audience();
    let query = format!("/api/v1/apis?identifier={audience}");
    let api = site.call(Method::GET, &query, Some(&token), None).await.expect(200).json();
    let api = format!("/api/v1/apis/{}", api["data"][0]["id"].as_str().unwrap());
    let change = site.call(Method::PATCH, &api, Some(&token), Some(json!({ "scopes": [] }))).await;
    let _ = change.expect_problem(403, "forbidden");
    let new = json!({ "handle": "control-plane", "name": "Another" });
    let made = site.call(Method::POST, "/api/v1/applications", Some(&token), Some(new)).await;
    let _ = made.expect_problem(400, "bad_request");
    let tenant = "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n";
    for (text, told) in [
        (
            format!("{tenant}[[tenant.application]]\nhandle = \"control-plane\"\nname = \"Mine\"\n"),
            "kept by the service",
        ),
        (
            format!("{tenant}[[tenant.api]]\nidentifier = \"{audience}\"\nname = \"Mine\"\n"),
            "kept by the service",
        ),
    ] {
        let refused = apply_text(&h, &text).await.unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }
    apply_text(&h, tenant).await.unwrap();
    let token = grace.token().await;
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect(200);
}
