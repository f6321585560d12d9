//! What a person allows in two windows at once is allowed in both, and what is taken back meanwhile stays so.

use svc_core::{Cx, Result, Scope, TenantId};
use svc_db::Db;
use svc_domain::apps::App;
use svc_domain::grants::consents;
use svc_domain::people::tenant_users::Person;

use crate::world::{World, meanwhile};

const AUDIENCE: &str = "https://api.example";

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
