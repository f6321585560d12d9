//! Every table with a tenant's rows is fenced off by the engine, and is swept or kept for a stated reason.

use std::collections::BTreeSet;

use svc_db::{Engine, SystemSql, args};
use svc_domain::sweep;

use crate::world::World;

/// Tables whose rows no sweep removes, and why.
const KEPT: &[(&str, &str)] = &[
    ("apis", "until an administrator removes it"),
    ("app_origins", "goes with its application"),
    ("apps", "until an administrator removes it; those that registered themselves are swept when unused"),
    ("audit_log", "the record of what happened has no end"),
    ("consents", "until the person takes it back, or the application goes"),
    ("pairwise_subjects", "a subject names the same person for ever"),
    ("registrations", "goes with its application"),
    ("session_clients", "goes with its session"),
    ("signal_streams", "until its receiver removes it"),
    ("tenant_users", "a removed membership keeps its subject from being given again"),
    ("trusted_issuers", "until an administrator removes it"),
    ("trusted_subjects", "goes with its issuer or its person"),
];

async fn names(world: &World, text: &'static str) -> BTreeSet<String> {
    let mut tx = world.db.read_system().await.unwrap();
    let rows = tx.all(SystemSql::new(text), args![]).await.unwrap();
    rows.iter().map(|row| row.text("name").unwrap()).collect()
}

async fn tables_of_tenants(world: &World) -> BTreeSet<String> {
    let text = match world.db.engine() {
        Engine::Sqlite => {
            "SELECT DISTINCT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND c.name = 'tenant_id'"
        }
        Engine::Postgres => {
            "SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant_id'"
        }
    };
    names(world, text).await
}

#[tokio::test]
async fn every_table_of_tenants_is_swept_or_kept_for_a_reason() {
    let world = World::new().await;
    let found = tables_of_tenants(&world).await;
    assert!(found.len() > 20, "{found:?}");
    let swept: BTreeSet<_> = sweep::tables().map(str::to_owned).collect();
    let kept: BTreeSet<_> = KEPT.iter().map(|(table, _)| (*table).to_owned()).collect();
    assert_eq!(swept.intersection(&kept).collect::<Vec<_>>(), Vec::<&String>::new());
    let missing: Vec<_> =
        found.iter().filter(|table| !swept.contains(*table) && !kept.contains(*table)).collect();
    assert!(missing.is_empty(), "neither swept nor kept for a reason: {missing:?}");
    let gone: Vec<_> = kept.difference(&found).collect();
    assert!(gone.is_empty(), "no such table: {gone:?}");
}

#[tokio::test]
async fn every_table_of_tenants_has_row_level_security_that_binds_its_owner_too() {
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let fenced = names(
        &world,
        "SELECT c.relname::text AS name FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid \
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relrowsecurity AND c.relforcerowsecurity \
         AND p.polcmd = '*' AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL",
    );
    assert_eq!(tables_of_tenants(&world).await, fenced.await);
}
