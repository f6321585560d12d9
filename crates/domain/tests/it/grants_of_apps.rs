//! What an application has under way goes with it, whether or not the engine refers from one to the other.

use svc_core::{Digest, Seconds, SessionId};
use svc_db::{Engine, Tenant, TenantSql, Tx, args, sql};
use svc_domain::apps::{self, App};
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::par::{self, Pushed};
use svc_domain::grants::refresh::{self, Family};
use svc_domain::people::tenant_users::Person;

use crate::spending::grant;
use crate::world::World;

const DIGEST: Digest = Digest([11; 32]);
const OTHER: Digest = Digest([12; 32]);

const STORED: [TenantSql; 3] = [
    sql!("SELECT count(*) AS number FROM codes WHERE tenant_id = $1"),
    sql!("SELECT count(*) AS number FROM par_requests WHERE tenant_id = $1"),
    sql!("SELECT count(*) AS number FROM refresh_families WHERE tenant_id = $1"),
];

/// How many codes, pushed requests and families the tenant has.
async fn stored(tx: &mut Tx<Tenant>) -> [i64; 3] {
    let mut numbers = [0; 3];
    for (number, count) in numbers.iter_mut().zip(STORED) {
        *number = tx.one(count, args![]).await.unwrap().int("number").unwrap();
    }
    numbers
}

fn code(world: &World, person: &Person, app: &App) -> Spent {
    let session: SessionId = world.cx.id();
    Spent { app: app.id, person: person.id, family: world.cx.id(), grant: grant(session, world) }
}

fn family(world: &World, code: &Spent) -> Family {
    Family {
        id: code.family,
        app: code.app,
        person: code.person,
        grant: code.grant.clone(),
        created_at: world.cx.now,
        expires_at: world.cx.now + Seconds(3600),
    }
}

#[tokio::test]
async fn what_is_under_way_for_an_application_goes_with_it_and_that_of_another_stays() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let other = world.app(tenant, "other").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    for (app, digest) in [(&app, DIGEST), (&other, OTHER)] {
        let new = code(&world, &person, app);
        codes::create(&mut tx, &world.cx, digest, &new, Seconds(60)).unwrap();
        let pushed = Pushed { app: app.id, parameters: Vec::new(), dpop_jkt: None };
        par::create(&mut tx, &world.cx, digest, &pushed, Seconds(60)).unwrap();
        refresh::create_family(&mut tx, &family(&world, &new)).unwrap();
    }
    tx.commit().await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert_eq!(stored(&mut tx).await, [2, 2, 2]);
    apps::delete(&mut tx, &world.cx, app.id).await.unwrap();
    assert_eq!(stored(&mut tx).await, [1, 1, 1]);
    assert!(matches!(codes::spend(&mut tx, &world.cx, OTHER).await.unwrap(), Spending::Spent(..)));
}

#[tokio::test]
async fn a_code_that_is_stored_after_its_application_has_gone_is_unknown() {
    let world = World::new().await;
    // SQLite stores none.
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let mut tx = world.db.begin(tenant).await.unwrap();
    apps::delete(&mut tx, &world.cx, app.id).await.unwrap();
    codes::create(&mut tx, &world.cx, DIGEST, &code(&world, &person, &app), Seconds(60)).unwrap();
    assert!(matches!(codes::spend(&mut tx, &world.cx, DIGEST).await.unwrap(), Spending::Unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_that_a_code_begins_while_its_application_is_deleted_goes_too() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    for round in 0..10 {
        let app = world.app(tenant, &format!("web-{round}")).await;
        let new = code(&world, &person, &app);
        let mut tx = world.db.begin(tenant).await.unwrap();
        codes::create(&mut tx, &world.cx, DIGEST, &new, Seconds(60)).unwrap();
        tx.commit().await.unwrap();
        let (cx, begun) = (world.cx.clone(), family(&world, &new));
        let attempts = world
            .at_once(tenant, 2, move |tx, number| {
                let (cx, begun) = (cx.clone(), begun.clone());
                Box::pin(async move {
                    if number == 1 {
                        return apps::delete(tx, &cx, begun.app).await;
                    }
                    if let Spending::Spent(..) = codes::spend(tx, &cx, DIGEST).await? {
                        refresh::create_family(tx, &begun)?;
                    }
                    Ok(())
                })
            })
            .await;
        for attempt in attempts {
            attempt.unwrap();
        }
        let mut tx = world.db.read(tenant).await.unwrap();
        assert_eq!(stored(&mut tx).await, [0, 0, 0]);
    }
}
