//! Tenants that operators make, change, suspend, delete and restore, and the plans that bound them.

use serde_json::{Value, json};
use svc_core::{Seconds, TenantUserId};
use svc_db::{SystemSql, args};
use svc_domain::deletion;
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::leaving;
use svc_domain::people::tenant_users::{self, NewMember};
use svc_http::Method;
use svc_runtime::admin::{self, AdminCommand};

use super::{Desk, PLANS, TENANTS};
use crate::changes::left_by;
use crate::harness::{HOST, Harness, Person, Site};
use crate::isolation::records;

impl Desk<'_> {
    async fn made(&self, body: Value) -> Value {
        self.call(Method::POST, TENANTS, Some(body)).await.expect(201).json()
    }
}

fn one(tenant: &Value) -> String {
    format!("{TENANTS}/{}", tenant["id"].as_str().unwrap())
}

async fn answers(h: &Harness, slug: &str) -> u16 {
    h.get(&format!("{slug}.{HOST}"), "/.well-known/openid-configuration").await.status
}

#[tokio::test]
async fn a_tenant_that_an_operator_makes_answers_at_once_with_the_settings_of_its_model() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let making = desk.made(json!({ "slug": "acme", "name": "Acme", "settings": { "accent": "#102030" } }));
    let [actions, events] = left_by(&h, making).await;
    assert_eq!(actions, ["api.created", "role.created", "tenant.created"]);
    assert_eq!(events, ["admin.api.created", "admin.role.created", "admin.tenant.created"]);
    assert_eq!(answers(&h, "acme").await, 200);
    let listed = desk.call(Method::GET, &format!("{TENANTS}?search=ac"), None).await.expect(200).json();
    let acme = &listed["data"][0];
    assert_eq!(
        (&acme["slug"], &acme["status"], &acme["plan_id"]),
        (&json!("acme"), &json!("active"), &Value::Null)
    );
    let copy = json!({ "slug": "globex", "name": "Globex", "clone_settings_of": acme["id"] });
    let copy = desk.made(copy).await;
    assert_eq!(copy["settings"], acme["settings"]);
    let taken = desk.call(Method::POST, TENANTS, Some(json!({ "slug": "acme", "name": "Another" }))).await;
    let _ = taken.expect_problem(409, "conflict");
    for (wrong, told) in [
        (json!({ "slug": "Acme", "name": "x" }), "slug: "),
        (json!({ "slug": "xn--abc", "name": "x" }), "slug: "),
        (json!({ "slug": "x", "name": "x", "settings": { "accent": "red" } }), "accent: "),
        (
            json!({ "slug": "x", "name": "x", "settings": { "second_factor_roles": ["billing"] } }),
            "second_factor_roles: a new tenant has no role",
        ),
        (json!({ "slug": "x", "name": "x", "custom_domain": "https://x.example" }), "custom_domain: "),
        (json!({ "slug": "x", "name": "x", "custom_domain": format!("acme.{HOST}") }), "custom_domain: "),
        (json!({ "slug": "x", "name": "x", "plan_id": "pln_00000000000000000000000001" }), "plan_id: "),
        (
            json!({ "slug": "x", "name": "x", "clone_settings_of": "tnt_00000000000000000000000001" }),
            "clone_settings_of: ",
        ),
    ] {
        let refused = desk.call(Method::POST, TENANTS, Some(wrong)).await.expect_problem(400, "bad_request");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with(told), "{detail}");
    }
}

#[tokio::test]
async fn a_tenant_that_is_made_after_a_model_names_only_roles_that_it_has() {
    let h = Harness::new().await;
    let (site, model) = (h.tenant("main").await, h.tenant("acme").await);
    model.role("billing", &[]).await;
    let desk = Desk::of(&site).await;
    let id = model.tenant.id.reference().to_string();
    let change = json!({ "settings": { "accent": "#102030", "second_factor_roles": ["billing"] } });
    let _ = desk.call(Method::PATCH, &format!("{TENANTS}/{id}"), Some(change)).await.expect(200);
    let copy = desk.made(json!({ "slug": "globex", "name": "Globex", "clone_settings_of": id })).await;
    let settings = &copy["settings"];
    assert_eq!((&settings["accent"], &settings["second_factor_roles"]), (&json!("#102030"), &Value::Null));
}

#[tokio::test]
async fn the_first_administrator_is_invited_by_mail_and_administers_the_tenant() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let acme = desk.made(json!({ "slug": "acme", "name": "Acme" })).await;
    let path = format!("{}/administrators", one(&acme));
    let hana = json!({ "email": "hana@acme.example" });
    let _ = desk.call(Method::POST, &path, Some(hana.clone())).await.expect(204);
    h.run_jobs().await;
    let mails = h.mails().await;
    let mail = mails.iter().find(|mail| mail.to == "hana@acme.example").unwrap();
    assert!(mail.text.contains(&format!("https://acme.{HOST}/")), "{}", mail.text);
    let _ = desk.call(Method::POST, &path, Some(hana)).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn a_suspended_tenant_answers_nothing_until_it_is_reactivated() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let acme = desk.made(json!({ "slug": "acme", "name": "Acme" })).await;
    for (verb, status, answer, event) in [
        ("suspend", "suspended", 404, "admin.tenant.suspended"),
        ("reactivate", "active", 200, "admin.tenant.reactivated"),
    ] {
        let (path, mut done) = (format!("{}/{verb}", one(&acme)), None);
        let [_, events] =
            left_by(&h, async { done = Some(desk.call(Method::POST, &path, None).await) }).await;
        assert_eq!(events, [event]);
        let done = done.unwrap().expect(200).json();
        assert_eq!((&done["status"], answers(&h, "acme").await), (&json!(status), answer));
    }
    let own = format!("{TENANTS}/{}", site.tenant.id.reference());
    for (method, path) in [(Method::POST, format!("{own}/suspend")), (Method::DELETE, own)] {
        let _ = desk.call(method, &path, None).await.expect_problem(409, "conflict");
    }
}

#[tokio::test]
async fn a_deleted_tenant_can_be_restored_until_everything_in_it_is_removed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let acme = desk.made(json!({ "slug": "acme", "name": "Acme" })).await;
    let (path, mut deleted) = (one(&acme), None);
    let [_, events] =
        left_by(&h, async { deleted = Some(desk.call(Method::DELETE, &path, None).await) }).await;
    assert_eq!(events, ["admin.tenant.deleted"]);
    let deleted = deleted.unwrap().expect(200).json();
    assert_eq!((&deleted["status"], answers(&h, "acme").await), (&json!("deleting"), 404));
    let _ = desk.call(Method::DELETE, &one(&acme), None).await.expect_problem(409, "conflict");
    let _ = desk
        .call(Method::POST, &format!("{}/reactivate", one(&acme)), None)
        .await
        .expect_problem(409, "conflict");
    let reactivate = AdminCommand::ReactivateTenant { slug: "acme".to_owned() };
    let refused = admin::execute(&reactivate, &h.app().db, &h.operator()).await.unwrap_err().to_string();
    assert!(refused.starts_with("tenant acme: it is being deleted"), "{refused}");
    let (path, mut restored) = (format!("{}/restore", one(&acme)), None);
    let [_, events] =
        left_by(&h, async { restored = Some(desk.call(Method::POST, &path, None).await) }).await;
    assert_eq!(events, ["admin.tenant.restored"]);
    let restored = restored.unwrap().expect(200).json();
    assert_eq!((&restored["delete_at"], answers(&h, "acme").await), (&Value::Null, 200));
    let _ = desk
        .call(Method::POST, &format!("{}/restore", one(&acme)), None)
        .await
        .expect_problem(409, "conflict");
}

#[tokio::test]
async fn a_tenant_that_was_suspended_before_it_was_deleted_is_suspended_again_when_it_is_restored() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let acme = desk.made(json!({ "slug": "acme", "name": "Acme" })).await;
    let path = one(&acme);
    let act = async |verb: &str| {
        desk.call(Method::POST, &format!("{path}/{verb}"), None).await.expect(200).json()["status"].clone()
    };
    for (before, status, answer) in [("suspend", "suspended", 404), ("reactivate", "active", 200)] {
        assert_eq!(act(before).await, status);
        h.advance(1);
        let deleted = desk.call(Method::DELETE, &path, None).await.expect(200).json();
        assert_eq!(deleted["status"], "deleting");
        h.advance(1);
        assert_eq!((act("restore").await, answers(&h, "acme").await), (json!(status), answer));
        let select = SystemSql::new(
            "SELECT detail FROM audit_log WHERE action = 'tenant.restored' ORDER BY id DESC LIMIT 1",
        );
        let row = h.app().db.read_system().await.unwrap().one(select, args![]).await.unwrap();
        let told: Value = serde_json::from_str(&row.text("detail").unwrap()).unwrap();
        assert_eq!(told["status"], status);
    }
    let told = "SELECT payload FROM (SELECT id, type, payload FROM outbox UNION ALL SELECT id, type, payload FROM events) recorded \
        WHERE type = 'admin.tenant.restored' ORDER BY id";
    let rows = h.app().db.read_system().await.unwrap().all(SystemSql::new(told), args![]).await.unwrap();
    let told = rows.iter().map(|row| serde_json::from_str::<Value>(&row.text("payload").unwrap()).unwrap());
    let told: Vec<Value> = told.map(|envelope| envelope["data"].clone()).collect();
    let restored = |status: &str| json!({ "slug": "acme", "status": status });
    assert_eq!(told, [restored("suspended"), restored("active")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_change_and_a_deletion_of_one_version_of_a_tenant_at_once_one_is_made() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    for number in 0..8 {
        let acme = json!({ "slug": format!("acme-{number}"), "name": "Acme" });
        let made = desk.call(Method::POST, TENANTS, Some(acme)).await.expect(201);
        let (path, version) = (one(&made.json()), ("if-match", made.header("etag")));
        let (changed, deleted) = tokio::join!(
            site.call_with(Method::PATCH, &path, &desk.token, version, json!({ "name": "Another" })),
            site.call_with(Method::DELETE, &path, &desk.token, version, json!({})),
        );
        let answered = (changed.status, deleted.status);
        assert!([(200, 409), (409, 200)].contains(&answered), "{answered:?}");
    }
}

#[tokio::test]
async fn of_a_deleted_tenant_nothing_is_left_but_its_log_and_nothing_of_others_is_lost() {
    let h = Harness::with(&[("SVC_ADMIN__TENANT_DELETION_GRACE_DAYS", "1")]).await;
    let site = h.tenant("main").await;
    let (acme, other) = (h.tenant("acme").await, h.tenant("other").await);
    let _ = (records(&acme).await, records(&other).await);
    let (alone, shared) = (acme.user("alone").await, acme.user("shared").await);
    let _ = joined(&other, &shared).await;
    h.run_jobs().await;
    let before = rows(&h, &other).await;
    assert!(before.iter().filter(|(_, rows)| *rows > 0).count() > 25, "{before:?}");
    let desk = Desk::of(&site).await;
    let path = format!("{TENANTS}/{}", acme.tenant.id.reference());
    let _ = desk.call(Method::DELETE, &path, None).await.expect(200);
    let grace = i64::from(h.app().config.admin.tenant_deletion_grace_days) * 86_400;
    h.advance(grace - 60);
    h.run_jobs().await;
    assert!(rows(&h, &acme).await.iter().any(|(table, rows)| table == "tenant_users" && *rows > 0));
    let others = rows(&h, &other).await;
    h.advance(120);
    h.run_jobs().await;
    let left: Vec<_> = rows(&h, &acme).await.into_iter().filter(|(_, rows)| *rows > 0).collect();
    let accounts = addresses(&h).await;
    assert!(!accounts.contains(&alone.email), "it belonged to this tenant alone");
    assert!(accounts.contains(&shared.email), "it belongs to another tenant too");
    let kept: Vec<_> = deletion::KEPT.iter().map(|(table, _)| *table).collect();
    assert_eq!(left.iter().map(|(table, _)| table.as_str()).collect::<Vec<_>>(), kept);
    // What expires by itself may be gone from others.
    let lasting =
        ["apis", "apps", "consents", "organizations", "roles", "tenant_keys", "tenant_users", "user_groups"];
    for (then, now) in others.iter().zip(rows(&h, &other).await) {
        assert!(*then == now || !lasting.contains(&now.0.as_str()), "{then:?} {now:?}");
    }
    let desk = Desk { token: desk.operator.token().await, ..desk };
    let _ = desk.call(Method::GET, &path, None).await.expect_problem(404, "not_found");
    let _ = desk.made(json!({ "slug": "acme", "name": "Another Acme" })).await;
    assert_eq!(answers(&h, "acme").await, 200);
}

#[tokio::test]
async fn who_has_left_every_other_tenant_is_forgotten_with_the_last_one() {
    let h = Harness::with(&[("SVC_ADMIN__TENANT_DELETION_GRACE_DAYS", "1")]).await;
    let site = h.tenant("main").await;
    let (acme, other) = (h.tenant("acme").await, h.tenant("other").await);
    let (leaver, stayer) = (acme.user("leaver").await, acme.user("stayer").await);
    let (left, _) = (joined(&other, &leaver).await, joined(&other, &stayer).await);
    let mut tx = h.app().db.begin(other.tenant.id).await.unwrap();
    let member = tenant_users::find(&mut tx, left).await.unwrap().unwrap();
    let _ = leaving::begin(&mut tx, &h.operator(), &member, Seconds(60)).await.unwrap();
    tx.commit().await.unwrap();
    h.advance(180);
    h.run_jobs().await;
    h.run_jobs().await;
    assert!(addresses(&h).await.contains(&leaver.email), "still a member of the tenant that is deleted next");
    let desk = Desk::of(&site).await;
    let path = format!("{TENANTS}/{}", acme.tenant.id.reference());
    let _ = desk.call(Method::DELETE, &path, None).await.expect(200);
    h.advance(86_400 + 120);
    h.run_jobs().await;
    let addresses = addresses(&h).await;
    assert!(!addresses.contains(&leaver.email) && addresses.contains(&stayer.email), "{addresses:?}");
    let select = SystemSql::new(
        "SELECT u.status AS membership, a.status, a.profile, a.password FROM accounts a \
         JOIN tenant_users u ON u.account_id = a.id WHERE u.id = $1",
    );
    let row = h.app().db.read_system().await.unwrap().one(select, args![left]).await.unwrap();
    let kept = ["membership", "status", "profile"].map(|column| row.text(column).unwrap());
    assert_eq!(kept, ["removed", "disabled", "{}"]);
    assert_eq!(row.maybe_text("password").unwrap(), None);
}

/// Makes a person of one tenant a member of another.
async fn joined(site: &Site<'_>, person: &Person) -> TenantUserId {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let email = Email::parse(&person.email).unwrap();
    let account = accounts::find_by_email(&mut tx, &email).await.unwrap().unwrap();
    let new = NewMember::of(account.id);
    let id = tenant_users::create(&mut tx, &site.harness.operator(), new).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// The addresses of all accounts.
async fn addresses(h: &Harness) -> Vec<String> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT email FROM accounts WHERE email IS NOT NULL");
    tx.all(select, args![]).await.unwrap().iter().map(|row| row.text("email").unwrap()).collect()
}

/// How many rows each table has of a tenant.
async fn rows(h: &Harness, site: &Site<'_>) -> Vec<(String, i64)> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let mut counted = Vec::new();
    let kept = deletion::KEPT.iter().map(|(table, _)| *table);
    for table in deletion::removed_tables().chain(kept) {
        let text = format!("SELECT COUNT(*) AS count FROM {table} WHERE tenant_id = $1");
        let select = SystemSql::new(Box::leak(text.into_boxed_str()));
        let count = tx.one(select, args![site.tenant.id]).await.unwrap().int("count").unwrap();
        counted.push((table.to_owned(), count));
    }
    counted
}

#[tokio::test]
async fn a_plan_takes_capabilities_and_bounds_what_there_may_be() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let starter =
        json!({ "name": "starter", "disabled_capabilities": ["webhooks"], "quotas": { "tenant_users": 1 } });
    let made = desk.call(Method::POST, PLANS, Some(starter.clone())).await.expect(201);
    let (etag, plan) = (made.header("etag").to_owned(), made.json());
    let _ = desk.call(Method::POST, PLANS, Some(starter)).await.expect_problem(409, "conflict");
    let acme = h.tenant("acme").await;
    let path = format!("{TENANTS}/{}", acme.tenant.id.reference());
    acme.user("ada").await;
    let token = acme.mint(|_| ());
    let hooks = acme.call(Method::GET, "/api/v1/webhooks", Some(&token), None).await;
    let _ = hooks.expect(200);
    let patch = json!({ "plan_id": plan["id"] });
    let _ = desk.call(Method::PATCH, &path, Some(patch)).await.expect(200);
    let _ = acme.call(Method::GET, "/api/v1/webhooks", Some(&token), None).await.expect(404);
    let second = json!({ "email": "bob@acme.example", "invite": true });
    let full = acme.call(Method::POST, "/api/v1/tenant-users", Some(&token), Some(second.clone())).await;
    let full = full.expect_problem(403, "forbidden").json();
    assert!(
        full["detail"].as_str().unwrap().starts_with("the plan of this tenant allows 1 tenant_users"),
        "{full}"
    );
    let used = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
    let refused = desk.call(Method::DELETE, &used, None).await.expect_problem(409, "conflict");
    assert_eq!(refused.json()["detail"], "one tenant has this plan; give it another one first");
    let wider = json!({ "quotas": { "tenant_users": 2 }, "disabled_capabilities": [] });
    let changed = desk.call(Method::PATCH, &used, Some(wider)).await.expect(200);
    assert_ne!(changed.header("etag"), etag);
    let _ = acme.call(Method::POST, "/api/v1/tenant-users", Some(&token), Some(second)).await.expect(201);
    let _ = acme.call(Method::GET, "/api/v1/webhooks", Some(&token), None).await.expect(200);
    let _ = desk.call(Method::PATCH, &path, Some(json!({ "plan_id": null }))).await.expect(200);
    let _ = desk.call(Method::DELETE, &used, None).await.expect(204);
}

#[tokio::test]
async fn an_operator_sees_the_effective_settings_without_secrets_and_what_waits() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let settings = desk.call(Method::GET, "/api/v1/control-plane/settings", None).await.expect(200).json();
    let keys = settings["settings"].as_array().unwrap();
    let of = |key: &str| keys.iter().find(|one| one["key"] == key).unwrap_or_else(|| panic!("{key}"));
    assert_eq!(of("admin.tenant_deletion_grace_days")["value"], 30);
    assert!(settings["capabilities"].as_array().unwrap().iter().any(|one| one["name"] == "webhooks"));
    let queues = desk.call(Method::GET, "/api/v1/control-plane/queues", None).await.expect(200).json();
    assert_eq!(queues, json!({ "queues": [] }));
}

#[tokio::test]
async fn what_an_operator_made_is_read_alone_and_in_its_list() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let read = async |path: String| desk.call(Method::GET, &path, None).await.expect(200).json();
    let plan = json!({ "name": "starter", "quotas": { "webhooks": 2 } });
    let plan = desk.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
    let acme = desk.made(json!({ "slug": "acme", "name": "Acme", "plan_id": plan["id"] })).await;
    assert_eq!(read(format!("{PLANS}/{}", plan["id"].as_str().unwrap())).await, plan);
    assert_eq!(read(PLANS.to_owned()).await["data"], json!([plan]));
    assert_eq!(read(one(&acme)).await, acme);
    let of_plan = read(format!("{TENANTS}?search=acme")).await;
    assert_eq!(of_plan["data"], json!([acme]));
}

#[tokio::test]
async fn the_log_tells_what_became_of_tenants_and_plans() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let told = async |site: &Site<'_>, action: &str| {
        let path = format!("/api/v1/audit?action={action}&limit=1");
        let found = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
        found["data"][0]["detail"]["changes"].clone()
    };
    let plan = json!({ "name": "starter", "quotas": { "webhooks": 2 } });
    let plan = desk.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
    let expected = json!({ "before": null, "after": "starter" });
    assert_eq!(told(&site, "plan.created").await["name"], expected);
    let path = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
    let _ = desk.call(Method::PATCH, &path, Some(json!({ "name": "basic" }))).await.expect(200);
    let expected = json!({ "name": { "before": "starter", "after": "basic" } });
    assert_eq!(told(&site, "plan.updated").await, expected);

    let globex = h.tenant("globex").await;
    h.advance(1);
    let path = format!("{TENANTS}/{}", globex.tenant.id.reference());
    let change = json!({ "name": "Globex", "plan_id": plan["id"] });
    let _ = desk.call(Method::PATCH, &path, Some(change)).await.expect(200);
    let expected = json!({
        "name": { "before": "Tenant globex", "after": "Globex" },
        "plan_id": { "before": null, "after": plan["id"] },
    });
    assert_eq!(told(&globex, "tenant.updated").await, expected);
}
