//! Who knows of a session is told of its end: once, also in a race, and until there is no point any more.

use std::collections::BTreeSet;

use svc_core::{Cx, Digest, Seconds, TenantId};
use svc_db::args;
use svc_domain::apps::App;
use svc_domain::delivery::logouts::{self, Logout};
use svc_domain::delivery::{self, Delivery, Outcome};
use svc_domain::people::sessions::{self, Lifetimes, NewSession, Session};
use svc_domain::people::tenant_users::{self, Person, Status};

use crate::world::World;

const LIFETIMES: Lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3600) };

async fn session(world: &World, tenant: TenantId, person: &Person, digest: u8) -> Session {
    let new = NewSession {
        digest: Digest([digest; 32]),
        amr: &["pwd"],
        acr: "urn:svc:aal1",
        user_agent: "test",
        auth_time: world.cx.now,
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    let session = sessions::create(&mut tx, &world.cx, person, new, LIFETIMES).unwrap();
    tx.commit().await.unwrap();
    session
}

async fn note(world: &World, tenant: TenantId, session: &Session, app: &App, subject: &str) {
    let mut tx = world.db.begin(tenant).await.unwrap();
    logouts::note(&mut tx, session.id, app.id, subject).await.unwrap();
    tx.commit().await.unwrap();
}

async fn end(world: &World, tenant: TenantId, session: &Session) {
    let mut tx = world.db.begin(tenant).await.unwrap();
    sessions::end(&mut tx, &world.cx, session).await.unwrap();
    tx.commit().await.unwrap();
}

async fn take(world: &World, after: i64) -> Vec<Delivery<Logout>> {
    let mut tx = world.db.begin_system().await.unwrap();
    let taken = delivery::claim(&mut tx, world.cx.now + Seconds(after), 100).await.unwrap();
    tx.commit().await.unwrap();
    taken
}

async fn settle(world: &World, after: i64, logout: &Delivery<Logout>, outcome: Outcome) {
    let cx = Cx { now: world.cx.now + Seconds(after), ..world.cx.clone() };
    let mut tx = world.db.begin_system().await.unwrap();
    delivery::settle(&mut tx, &cx, logout, outcome);
    tx.commit().await.unwrap();
}

fn told(due: &Delivery<Logout>) -> Logout {
    due.payload().unwrap()
}

async fn states(world: &World) -> Vec<String> {
    let mut tx = world.db.read_system().await.unwrap();
    let select = svc_db::system_sql!("SELECT state FROM deliveries ORDER BY id");
    tx.all(select, args![]).await.unwrap().iter().map(|row| row.text("state").unwrap()).collect()
}

#[tokio::test]
async fn each_end_of_a_session_becomes_one_delivery_for_each_application() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    let (web, shop) = (world.app(tenant, "web").await, world.app(tenant, "shop").await);
    let (first, second) =
        (session(&world, tenant, &person, 1).await, session(&world, tenant, &person, 2).await);
    for (session, app, subject) in
        [(&first, &web, "old"), (&first, &web, "ada"), (&first, &shop, "pair"), (&second, &web, "ada")]
    {
        note(&world, tenant, session, app, subject).await;
    }
    end(&world, tenant, &first).await;
    end(&world, tenant, &first).await;
    // Too late: the session is over.
    note(&world, tenant, &first, &web, "ada").await;
    let made: BTreeSet<_> = take(&world, 0)
        .await
        .iter()
        .map(told)
        .map(|logout| (logout.app, logout.sid, logout.subject))
        .collect();
    let sid = first.id.to_string();
    assert_eq!(made, [(web.id, sid.clone(), "ada".to_owned()), (shop.id, sid, "pair".to_owned())].into());
    let mut tx = world.db.begin(tenant).await.unwrap();
    tenant_users::set_status(&mut tx, &world.cx, &person, Status::Suspended).await.unwrap();
    tx.commit().await.unwrap();
    let rest = take(&world, 0).await;
    assert_eq!(rest.iter().map(|due| told(due).sid).collect::<Vec<_>>(), [second.id.to_string()]);
}

#[tokio::test]
async fn a_session_that_the_same_person_renews_is_still_that_of_its_applications() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (ada, bob) = (world.person(tenant, "ada").await, world.person(tenant, "bob").await);
    let app = world.app(tenant, "web").await;
    let (first, second, third) = (
        session(&world, tenant, &ada, 1).await,
        session(&world, tenant, &ada, 2).await,
        session(&world, tenant, &bob, 3).await,
    );
    note(&world, tenant, &first, &app, "ada").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    sessions::replace(&mut tx, &world.cx, &first, &second).await.unwrap();
    tx.commit().await.unwrap();
    assert!(take(&world, 0).await.is_empty());
    let mut tx = world.db.begin(tenant).await.unwrap();
    sessions::replace(&mut tx, &world.cx, &second, &third).await.unwrap();
    tx.commit().await.unwrap();
    let due = take(&world, 0).await;
    assert_eq!(due.iter().map(|due| told(due).sid).collect::<Vec<_>>(), [first.id.to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn however_a_note_and_the_end_of_its_session_meet_no_note_is_left_behind() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    let app = world.app(tenant, "web").await;
    for digest in 0..10 {
        let session = session(&world, tenant, &person, digest).await;
        let noting = {
            let (db, id, app) = (world.db.clone(), session.id, app.id);
            tokio::spawn(async move {
                let mut tx = db.begin(tenant).await.unwrap();
                logouts::note(&mut tx, id, app, "ada").await.unwrap();
                tx.commit().await.unwrap();
            })
        };
        end(&world, tenant, &session).await;
        noting.await.unwrap();
    }
    let mut tx = world.db.read_system().await.unwrap();
    let left = svc_db::system_sql!("SELECT COUNT(*) AS count FROM session_clients");
    assert_eq!(tx.one(left, args![]).await.unwrap().int("count").unwrap(), 0);
}

#[tokio::test]
async fn a_taken_delivery_is_leased_and_a_settled_one_is_never_taken_again() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    for (digest, handle) in [(1, "web"), (2, "shop")] {
        let (session, app) =
            (session(&world, tenant, &person, digest).await, world.app(tenant, handle).await);
        note(&world, tenant, &session, &app, "ada").await;
        end(&world, tenant, &session).await;
    }
    assert_eq!(take(&world, 0).await.len(), 2);
    assert_eq!(take(&world, 119).await.len(), 0);
    let taken = take(&world, 120).await;
    assert_eq!(taken.len(), 2, "the worker has died");
    settle(&world, 120, &taken[0], Outcome::Taken).await;
    settle(&world, 120, &taken[1], Outcome::Over).await;
    assert!(take(&world, 1_000_000).await.is_empty());
    let mut ended = states(&world).await;
    ended.sort();
    assert_eq!(ended, ["failed", "taken"]);
}

#[tokio::test]
async fn what_waits_for_a_silent_receiver_waits_longer_and_is_given_up_after_nine_attempts() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    let (web, shop) = (world.app(tenant, "web").await, world.app(tenant, "shop").await);
    let first = session(&world, tenant, &person, 1).await;
    note(&world, tenant, &first, &web, "ada").await;
    end(&world, tenant, &first).await;
    let silent = take(&world, 0).await.remove(0);
    for (digest, app) in [(2, &web), (3, &shop)] {
        let session = session(&world, tenant, &person, digest).await;
        note(&world, tenant, &session, app, "ada").await;
        end(&world, tenant, &session).await;
    }
    settle(&world, 0, &silent, Outcome::Silent).await;
    let others = take(&world, 3).await;
    assert_eq!(others.iter().map(|due| told(due).app).collect::<Vec<_>>(), [shop.id]);
    settle(&world, 3, &others[0], Outcome::Taken).await;
    let mut now = 6;
    let mut both = take(&world, now).await;
    assert_eq!(both.iter().map(|due| due.failures).collect::<BTreeSet<_>>(), [0, 1].into());
    both.sort_by_key(|due| due.failures);
    let (waiting, mut silent) = (both.remove(0), both.remove(0));
    settle(&world, now, &waiting, Outcome::Taken).await;
    for failures in 1..9 {
        assert_eq!(silent.failures, failures);
        settle(&world, now, &silent, Outcome::Silent).await;
        now += 200_000;
        let again = take(&world, now).await;
        match again.into_iter().next() {
            Some(again) => silent = again,
            None => assert_eq!(failures, 8),
        }
    }
    assert_eq!(states(&world).await.iter().filter(|state| *state == "failed").count(), 1);
}

#[tokio::test]
async fn an_application_that_goes_takes_its_deliveries_along() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let (first, second) =
        (session(&world, tenant, &person, 1).await, session(&world, tenant, &person, 2).await);
    note(&world, tenant, &first, &app, "ada").await;
    note(&world, tenant, &second, &app, "ada").await;
    end(&world, tenant, &first).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    svc_domain::apps::delete(&mut tx, &world.cx, app.id).await.unwrap();
    tx.commit().await.unwrap();
    end(&world, tenant, &second).await;
    assert!(take(&world, 0).await.is_empty());
}

#[tokio::test]
async fn a_note_cannot_name_another_tenants_session_or_application() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let person = world.person(acme, "ada").await;
    let (ours, theirs) = (world.app(acme, "web").await, world.app(other, "web").await);
    let session = session(&world, acme, &person, 1).await;
    let mut tx = world.db.begin(acme).await.unwrap();
    assert!(logouts::note(&mut tx, session.id, theirs.id, "ada").await.is_err());
    drop(tx);
    note(&world, other, &session, &theirs, "ada").await;
    note(&world, acme, &session, &ours, "ada").await;
    end(&world, acme, &session).await;
    let due = take(&world, 0).await;
    assert_eq!(due.iter().map(|due| (due.tenant, told(due).app)).collect::<Vec<_>>(), [(acme, ours.id)]);
}
