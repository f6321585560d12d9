//! What a newer version has stored does not stop this one: every stored document loads with a member that is unknown here, and
//! one with an unknown word falls back where that is safe, or is left out.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_core::{Cx, Digest, Seconds, TenantId, TenantUserId};
use svc_db::{SystemSql, Tenant, Tx, args};
use svc_domain::apis::roles;
use svc_domain::apps::registrations::{self, Kind, NewRegistration, Remarks};
use svc_domain::delivery::logouts::Logout;
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::delivery::signals::SecurityEvent;
use svc_domain::delivery::{self, New};
use svc_domain::federation::trusted_issuers;
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::polled::{Decision, Pace, Polled, Wanted};
use svc_domain::grants::refresh::{self, Family};
use svc_domain::grants::{ciba_requests, device_codes};
use svc_domain::organizations;
use svc_domain::people::imports;
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::tenant_users;
use svc_domain::policies;
use svc_domain::tenancy::plans::{self, Plan};
use svc_domain::tenancy::tenants::{TenantSettings, Tenants, records};
use svc_domain::{apis, apps};
use svc_keys::{Keyring, Purpose, Sealer};

use crate::spending::grant;
use crate::world::World;

/// Every column that holds a document with a type of its own.
const TYPED: &[(&str, &str)] = &[
    ("accounts", "profile"),
    ("apis", "configuration"),
    ("apps", "configuration"),
    ("ciba_requests", "authorization_grant"),
    ("ciba_requests", "request"),
    ("codes", "authorization_grant"),
    ("deliveries", "payload"),
    ("device_codes", "authorization_grant"),
    ("device_codes", "request"),
    ("import_chunks", "outcome"),
    ("imported_people", "document"),
    ("imports", "configuration"),
    ("imports", "counts"),
    ("links", "payload"),
    ("organizations", "configuration"),
    ("plans", "configuration"),
    ("policies", "configuration"),
    ("policy_decisions", "document"),
    ("policy_versions", "configuration"),
    ("refresh_families", "authorization_grant"),
    ("registrations", "remarks"),
    ("roles", "configuration"),
    ("tenants", "settings"),
    ("trusted_issuers", "configuration"),
];

/// Columns whose documents are lists of words, or JSON that is handed on as it is.
const UNTYPED: &[&str] = &[
    "actor",
    "amr",
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
];

const DIGEST: Digest = Digest([3; 32]);
const PACE: Pace = Pace { lifetime: Seconds(600), interval: Seconds(5) };

fn mail_to_ada() -> NewMail {
    NewMail {
        to: "ada@example.com".to_owned(),
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
    let issuer = trusted_issuers::create(&mut tx, cx, "https://other.example", &keys).await.unwrap();
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
    let sealer = Keyring::ephemeral(&*cx.entropy, cx.now).sealer(Purpose::Messages);
    mails::enqueue(&mut tx, cx, &sealer, mail_to_ada()).unwrap();
    let policy = policy(&mut tx, cx).await;
    let (import, brought) = imported(&mut tx, cx, &sealer).await;
    tx.commit().await.unwrap();
    let plan = planned(&world, tenant).await;
    decide(&world, tenant).await;

    become_newer(&world, &["authorization_grant"]).await;

    let tenants = Tenants::new(world.db.clone(), &Config::default()).unwrap();
    let whole = tenants.by_id(tenant).await.unwrap();
    assert!(!whole.plan.disabled_capabilities.is_empty());
    let stored = plans::find(&mut world.db.read_system().await.unwrap(), plan.id).await.unwrap();
    assert_eq!(stored.unwrap().configuration, plan.configuration);
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(apps::find(&mut tx, app.id).await.unwrap().is_some());
    assert!(apis::find(&mut tx, &whole, api.id).await.unwrap().is_some());
    assert!(trusted_issuers::find(&mut tx, issuer.id).await.unwrap().is_some());
    assert!(organizations::find(&mut tx, organization.id).await.unwrap().is_some());
    let import = imports::find(&mut tx, import.id).await.unwrap().unwrap();
    assert!(imports::find_chunk(&mut tx, &import, (1, DIGEST)).await.unwrap().is_some());
    let known = imports::list_known(&mut tx, (brought, brought)).await.unwrap();
    assert_eq!(known[0].1.external_id.as_deref(), Some("1"));
    assert!(policies::find(&mut tx, policy.id).await.unwrap().is_some());
    assert!(policies::find_version(&mut tx, policy.id, 1).await.unwrap().is_some());
    assert_eq!(policies::list_decisions(&mut tx, (None, 2)).await.unwrap().len(), 1);
    assert!(roles::find_by_name(&mut tx, &whole, "admin").await.unwrap().is_some());
    assert!(tenant_users::find(&mut tx, person.id).await.unwrap().is_some());
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

/// An import that has brought a person.
async fn imported(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> (imports::Import, TenantUserId) {
    let configuration = serde_json::from_value(json!({ "source": "elsewhere" })).unwrap();
    let import = imports::begin(tx, cx, configuration).await.unwrap();
    let line =
        json!({ "external_id": "1", "email": "grace@example.com", "public_metadata": { "plan": "gold" } });
    let bringing = imports::Bringing { import: &import, sealer };
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

/// A decision that is written down.
async fn decide(world: &World, tenant: TenantId) {
    let thing = json!({ "type": "x", "id": "1" });
    let asked = json!({ "subject": thing, "action": { "name": "x" }, "resource": thing });
    let engine = policies::Policies::new(world.db.clone());
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
    let known: BTreeSet<_> = typed.chain(UNTYPED.iter().copied()).map(str::to_owned).collect();
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

/// What becomes of a record whose document has an unknown word.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    /// It is there, with the default of the member.
    FallsBack,
    /// It is as good as absent.
    IsAbsent,
}

/// Every member of a stored document that takes a word of a closed list, by the enum that lists the words.
const WORDS: &[(&str, &str, &str, Fate)] = &[
    ("Kind", "apps", "type", Fate::FallsBack),
    ("AuthMethod", "apps", "token_endpoint_auth_method", Fate::IsAbsent),
    ("AuthMethod", "apps", "additional_auth_methods", Fate::FallsBack),
    ("RequirePkce", "apps", "require_pkce", Fate::IsAbsent),
    ("OrNonce", "apps", "require_pkce", Fate::IsAbsent),
    ("Algorithm", "apps", "id_token_signed_response_alg", Fate::IsAbsent),
    ("IdTokenClaims", "apps", "id_token_claims", Fate::IsAbsent),
    ("Algorithm", "apps", "userinfo_signed_response_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "authorization_signed_response_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "introspection_signed_response_alg", Fate::IsAbsent),
    ("Profile", "apps", "profile", Fate::IsAbsent),
    ("Algorithm", "apps", "token_endpoint_auth_signing_alg", Fate::IsAbsent),
    ("Algorithm", "apps", "request_object_signing_alg", Fate::IsAbsent),
    ("OrganizationUsage", "apps", "organization_usage", Fate::IsAbsent),
    ("SubjectForm", "apps", "subject_type", Fate::IsAbsent),
    ("AccessTokenTyp", "apis", "access_token_typ", Fate::FallsBack),
    ("PersonClaim", "apis", "access_token_claims", Fate::FallsBack),
];

/// Enums that are in a document as a whole: the causes of signals, and the choices of imports, which are absent then.
const WHOLE: &[&str] = &["OnConflict", "What"];

/// Enums that requests and columns are read into, and no document.
const ELSEWHERE: &[&str] =
    &["Format", "InitialStatus", "Level", "Outcome", "RequirePkceValue", "State", "Status", "SubjectType"];

#[tokio::test]
async fn a_stored_word_of_a_newer_version_gives_no_more_rights_and_is_no_fault() {
    for &(_, table, member, fate) in WORDS {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let mut made =
            [world.app(tenant, "a").await, world.app(tenant, "b").await, world.app(tenant, "c").await];
        made.sort_by_key(|app| app.id);
        let [first, app, last] = made;
        let mut tx = world.db.begin(tenant).await.unwrap();
        let new = serde_json::from_value(json!({ "name": "Notes" })).unwrap();
        let api = apis::create(&mut tx, &world.cx, "https://notes.example", &new).await.unwrap();
        tx.commit().await.unwrap();
        let (id, stored) = if table == "apps" {
            (app.id.to_string(), serde_json::to_value(&app.configuration).unwrap())
        } else {
            (api.id.to_string(), serde_json::to_value(&api.configuration).unwrap())
        };
        with_word(&world, (table, &id), stored, member).await;

        let whole = Tenants::new(world.db.clone(), &Config::default()).unwrap().by_id(tenant).await.unwrap();
        let mut tx = world.db.read(tenant).await.unwrap();
        let (is_there, listed) = if table == "apps" {
            let found = apps::find(&mut tx, app.id).await.unwrap();
            assert_eq!(found.is_some(), apps::find_by_handle(&mut tx, &app.handle).await.unwrap().is_some());
            if let Some(found) = &found {
                assert_eq!(found.configuration, app.configuration, "{member}");
            }
            // A page is full as long as there are records: what is left out ends no list.
            let page = apps::list(&mut tx, (None, 2)).await.unwrap();
            let expected = if found.is_some() { [first.id, app.id] } else { [first.id, last.id] };
            assert_eq!(page.iter().map(|app| app.id).collect::<Vec<_>>(), expected);
            (found.is_some(), true)
        } else {
            let found = apis::find(&mut tx, &whole, api.id).await.unwrap();
            let listed = apis::list(&mut tx, &whole, (None, 1)).await.unwrap();
            (found.is_some_and(|found| found.configuration == api.configuration), listed.len() == 1)
        };
        assert_eq!((is_there, listed), (fate == Fate::FallsBack, true), "{table}.{member}");
    }
}

/// Gives a member of a document a word that no version here knows.
async fn with_word(world: &World, (table, id): (&str, &str), mut stored: serde_json::Value, member: &str) {
    let unknown = json!("of_a_newer_version");
    let is_list = ["additional_auth_methods", "access_token_claims"].contains(&member);
    stored[member] = if is_list { json!([unknown]) } else { unknown };
    let text = format!("UPDATE {table} SET configuration = $1 WHERE id = $2");
    let mut tx = world.db.begin_system().await.unwrap();
    let changed = tx.execute(SystemSql::new(text.leak()), args![stored.to_string(), id]).await.unwrap();
    assert_eq!(changed, 1);
    tx.commit().await.unwrap();
}

#[test]
fn every_enum_that_documents_are_made_of_is_known_here() {
    let mut stored = BTreeSet::new();
    enums_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut stored);
    let known = WORDS.iter().map(|(name, ..)| *name).chain(WHOLE.iter().copied());
    // What other crates define is not found here.
    let expected: BTreeSet<_> =
        known.filter(|name| *name != "Algorithm").chain(ELSEWHERE.iter().copied()).collect();
    assert_eq!(stored.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}

/// Enums that can be read from a document: those of this crate that derive `Deserialize`.
fn enums_below(folder: &Path, found: &mut BTreeSet<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            enums_below(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for item in text
            .split("#[derive(")
            .skip(1)
            .filter(|item| item.split(')').next().unwrap().contains("Deserialize"))
        {
            let declared =
                item.lines().find(|line| line.contains("enum ") || line.contains("struct ")).unwrap();
            let name = declared.split_once("enum ").map(|(_, rest)| rest.split([' ', '<']).next().unwrap());
            found.extend(name.map(str::to_owned));
        }
    }
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
