//! What a newer version has stored does not stop this one: every stored document loads with a member that is unknown here, and
//! one with an unknown word falls back where that is safe, or is left out.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_core::capability::Capability;
use svc_core::{Cx, Digest, ScimTargetId, Seconds, Secret, TenantId, TenantUserId};
use svc_db::{SystemSql, Tenant, Tx, args};
use svc_domain::apis::roles;
use svc_domain::apps::registrations::{self, Kind, NewRegistration, Remarks};
use svc_domain::coordination::processes::{self, JobState, Process};
use svc_domain::delivery::logouts::Logout;
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::delivery::scim_targets::{self, Looked, NewTarget, PushOutcome, ScimLook};
use svc_domain::delivery::signals::SecurityEvent;
use svc_domain::delivery::{self, New};
use svc_domain::federation::{connectors, sso, trusted_issuers};
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::polled::{Decision, Pace, Polled, Wanted};
use svc_domain::grants::refresh::{self, Family};
use svc_domain::grants::{ciba_requests, device_codes};
use svc_domain::organizations::sign_in;
use svc_domain::people::address_changes;
use svc_domain::people::imports;
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::login_history::{self, NewLogin};
use svc_domain::people::risk::{Rating, Reason};
use svc_domain::people::tenant_users;
use svc_domain::tenancy::plans::{self, Plan};
use svc_domain::tenancy::switches;
use svc_domain::tenancy::tenants::{TenantSettings, Tenants, records};
use svc_domain::{apis, apps, hooks, organizations, policies};
use svc_keys::{Keyring, Purpose, Sealer};

use crate::spending::grant;
use crate::world::World;

/// Every column that holds a document with a type of its own.
const TYPED: &[(&str, &str)] = &[
    ("accounts", "address_changes"),
    ("accounts", "profile"),
    ("apis", "configuration"),
    ("apps", "configuration"),
    ("ciba_requests", "authorization_grant"),
    ("ciba_requests", "request"),
    ("codes", "authorization_grant"),
    ("connectors", "configuration"),
    ("deliveries", "payload"),
    ("device_codes", "authorization_grant"),
    ("device_codes", "request"),
    ("hooks", "configuration"),
    ("import_chunks", "outcome"),
    ("imported_people", "document"),
    ("imports", "configuration"),
    ("imports", "counts"),
    ("links", "payload"),
    ("login_history", "reasons"),
    ("organizations", "configuration"),
    ("organizations", "sign_in_rules"),
    ("plans", "configuration"),
    ("policies", "configuration"),
    ("policy_decisions", "document"),
    ("policy_versions", "configuration"),
    ("refresh_families", "authorization_grant"),
    ("registrations", "remarks"),
    ("roles", "configuration"),
    ("scim_links", "pushed"),
    ("scim_targets", "configuration"),
    ("sso_connections", "configuration"),
    ("tenant_users", "metadata"),
    ("tenants", "settings"),
    ("trusted_issuers", "configuration"),
];

/// Columns whose documents are lists of words, or JSON that is handed on as it is.
const UNTYPED: &[&str] = &[
    "actor",
    "amr",
    "answer_headers",
    "authorization_details",
    "detail",
    "events_requested",
    "group_list",
    "group_names",
    "group_roles",
    "held_roles",
    "parameters",
    "public_jwk",
    "roles",
    "texts",
];

/// Columns of no tenant, which have a test of their own.
const OF_THE_DEPLOYMENT: &[&str] = &["jobs", "switched_off"];

const DIGEST: Digest = Digest([3; 32]);
const PACE: Pace = Pace { lifetime: Seconds(600), interval: Seconds(5) };

fn mail_to_ada() -> NewMail {
    NewMail {
        to: "ada@example.com".to_owned(),
        sender_name: None,
        subject: "Hello".to_owned(),
        text: "Dear Ada".to_owned(),
        html: "<p>Dear Ada</p>".to_owned(),
    }
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one record of each kind, side by side")]
async fn every_stored_document_loads_with_a_member_of_a_newer_version() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let (cx, agreed) = (&world.cx, grant(world.cx.id(), &world));

    let mut tx = world.db.begin(tenant).await.unwrap();
    let scopes = json!({ "name": "Notes", "scopes": [{ "name": "notes:read" }] });
    let scopes = serde_json::from_value(scopes).unwrap();
    let api = apis::create(&mut tx, cx, "https://notes.example", &scopes).await.unwrap();
    let keys =
        serde_json::from_value(json!({ "name": "Other", "jwks_uri": "https://other.example/jwks" })).unwrap();
    let new =
        trusted_issuers::New { organization: None, issuer: "https://other.example", configuration: &keys };
    let issuer = trusted_issuers::create(&mut tx, cx, new).await.unwrap();
    roles::ensure(&mut tx, cx, "admin").await.unwrap();
    let initech = serde_json::from_value(json!({ "name": "Initech" })).unwrap();
    let new = organizations::New { slug: "initech", owner: &person, configuration: &initech };
    let organization = organizations::create(&mut tx, cx, new).await.unwrap();
    let remarks = Remarks { software_id: Some("x".to_owned()), ..Remarks::default() };
    let registration = NewRegistration {
        app: app.id,
        kind: Kind::Dynamic,
        digest: None,
        remarks: &remarks,
        fresh_until: cx.now,
    };
    registrations::create(&mut tx, cx, &registration).await.unwrap();
    let spent = Spent { app: app.id, person: person.id, family: cx.id(), grant: agreed.clone() };
    codes::create(&mut tx, cx, DIGEST, &spent, Seconds(60)).unwrap();
    let family = Family {
        id: cx.id(),
        app: app.id,
        person: person.id,
        grant: agreed.clone(),
        created_at: cx.now,
        expires_at: cx.now + Seconds(60),
    };
    refresh::create_family(&mut tx, &family).unwrap();
    let wanted = Wanted::default();
    let user_code = device_codes::create(&mut tx, cx, DIGEST, (app.id, &wanted), PACE).unwrap();
    let request = ciba_requests::New {
        app: app.id,
        wanted: &wanted,
        login_hint: "ada@example.com",
        binding_message: None,
        pace: PACE,
    };
    ciba_requests::create(&mut tx, cx, DIGEST, &request).unwrap();
    let link = NewLink {
        digest: DIGEST,
        kind: LinkKind::VerifyEmail,
        account: None,
        payload: &TenantSettings::default(),
        lifetime: Seconds(60),
    };
    links::create(&mut tx, cx, link).await.unwrap();
    address_changes::note(&mut tx, cx, (person.account_id, DIGEST)).await.unwrap();
    let sealer = Keyring::ephemeral(&*cx.entropy, cx.now).sealer(Purpose::Messages);
    mails::enqueue(&mut tx, cx, &sealer, mail_to_ada()).unwrap();
    let policy = policy(&mut tx, cx).await;
    let (import, brought) = imported(&mut tx, cx, &sealer).await;
    let hook = json!({ "point": "pre_token", "url": "https://other.example", "on_failure": "deny" });
    let hook = serde_json::from_value(hook).unwrap();
    let new = hooks::New { configuration: &hook, secret: None, most: 1 };
    let (hook, _) = hooks::create(&mut tx, cx, &sealer, new).await.unwrap();
    let login = json!({ "display_name": "Staff", "issuer": "https://login.example", "client_id": "svc", "client_auth": "private_key_jwt" });
    let login = serde_json::from_value(login).unwrap();
    let new = sso::New { configuration: &login, client_secret: None, most: 1 };
    let connection = sso::create(&mut tx, cx, &sealer, (organization.id, new)).await.unwrap();
    let own = json!({ "name": "acme", "issuer": "https://login.example", "client_id": "svc" });
    let own = serde_json::from_value(own).unwrap();
    let new = connectors::New { configuration: &own, client_secret: None, most: 1 };
    let connector = connectors::create(&mut tx, cx, &sealer, new).await.unwrap();
    let rules = serde_json::from_value(json!({ "methods": ["password"] })).unwrap();
    sign_in::set(&mut tx, cx, &organization, &rules).await.unwrap();
    note_login(&mut tx, cx, person.id);
    tx.commit().await.unwrap();
    let plan = planned(&world, tenant).await;
    decide(&world, tenant).await;
    let target = pushed(&world, tenant, &sealer).await;

    become_newer(&world, &["authorization_grant"]).await;

    let tenants = Tenants::new(world.db.clone(), &Config::default()).unwrap();
    let whole = tenants.by_id(tenant).await.unwrap();
    assert!(!whole.plan.disabled_capabilities.is_empty());
    let stored = plans::find(&mut world.db.read_system().await.unwrap(), plan.id).await.unwrap();
    assert_eq!(stored.unwrap().configuration, plan.configuration);
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(apps::find(&mut tx, app.id).await.unwrap().is_some());
    assert!(apis::find(&mut tx, &whole, api.id).await.unwrap().is_some());
    assert!(trusted_issuers::find(&mut tx, None, issuer.id).await.unwrap().is_some());
    assert_eq!(organizations::find(&mut tx, organization.id).await.unwrap().unwrap().sign_in, rules);
    assert!(sso::find(&mut tx, organization.id, connection.id).await.unwrap().is_some());
    assert!(connectors::find(&mut tx, connector.id).await.unwrap().is_some());
    let import = imports::find(&mut tx, import.id).await.unwrap().unwrap();
    assert!(imports::find_chunk(&mut tx, &import, (1, DIGEST)).await.unwrap().is_some());
    let known = imports::list_known(&mut tx, (brought, brought)).await.unwrap();
    assert_eq!(known[0].1.external_id.as_deref(), Some("1"));
    assert!(hooks::find(&mut tx, hook.id).await.unwrap().is_some());
    assert!(scim_targets::find(&mut tx, target).await.unwrap().is_some());
    let linked = scim_targets::links(&mut tx, target, None, (None, 9)).await.unwrap();
    assert!(linked.iter().any(|link| link.remote_id.as_deref() == Some("1")), "{linked:?}");
    assert!(policies::find(&mut tx, policy.id).await.unwrap().is_some());
    assert!(policies::find_version(&mut tx, policy.id, 1).await.unwrap().is_some());
    assert_eq!(policies::list_decisions(&mut tx, None, (None, 2)).await.unwrap().len(), 1);
    assert!(roles::find_by_name(&mut tx, &whole, "admin").await.unwrap().is_some());
    assert!(tenant_users::find(&mut tx, person.id).await.unwrap().is_some());
    assert!(address_changes::stands(&mut tx, (person.account_id, DIGEST)).await.unwrap());
    let logins = login_history::list(&mut tx, person.id, None, (None, 2)).await.unwrap();
    assert_eq!(logins[0].reasons[0].reason.signal, "new_device");
    assert_eq!(registrations::find(&mut tx, app.id).await.unwrap().unwrap().remarks, remarks);
    let found = links::find::<TenantSettings>(&mut tx, cx, DIGEST, LinkKind::VerifyEmail).await.unwrap();
    assert_eq!(found.unwrap().payload, TenantSettings::default());
    let device = device_codes::claim(&mut tx, cx, &user_code, person.id).await.unwrap().unwrap();
    let page = ciba_requests::Page { cursor: None, limit: 1 };
    let asked = ciba_requests::of_person(&mut tx, &person, cx.now, &page).await.unwrap().pop().unwrap();
    let approval = Decision::Approve(&agreed);
    device_codes::decide(&mut tx, cx, (device.id, person.id), approval).await.unwrap();
    ciba_requests::decide(&mut tx, cx, (asked.id, &person), approval).await.unwrap();
    tx.commit().await.unwrap();
    let slug = {
        let mut tx = world.db.read_system().await.unwrap();
        svc_domain::tenancy::tenants::find_by_slug(&mut tx, "acme").await.unwrap()
    };
    assert_eq!(slug, Some(tenant));
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<Mail>(&mut tx, cx.now, 1).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(mails::open(&due[0], &sealer).unwrap().text, "Dear Ada");

    become_newer(&world, &[]).await;

    let mut tx = world.db.begin(tenant).await.unwrap();
    let Spending::Spent(spent, _) = codes::spend(&mut tx, cx, DIGEST).await.unwrap() else {
        panic!("the code is live")
    };
    assert_eq!(spent.grant, agreed);
    let [held] = tx.batch([refresh::hold(&tx, family.id)]).await.unwrap();
    assert_eq!(refresh::held(&held).unwrap().unwrap().grant, agreed);
    assert_eq!(Polled::DeviceCode.redeem(&mut tx, cx, DIGEST, app.id).await.unwrap().unwrap().grant, agreed);
    assert_eq!(Polled::CibaRequest.redeem(&mut tx, cx, DIGEST, app.id).await.unwrap().unwrap().grant, agreed);
}

/// Gives the tenant a plan.
async fn planned(world: &World, tenant: TenantId) -> Plan {
    let mut tx = world.db.begin_system().await.unwrap();
    let starter =
        json!({ "name": "starter", "disabled_capabilities": ["webhooks"], "quotas": { "webhooks": 1 } });
    let starter = serde_json::from_value(starter).unwrap();
    let plan = plans::create(&mut tx, &world.cx, tenant.reference(), starter).await.unwrap();
    let present = records::find(&mut tx, tenant.reference()).await.unwrap().unwrap();
    records::set_plan(&mut tx, &world.cx, &present, Some(plan.id)).await.unwrap();
    tx.commit().await.unwrap();
    plan
}

/// A target that has what was pushed of people.
async fn pushed(world: &World, tenant: TenantId, sealer: &Sealer) -> ScimTargetId {
    let cx = &world.cx;
    let configuration = json!({
        "name": "App", "base_url": "https://app.example", "people": { "everyone": true }, "user_name": "sub"
    });
    let configuration = serde_json::from_value(configuration).unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let new = NewTarget { configuration: &configuration, active: true, secret: &Secret::new("token") };
    let target = scim_targets::create(&mut tx, cx, sealer, new).await.unwrap();
    scim_targets::lead(&mut tx, cx).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<ScimLook>(&mut tx, cx.now, 1).await.unwrap().remove(0);
    tx.commit().await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let (look, _) = scim_targets::look(&mut tx, cx, sealer, &due.payload().unwrap()).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let scim_targets::Step::Create { document, .. } = &look.step else { panic!("{:?}", look.step) };
    let linked = PushOutcome::Linked { remote_id: "1".to_owned(), pushed: document.fingerprint().unwrap() };
    let looked = Looked::new(&look, linked);
    let mut tx = world.db.begin_system().await.unwrap();
    delivery::settle(&mut tx, cx, &due, looked.outcome());
    scim_targets::note(&mut tx, cx, &due, (looked.outcome(), Some(&looked)), Seconds(60)).await.unwrap();
    tx.commit().await.unwrap();
    target.id
}

/// An import that has brought a person.
async fn imported(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> (imports::Import, TenantUserId) {
    let configuration = serde_json::from_value(json!({ "source": "elsewhere" })).unwrap();
    let import = imports::begin(tx, cx, configuration).await.unwrap();
    let line =
        json!({ "external_id": "1", "email": "grace@example.com", "public_metadata": { "plan": "gold" } });
    let bringing = imports::Bringing { import: &import, sealer, accounts: sealer };
    let lines = [Ok(serde_json::from_value(line).unwrap())];
    let outcome = imports::bring(tx, cx, bringing, &lines).await.unwrap();
    imports::note_chunk(tx, cx, &import, (DIGEST, &outcome)).await.unwrap();
    let grace = tenant_users::find_by_identifier(tx, "grace@example.com").await.unwrap().unwrap();
    (import, grace.id)
}

/// A policy with one version.
async fn policy(tx: &mut Tx<Tenant>, cx: &Cx) -> policies::Policy {
    let text = "permit(principal, action, resource);".to_owned();
    let configuration =
        policies::Configuration { name: "All".to_owned(), text, ..policies::Configuration::default() };
    let new = policies::Change { configuration, status: policies::Status::Active, organization_id: None };
    policies::create(tx, cx, &new, 1).await.unwrap()
}

/// A sign-in in the history of a person.
fn note_login(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) {
    let reasons = vec![Reason { signal: "new_device".to_owned(), points: 30 }];
    let rating = Rating { score: 30, reasons };
    let new = NewLogin {
        member: Some(person),
        outcome: login_history::Outcome::Success,
        amr: &["pwd"],
        session: None,
        user_agent: "",
        is_known_device: false,
        rating: Some(&rating),
    };
    login_history::note(tx, cx, new).unwrap();
}

/// A decision that is written down.
async fn decide(world: &World, tenant: TenantId) {
    let thing = json!({ "type": "x", "id": "1" });
    let asked = json!({ "subject": thing, "action": { "name": "x" }, "resource": thing });
    let engine = policies::Policies::new(world.db.clone(), &svc_config::AccessControl::default());
    engine.decide(tenant, &world.cx, &serde_json::from_value(asked).unwrap()).await.unwrap();
    engine.decisions.flush(&world.db).await.unwrap();
}

/// Gives every object of every typed document a member that no type here has.
async fn become_newer(world: &World, except: &[&str]) {
    let mut tx = world.db.begin_system().await.unwrap();
    for (table, column) in TYPED.iter().filter(|(_, column)| !except.contains(column)) {
        let text = format!(
            "UPDATE {table} SET {column} = replace(replace({column}, '{{', '{{\"of_a_newer_version\":[{{}}],'), ',}}', '}}') \
             WHERE {column} IS NOT NULL"
        );
        let changed = tx.execute(SystemSql::new(text.leak()), args![]).await.unwrap();
        assert!(changed > 0, "{table}.{column} has no row in this test");
    }
    tx.commit().await.unwrap();
}

#[test]
fn every_column_that_is_loaded_as_a_document_is_known_here() {
    let mut loaded = BTreeSet::new();
    columns_loaded_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut loaded);
    let typed = TYPED.iter().map(|(_, column)| *column);
    let others = UNTYPED.iter().chain(OF_THE_DEPLOYMENT).copied();
    let known: BTreeSet<_> = typed.chain(others).map(str::to_owned).collect();
    assert_eq!(loaded, known);
}

fn columns_loaded_below(folder: &Path, loaded: &mut BTreeSet<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            columns_loaded_below(&path, loaded);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let calls = text.split("document::").skip(1);
        for call in calls.filter(|call| call.starts_with("load") || call.starts_with("known")) {
            let arguments = call.split(')').next().unwrap();
            loaded.extend(arguments.split('"').nth(1).map(str::to_owned));
        }
    }
}

#[tokio::test]
async fn a_delivery_of_each_other_queue_loads_with_a_member_of_a_newer_version() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (app, cx) = (world.app(tenant, "web").await, &world.cx);
    let logout = Logout { app: app.id, sid: "ses".to_owned(), subject: "ada".to_owned() };
    let mut tx = world.db.begin(tenant).await.unwrap();
    delivery::enqueue(&mut tx, &New::of(cx, cx.id(), logout.clone())).unwrap();
    delivery::enqueue(&mut tx, &New::of(cx, cx.id(), SecurityEvent::default())).unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.db.begin_system().await.unwrap();
    let newer = "UPDATE deliveries SET payload = replace(payload, '{', '{\"of_a_newer_version\":[{}],')";
    assert_eq!(tx.execute(SystemSql::new(newer), args![]).await.unwrap(), 2);
    let logouts = delivery::claim::<Logout>(&mut tx, cx.now, 1).await.unwrap();
    let events = delivery::claim::<SecurityEvent>(&mut tx, cx.now, 1).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(logouts[0].payload().unwrap(), logout);
    assert_eq!(events[0].payload().unwrap(), SecurityEvent::default());
}

#[tokio::test]
async fn what_the_deployment_keeps_loads_with_names_and_members_of_a_newer_version() {
    let world = World::new().await;
    let now = world.cx.now;
    let jobs = vec![JobState { name: "sync".to_owned(), runs: 3, ..JobState::default() }];
    let (plane, version) = ("all".to_owned(), "9".to_owned());
    let process = Process { id: world.cx.id(), plane, version, started_at: now, seen_at: now, jobs };
    let mut tx = world.db.begin_system().await.unwrap();
    processes::report(&mut tx, &process).await.unwrap();
    let newer = "UPDATE processes SET jobs = replace(jobs, '{', '{\"of_a_newer_version\":[{}],')";
    assert_eq!(tx.execute(SystemSql::new(newer), args![]).await.unwrap(), 1);
    let off = json!({ "since": now, "reason": "An incident", "of_a_newer_version": [{}] });
    let switches = json!({ "par": off, "of_a_newer_version": off }).to_string();
    let newer = SystemSql::new("UPDATE feature_switches SET switched_off = $1");
    tx.execute(newer, args![switches]).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = world.db.read_system().await.unwrap();
    assert_eq!(processes::running(&mut tx, now).await.unwrap(), [process]);
    let switches = switches::read(&mut tx).await.unwrap();
    assert_eq!(switches.off(&Capability::PAR).unwrap().reason, "An incident");
    assert!(switches.keeps(&Capability::DPOP));
}

#[tokio::test]
async fn a_link_into_a_flow_of_a_newer_version_is_a_dead_one() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let payload = &json!({ "step": "of_a_newer_version" });
    let (kind, lifetime) = (LinkKind::VerifyEmail, Seconds(60));
    let link = NewLink { digest: DIGEST, kind, account: None, payload, lifetime };
    links::create(&mut tx, &world.cx, link).await.unwrap();
    let found = links::find::<Step>(&mut tx, &world.cx, DIGEST, kind).await.unwrap();
    assert!(found.is_none());
}

#[derive(serde::Deserialize)]
struct Step {
    #[serde(rename = "step")]
    _step: Known,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Known {
    First,
}
