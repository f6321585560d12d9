//! What a person allows in two windows at once is allowed in both, and what is taken back meanwhile stays so.

use svc_core::{Cx, Digest, Result, Scope, Seconds, TenantId};
use svc_db::Db;
use svc_domain::apps::App;
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::consents;
use svc_domain::people::tenant_users::Person;

use crate::spending::grant;
use crate::world::{World, meanwhile};

const AUDIENCE: &str = "https://api.example";
const DIGEST: Digest = Digest([8; 32]);

fn scope(text: &str) -> Scope {
    text.parse().unwrap()
}

/// A node of its own.
fn node(world: &World) -> (Db, Cx) {
    (world.db.clone(), world.cx.clone())
}

/// Allows more in a transaction of its own.
async fn allows(
    (db, cx): (Db, Cx),
    (tenant, person, app): (TenantId, Person, App),
    more: Scope,
) -> Result<()> {
    let mut tx = db.begin(tenant).await?;
    consents::grant(&mut tx, &cx, person.id, app.id, (AUDIENCE, &more)).await?;
    tx.commit().await
}

/// What the person allows the application now.
async fn allowed(world: &World, tenant: TenantId, (person, app): (&Person, &App)) -> Scope {
    let mut tx = world.db.read(tenant).await.unwrap();
    consents::find(&mut tx, person.id, app.id, AUDIENCE).await.unwrap().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_grants_at_once_neither_is_lost() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    for (one, other, all) in [("read", "write", "read write"), ("list", "send", "list read send write")] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        consents::grant(&mut tx, &world.cx, person.id, app.id, (AUDIENCE, &scope(one))).await.unwrap();
        let whose = (tenant, person.clone(), app.clone());
        let second = allows(node(&world), whose, scope(other));
        meanwhile(&world.db, tx, second).await.unwrap();
        assert_eq!(allowed(&world, tenant, (&person, &app)).await, scope(all));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_does_not_come_back_with_a_grant_at_the_same_moment() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let whose = (tenant, person.clone(), app.clone());
    allows(node(&world), whose.clone(), scope("read")).await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(consents::take_back(&mut tx, &world.cx, &person, (app.id, &app.client_id())).await.unwrap());
    meanwhile(&world.db, tx, allows(node(&world), whose, scope("write"))).await.unwrap();
    assert_eq!(allowed(&world, tenant, (&person, &app)).await, scope("write"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_rests_on_what_is_taken_back_at_that_moment_ends_with_it() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    allows(node(&world), (tenant, person.clone(), app.clone()), scope("read")).await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    consents::rely_on(&mut tx, person.id, app.id);
    assert!(consents::find(&mut tx, person.id, app.id, AUDIENCE).await.unwrap().is_some());
    let grant = grant(world.cx.id(), &world);
    let new = Spent { app: app.id, person: person.id, family: world.cx.id(), grant };
    codes::create(&mut tx, &world.cx, DIGEST, &new, Seconds(60)).unwrap();
    let (db, cx) = node(&world);
    let taking_back = async move {
        let mut tx = db.begin(tenant).await?;
        let taken = consents::take_back(&mut tx, &cx, &person, (app.id, &app.client_id())).await?;
        tx.commit().await.map(|()| taken)
    };
    assert!(meanwhile(&world.db, tx, taking_back).await.unwrap());
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(matches!(codes::spend(&mut tx, &world.cx, DIGEST).await.unwrap(), Spending::Unknown));
}
