//! The end of a tenant: what its row says, and people of it who leave another one meanwhile.

use std::collections::BTreeMap;

use svc_core::{Class, Cx, Seconds, TenantId};
use svc_db::{Engine, SystemSql, Tx, args, quiet_sql};
use svc_domain::deletion;
use svc_domain::people::changes;
use svc_domain::people::credentials;
use svc_domain::people::tenant_users::{self, NewMember, Person};
use svc_domain::tenancy::tenants::{self, NewTenant, records};
use svc_domain::tenancy::texts::{self, Texts};

use crate::world::{World, meanwhile, meanwhile_then};

/// Ends the memberships of a person elsewhere in the moment in which one goes with its tenant.
async fn who_goes_leaves_elsewhere_too(world: &World) {
    const EFFECT: &str = "UPDATE tenant_users SET status = 'removed' WHERE account_id = OLD.account_id AND tenant_id <> OLD.tenant_id;";
    let statements = match world.db.engine() {
        Engine::Postgres => {
            let quoted = EFFECT.replace('\'', "''");
            vec![
                format!(
                    "CREATE FUNCTION leaves_too() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN {quoted} RETURN OLD; END'"
                ),
                "CREATE TRIGGER leaves_too BEFORE DELETE ON tenant_users FOR EACH ROW EXECUTE FUNCTION leaves_too()".to_owned(),
            ]
        }
        Engine::Sqlite => vec![format!(
            "CREATE TRIGGER leaves_too BEFORE DELETE ON tenant_users FOR EACH ROW BEGIN {EFFECT} END"
        )],
    };
    run(world, statements).await;
}

/// Interrupts each removal of people, as an outage would.
async fn no_one_can_be_removed(world: &World) {
    let statements: &[&str] = match world.db.engine() {
        Engine::Postgres => &[
            "CREATE FUNCTION stops() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''stopped''; END'",
            "CREATE TRIGGER stops BEFORE DELETE ON tenant_users FOR EACH ROW EXECUTE FUNCTION stops()",
        ],
        Engine::Sqlite => &[
            "CREATE TRIGGER stops BEFORE DELETE ON tenant_users FOR EACH ROW BEGIN SELECT RAISE(ABORT, 'stopped'); END",
        ],
    };
    run(world, statements.iter().map(|text| (*text).to_owned()).collect()).await;
}

async fn run(world: &World, statements: Vec<String>) {
    let mut tx = world.db.begin_system().await.unwrap();
    for text in statements {
        tx.execute(SystemSql::new(Box::leak(text.into_boxed_str())), args![]).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Makes a person of one tenant a member of another.
async fn joins(world: &World, tenant: TenantId, person: &Person) {
    let mut tx = world.db.begin(tenant).await.unwrap();
    tenant_users::create(&mut tx, &world.cx, NewMember::of(person.account_id)).await.unwrap();
    tx.commit().await.unwrap();
}

/// The addresses of all accounts.
async fn addresses(world: &World) -> Vec<String> {
    let select = SystemSql::new("SELECT email FROM accounts WHERE email IS NOT NULL ORDER BY email");
    let rows = world.db.read_system().await.unwrap().all(select, args![]).await.unwrap();
    rows.iter().map(|row| row.text("email").unwrap()).collect()
}

async fn removed(world: &World, tenant: TenantId) {
    let mut tx = world.db.begin_system().await.unwrap();
    let _ = deletion::begin(&mut tx, &world.cx, tenant, Seconds(0)).await.unwrap();
    tx.commit().await.unwrap();
    assert!(deletion::remove_next(&world.db, &world.cx, world.cx.now).await.unwrap().is_some());
}

#[tokio::test]
async fn an_account_stays_while_it_is_a_member_elsewhere() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let (ada, _) = (world.person(acme, "ada").await, world.person(acme, "bob").await);
    joins(&world, other, &ada).await;
    removed(&world, acme).await;
    assert_eq!(addresses(&world).await, ["ada@example.com"]);
}

#[tokio::test]
async fn an_account_that_joins_another_tenant_while_its_own_is_removed_stays() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let ada = world.person(acme, "ada").await;
    let mut open = world.db.begin(other).await.unwrap();
    changes::join(&mut open, &world.cx, ada.account_id).await.unwrap();
    meanwhile(&world.db, open, removed(&world, acme)).await;
    assert_eq!(addresses(&world).await, ["ada@example.com"]);
}

#[tokio::test]
async fn no_membership_goes_before_the_credentials_of_all_who_go_with_it_are_held() {
    let world = World::new().await;
    let acme = world.tenant("acme").await;
    let mut people = [world.person(acme, "ada").await, world.person(acme, "bob").await];
    people.sort_by_key(|person| person.account_id);
    let [first, last] = people;
    let mut open = world.db.begin(acme).await.unwrap();
    credentials::held_of_account(&mut open, last.account_id).await.unwrap();
    let touch = quiet_sql!(
        "a test",
        "UPDATE tenant_users SET updated_at = updated_at WHERE tenant_id = $1 AND id = $2"
    );
    let removing = meanwhile_then(&world.db, open, removed(&world, acme), async |open: &mut Tx<_>| {
        assert_eq!(open.execute(touch, args![first.id]).await.unwrap(), 1);
    });
    removing.await;
    assert!(addresses(&world).await.is_empty());
}

#[tokio::test]
async fn an_account_whose_last_membership_ends_elsewhere_in_the_same_moment_is_emptied() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let ada = world.person(acme, "ada").await;
    joins(&world, other, &ada).await;
    who_goes_leaves_elsewhere_too(&world).await;
    removed(&world, acme).await;
    assert!(addresses(&world).await.is_empty());
}

#[tokio::test]
async fn the_row_of_a_removed_tenant_says_nothing_of_it_and_a_change_that_comes_late_does_not_fill_it() {
    let world = World::new().await;
    let acme = world.tenant("acme").await;
    let mut tx = world.db.begin_system().await.unwrap();
    let record = records::find(&mut tx, acme.reference()).await.unwrap().unwrap();
    let own = BTreeMap::from([("signin-title".to_owned(), "Welcome to Acme".to_owned())]);
    let own = Texts(BTreeMap::from([("en".to_owned(), own)]));
    texts::set(&mut tx, &world.cx, &record, &own).await.unwrap();
    tx.commit().await.unwrap();
    removed(&world, acme).await;
    // What read the tenant before it was removed.
    let late = NewTenant {
        slug: record.slug,
        name: record.name,
        custom_domain: Some("login.acme.example".to_owned()),
        settings: record.settings,
    };
    let mut tx = world.db.begin_system().await.unwrap();
    assert!(!tenants::update(&mut tx, &world.cx, acme, &late).await.unwrap());
    let select = SystemSql::new(
        "SELECT name, settings, COALESCE(custom_domain, texts) AS said FROM tenants WHERE deleted_at IS NOT NULL",
    );
    let row = tx.one(select, args![]).await.unwrap();
    assert_eq!((row.text("name").unwrap(), row.text("settings").unwrap()), (String::new(), "{}".to_owned()));
    assert_eq!(row.maybe_text("said").unwrap(), None);
}

#[tokio::test]
async fn a_tenant_that_is_half_gone_is_restored_by_no_node_whose_clock_is_behind() {
    let world = World::new().await;
    let acme = world.tenant("acme").await;
    world.person(acme, "ada").await;
    no_one_can_be_removed(&world).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let over = deletion::begin(&mut tx, &world.cx, acme, Seconds(60)).await.unwrap();
    tx.commit().await.unwrap();
    let ahead = Cx { now: over, ..world.cx.clone() };
    assert!(deletion::remove_next(&world.db, &ahead, over).await.is_err());
    let mut tx = world.db.begin_system().await.unwrap();
    let restored = deletion::restore(&mut tx, &world.cx, acme).await;
    assert_eq!(restored.map_err(|error| error.class()), Err(Class::Conflict));
}
