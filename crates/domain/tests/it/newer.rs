//! What a newer version has stored does not stop this one: every stored document loads with a member that is unknown here.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use svc_config::Config;
use svc_core::{Digest, Seconds};
use svc_db::{SystemSql, args};
use svc_domain::apps::registrations::{self, Kind, NewRegistration, Remarks};
use svc_domain::delivery;
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::federation::trusted_issuers;
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::polled::{Decision, Pace, Polled, Wanted};
use svc_domain::grants::refresh::{self, Family};
use svc_domain::grants::{ciba_requests, device_codes};
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::{TenantSettings, Tenants};
use svc_domain::{apis, apps};
use svc_keys::{Keyring, Purpose};

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
    ("links", "payload"),
    ("refresh_families", "authorization_grant"),
    ("registrations", "remarks"),
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
    "parameters",
    "public_jwk",
    "roles",
];

const DIGEST: Digest = Digest([3; 32]);
const PACE: Pace = Pace { lifetime: Seconds(600), interval: Seconds(5) };

#[tokio::test]
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
    let mail = NewMail {
        to: "ada@example.com".to_owned(),
        subject: "Hello".to_owned(),
        text: "Dear Ada".to_owned(),
        html: "<p>Dear Ada</p>".to_owned(),
    };
    let sealer = Keyring::ephemeral(&*cx.entropy, cx.now).sealer(Purpose::Messages);
    mails::enqueue(&mut tx, cx, &sealer, mail).unwrap();
    tx.commit().await.unwrap();

    become_newer(&world, &["authorization_grant"]).await;

    let tenants = Tenants::new(world.db.clone(), &Config::default()).unwrap();
    let whole = tenants.by_id(tenant).await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(apps::find(&mut tx, app.id).await.unwrap().is_some());
    assert!(apis::find(&mut tx, &whole, api.id).await.unwrap().is_some());
    assert!(trusted_issuers::find(&mut tx, issuer.id).await.unwrap().is_some());
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
        for call in text.split("document::load").skip(1) {
            let arguments = call.split(')').next().unwrap();
            loaded.extend(arguments.split('"').nth(1).map(str::to_owned));
        }
    }
}
