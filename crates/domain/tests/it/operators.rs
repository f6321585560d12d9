//! Of operators who go at the same moment, the last one stays.

use svc_core::{Class, Cx, Seconds};
use svc_domain::people::operators::{self, Role};
use svc_domain::people::tenant_users::{self, Status};
use svc_domain::tenancy::tenants::Tenants;

use crate::world::{World, config};

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_operators_who_go_at_once_one_stays() {
    let world = World::new().await;
    let id = world.tenant("main").await;
    let tenants = Tenants::new(world.db.clone(), &config(&[])).unwrap();
    let tenant = tenants.read(&mut world.db.read_system().await.unwrap(), id).await.unwrap();
    let mut people = Vec::new();
    for number in 0..20 {
        people.push(world.person(id, &format!("ada{number}")).await);
    }
    let mut tx = world.db.begin(id).await.unwrap();
    operators::prepare(&mut tx, &world.cx, &tenant, Seconds(600)).await.unwrap();
    for person in &people {
        operators::grant(&mut tx, &world.cx, person, Role::Administrator).await.unwrap();
    }
    tx.commit().await.unwrap();
    let cx = world.cx.clone();
    let going = world.at_once(id, 20, move |tx, number| {
        let (cx, person) = (cx.clone(), people[number].id);
        Box::pin(async move {
            let person = tenant_users::find(tx, person).await?.unwrap();
            match number % 3 {
                0 => tenant_users::set_status(tx, &cx, &person, Status::Suspended).await,
                1 => operators::revoke(tx, &cx, &person).await.map(drop),
                _ => operators::grant(tx, &cx, &person, Role::Viewer).await.map(drop),
            }
        })
    });
    let stayed: Vec<_> = going.await.into_iter().filter_map(Result::err).collect();
    assert_eq!(stayed.iter().map(svc_core::Error::class).collect::<Vec<_>>(), [Class::Conflict]);
    assert_eq!(stayed[0].detail(), operators::STAYS);
}

#[tokio::test]
async fn who_is_made_an_operator_by_a_clock_that_is_behind_is_one() {
    let world = World::new().await;
    let id = world.tenant("main").await;
    let person = world.person(id, "ada").await;
    let cx = Cx { now: person.created_at - Seconds(2), ..world.cx.clone() };
    let mut tx = world.db.begin(id).await.unwrap();
    assert!(operators::grant(&mut tx, &cx, &person, Role::Administrator).await.unwrap());
    let listed = operators::all(&mut tx).await.unwrap();
    assert_eq!(listed.iter().map(|one| one.since).collect::<Vec<_>>(), [person.created_at]);
    assert_eq!(operators::role_of(&mut tx, &person.subject).await.unwrap(), Some(Role::Administrator));
}
