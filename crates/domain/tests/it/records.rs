//! A change without its records is no change: where the audit log or the outbox takes nothing, nothing is done.

use svc_core::{Result, TenantId};
use svc_db::{SystemSql, args};
use svc_domain::people::groups;

use crate::world::World;

async fn rename(world: &World, statement: &'static str) {
    let mut tx = world.db.begin_system().await.unwrap();
    tx.execute(SystemSql::new(statement), args![]).await.unwrap();
    tx.commit().await.unwrap();
}

async fn create(world: &World, tenant: TenantId, name: &str) -> Result<()> {
    let new = groups::Configuration { name: name.to_owned(), description: String::new(), roles: Vec::new() };
    let mut tx = world.db.begin(tenant).await?;
    groups::create(&mut tx, &world.cx, &new).await?;
    tx.commit().await
}

async fn count(world: &World) -> i64 {
    let select = SystemSql::new("SELECT COUNT(*) AS count FROM user_groups");
    let mut tx = world.db.read_system().await.unwrap();
    tx.one(select, args![]).await.unwrap().int("count").unwrap()
}

#[tokio::test]
async fn nothing_is_changed_that_cannot_be_recorded() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    create(&world, tenant, "Readers").await.unwrap();
    for (number, (away, back)) in (1..).zip([
        ("ALTER TABLE audit_log RENAME TO away", "ALTER TABLE away RENAME TO audit_log"),
        ("ALTER TABLE outbox RENAME TO away", "ALTER TABLE away RENAME TO outbox"),
    ]) {
        let name = format!("Editors {number}");
        rename(&world, away).await;
        let failed = create(&world, tenant, &name).await;
        assert!(failed.is_err(), "{away}");
        assert_eq!(count(&world).await, number, "{away}");
        rename(&world, back).await;
        create(&world, tenant, &name).await.unwrap();
        assert_eq!(count(&world).await, number + 1);
    }
}
