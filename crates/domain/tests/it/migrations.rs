//! Migrating twice, or from two places at once, is migrating once.

use svc_db::SchemaState;
use svc_domain::MIGRATIONS;

use crate::world::World;

#[tokio::test]
async fn a_second_migration_finds_nothing_to_do() {
    let world = World::new().await;
    assert_eq!(world.db.migrate(MIGRATIONS).await.unwrap(), 0);
    assert_eq!(world.db.schema_state(MIGRATIONS).await.unwrap(), SchemaState::Current);
}

#[tokio::test]
async fn an_older_binary_sees_that_the_database_is_ahead_and_does_not_migrate() {
    let world = World::new().await;
    let (newest, older) = MIGRATIONS.split_last().unwrap();
    let state = world.db.schema_state(older).await.unwrap();
    assert_eq!(state, SchemaState::Ahead { version: newest.version });
    assert!(world.db.migrate(older).await.is_err());
}

#[test]
fn versions_rise() {
    assert!(MIGRATIONS.windows(2).all(|pair| pair[0].version < pair[1].version));
}
