//! Tenants' keys: what they seal opens for the tenant alone, and nowhere once they are destroyed.

use svc_config::Config;
use svc_core::{Class, Error, Seconds, SeededEntropy, TenantId};
use svc_db::{SystemSql, args};
use svc_domain::Services;
use svc_domain::people::standing;
use svc_domain::tenancy::tenants::records;
use svc_keys::keyring::{Cell, Sealed, key_id};
use svc_keys::{Keyring, Purpose};

use crate::world::{World, meanwhile};

async fn node(world: &World, keyring: &Keyring) -> Services {
    Services::start(&world.db, &Config::default(), &world.cx, keyring.clone().into()).await.unwrap()
}

fn keyring(world: &World) -> Keyring {
    Keyring::ephemeral(&SeededEntropy::new(1), world.cx.now)
}

const CELL: Cell<'_> = Cell { table: "streams", column: "secret", tenant: "acme", record: "1" };

async fn sealed(world: &World, node: &Services, tenant: TenantId) -> Sealed<String> {
    let sealer = node.sealers.of(tenant, Purpose::Credentials, &world.cx).await.unwrap();
    Sealed::new(&"secret".to_owned(), &CELL, &sealer, &world.cx).unwrap()
}

async fn opens(world: &World, node: &Services, tenant: TenantId, stored: &Sealed<String>) -> bool {
    let sealer = node.sealers.of(tenant, Purpose::Credentials, &world.cx).await.unwrap();
    stored.open(&CELL, &sealer).is_ok_and(|plain| plain == "secret")
}

async fn count(world: &World, text: &'static str) -> i64 {
    let mut tx = world.db.read_system().await.unwrap();
    tx.one(SystemSql::new(text), args![]).await.unwrap().int("count").unwrap()
}

#[tokio::test]
async fn nodes_share_a_tenants_key_and_another_tenants_opens_nothing() {
    let world = World::new().await;
    let other = world.tenant("other").await;
    let ring = keyring(&world);
    let (one, two) = (node(&world, &ring).await, node(&world, &ring).await);
    for slug in ["acme", "bolt", "crane", "delta", "ember", "flint", "grove", "haven"] {
        let tenant = world.tenant(slug).await;
        let (a, b) = tokio::join!(sealed(&world, &one, tenant), sealed(&world, &two, tenant));
        for stored in [&a, &b] {
            assert!(opens(&world, &one, tenant, stored).await, "{slug} on the first node");
            assert!(opens(&world, &two, tenant, stored).await, "{slug} on the second node");
            assert!(!opens(&world, &one, other, stored).await, "copied to another tenant");
        }
    }
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM tenant_keys").await, 9, "one for each tenant");
}

#[tokio::test]
async fn what_a_destroyed_key_has_sealed_opens_on_no_node_and_the_tenant_can_begin_again() {
    let world = World::new().await;
    let acme = world.tenant("acme").await;
    let ring = keyring(&world);
    let (one, two) = (node(&world, &ring).await, node(&world, &ring).await);
    let before = sealed(&world, &one, acme).await;
    assert!(opens(&world, &two, acme, &before).await);
    let mut tx = world.db.begin_system().await.unwrap();
    let refused = standing::destroy_keys(&mut tx, &world.cx, acme).await.unwrap_err();
    assert!(refused.detail().contains("suspend it first"), "{refused:?}");
    tx.rollback().await.unwrap();
    let mut tx = world.db.begin_system().await.unwrap();
    standing::set_tenant_active(&mut tx, &world.cx, acme, false).await.unwrap();
    assert_eq!(standing::destroy_keys(&mut tx, &world.cx, acme).await.unwrap(), 1);
    tx.commit().await.unwrap();
    let kept = "SELECT COUNT(*) AS count FROM tenant_keys WHERE wrapped_key IS NOT NULL";
    assert_eq!(count(&world, kept).await, 0);
    let entries =
        "SELECT COUNT(*) AS count FROM audit_log WHERE action = 'tenant_key.destroyed' AND target = '1'";
    assert_eq!(count(&world, entries).await, 1);
    let events = "SELECT COUNT(*) AS count FROM outbox WHERE type = 'security.tenant_key.destroyed'";
    assert_eq!(count(&world, events).await, 1);
    for node in [&one, &two] {
        node.sync(&world.db, world.cx.now, world.cx.now).await.unwrap();
        assert!(!opens(&world, node, acme, &before).await);
    }
    let after = sealed(&world, &one, acme).await;
    assert_eq!(key_id(&after.clone().into_column()), Some(2), "the id of a destroyed key is not used again");
    assert!(opens(&world, &two, acme, &after).await && !opens(&world, &two, acme, &before).await);
}

#[tokio::test]
async fn the_keys_of_a_tenant_are_not_destroyed_that_is_made_active_at_that_moment() {
    let world = World::new().await;
    let acme = world.tenant("acme").await;
    let node = node(&world, &keyring(&world)).await;
    let stored = sealed(&world, &node, acme).await;
    let mut tx = world.db.begin_system().await.unwrap();
    standing::set_tenant_active(&mut tx, &world.cx, acme, false).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = world.db.begin_system().await.unwrap();
    records::hold(&mut tx, acme.reference());
    standing::set_tenant_active(&mut tx, &world.cx, acme, true).await.unwrap();
    let destruction = async {
        let mut tx = world.db.begin_system().await?;
        standing::destroy_keys(&mut tx, &world.cx, acme).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, destruction).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
    assert!(opens(&world, &node, acme, &stored).await);
}

#[tokio::test]
async fn keys_are_wrapped_again_after_the_root_was_rotated_and_open_what_they_sealed() {
    let world = World::new().await;
    let acme = world.tenant("acme").await;
    let ring = keyring(&world);
    let one = node(&world, &ring).await;
    let before = sealed(&world, &one, acme).await;
    assert_eq!(one.sealers.rewrap(&world.db, &world.cx).await.unwrap(), 0);
    let now = world.cx.now;
    ring.replace(ring.versions().rotated(&SeededEntropy::new(2), now, now).unwrap());
    assert_eq!(one.sealers.rewrap(&world.db, &world.cx).await.unwrap(), 1);
    assert_eq!(one.sealers.rewrap(&world.db, &world.cx).await.unwrap(), 0);
    let keys = one.keys.rewrap(&world.db, &world.cx).await.unwrap();
    let events = "SELECT COUNT(*) AS count FROM outbox WHERE type = 'security.signing_key.rewrapped'";
    assert!(keys > 0);
    assert_eq!(count(&world, events).await, i64::try_from(keys).unwrap());
    ring.replace(ring.versions().without(1, now + Seconds(1)).unwrap());
    let later = node(&world, &ring).await;
    assert!(opens(&world, &later, acme, &before).await, "the old version of the root is not needed");
}
