//! The keys of a person end with what ends the person's access, also one that is being made at that moment.

use svc_core::{Digest, Scope, Seconds};
use svc_domain::tokens::api_keys::{self, NewKey, Owner};

use crate::world::{World, meanwhile};

const SECRET: Digest = Digest([5; 32]);

#[tokio::test]
async fn a_key_that_is_made_while_the_access_of_its_owner_ends_ends_too() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let ada = world.person(tenant, "ada").await;
    let scope: Scope = "webhooks:read".parse().unwrap();
    let new = NewKey {
        digest: SECRET,
        name: "A script",
        scope: &scope,
        owner: Owner::Person(ada.id),
        lifetime: Seconds(60),
        most: 9,
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    api_keys::create(&mut tx, &world.cx, &new).await.unwrap();
    let ending = async {
        let mut tx = world.db.begin(tenant).await?;
        api_keys::end_of_person(&mut tx, ada.id).await?;
        tx.commit().await
    };
    meanwhile(&world.db, tx, ending).await.unwrap();
    let mut tx = world.db.read(tenant).await.unwrap();
    assert!(api_keys::find_live(&mut tx, SECRET, world.cx.now).await.unwrap().is_none());
}
