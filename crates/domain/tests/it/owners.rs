//! An organization is made for, and handed to, a person who stays.

use serde_json::json;
use svc_core::{Class, Error};
use svc_domain::organizations;
use svc_domain::people::tenant_users::{self, Status};

use crate::world::{World, meanwhile};

#[tokio::test]
async fn who_is_removed_at_the_moment_of_the_handing_over_becomes_no_owner() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (ada, bob) = (world.person(tenant, "ada").await, world.person(tenant, "bob").await);
    let initech = serde_json::from_value(json!({ "name": "Initech" })).unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let new = organizations::New { slug: "initech", owner: &ada, configuration: &initech };
    let organization = organizations::create(&mut tx, &world.cx, new).await.unwrap();
    assert!(organizations::add(&mut tx, &world.cx, (&organization, 9), (&bob, None, &[])).await.unwrap());
    tx.commit().await.unwrap();

    let mut tx = world.db.begin(tenant).await.unwrap();
    tenant_users::set_status(&mut tx, &world.cx, &bob, Status::Removed).await.unwrap();
    let handing_over = async {
        let mut tx = world.db.begin(tenant).await?;
        organizations::transfer(&mut tx, &world.cx, &organization, bob.id).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, handing_over).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::BadRequest), "{refused:?}");
}

#[tokio::test]
async fn no_organization_is_made_for_a_person_who_is_removed_at_that_moment() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let ada = world.person(tenant, "ada").await;
    let initech = serde_json::from_value(json!({ "name": "Initech" })).unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    tenant_users::set_status(&mut tx, &world.cx, &ada, Status::Removed).await.unwrap();
    let making = async {
        let mut tx = world.db.begin(tenant).await?;
        let new = organizations::New { slug: "initech", owner: &ada, configuration: &initech };
        organizations::create(&mut tx, &world.cx, new).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, making).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
}
