//! The keyring that a database is sealed under is that of the node which came first.

use svc_core::{Class, Error};
use svc_domain::keys::keyrings;
use svc_keys::keyring::Fingerprint;

use crate::world::{World, meanwhile};

#[tokio::test(flavor = "multi_thread")]
async fn of_two_nodes_that_begin_at_once_under_other_keyrings_the_second_is_refused() {
    let world = World::new().await;
    let first = world.cx.now;
    let version = |digest: &str| [Fingerprint { id: 1, digest: digest.to_owned(), seals_from: first }];
    let mut tx = world.db.begin_system().await.unwrap();
    keyrings::admit(&mut tx, &world.cx, &version("one")).await.unwrap();
    let (db, cx, other) = (world.db.clone(), world.cx.clone(), version("two"));
    let second = async move {
        let mut tx = db.begin_system().await?;
        keyrings::admit(&mut tx, &cx, &other).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, second).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
    let mut tx = world.db.read_system().await.unwrap();
    keyrings::check(&mut tx, &version("one")).await.unwrap();
}
