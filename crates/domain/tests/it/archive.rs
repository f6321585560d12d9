//! Nothing of a tenant is missing in its archive: every table and every column of the schema is in it, or stays for a reason.

use std::collections::{BTreeMap, BTreeSet};

use svc_db::{Engine, SystemSql, args};
use svc_domain::archive::{
    ACCOUNT, ACCOUNTS, CARRIED, CREDENTIAL, CREDENTIALS, Column, LEFT, LEFT_OF_ACCOUNTS, LEFT_OF_CREDENTIALS,
    LEFT_OF_TENANTS, Of, RECORDS, TENANT, TENANTS, Type, needs_secrets,
};

use crate::world::World;

/// Tables and their columns, those aside that the engine computes: the kind, and whether there is always a value.
type Schema = BTreeMap<String, BTreeMap<String, (String, bool)>>;

async fn schema(world: &World) -> Schema {
    let text = match world.db.engine() {
        Engine::Sqlite => {
            "SELECT m.name AS name, c.name AS col, c.type AS kind, c.\"notnull\" + c.pk AS required \
             FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
        }
        Engine::Postgres => {
            "SELECT c.relname::text AS name, a.attname::text AS col, upper(format_type(a.atttypid, NULL)) AS kind, \
             CAST(a.attnotnull AS int)::bigint AS required \
             FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
             AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''"
        }
    };
    let mut tx = world.db.read_system().await.unwrap();
    let mut schema = Schema::new();
    for row in tx.all(SystemSql::new(text), args![]).await.unwrap() {
        let column = (row.text("kind").unwrap(), row.int("required").unwrap() > 0);
        schema.entry(row.text("name").unwrap()).or_default().insert(row.text("col").unwrap(), column);
    }
    schema
}

fn names<'a>(columns: impl Iterator<Item = &'a Column>) -> BTreeSet<String> {
    columns.map(|column| column.name.to_owned()).collect()
}

#[tokio::test]
async fn every_table_of_tenants_is_in_an_archive_or_stays_for_a_reason() {
    let world = World::new().await;
    let of_tenants =
        schema(&world).await.into_iter().filter(|(_, columns)| columns.contains_key("tenant_id"));
    let found: Vec<_> = of_tenants.map(|(table, _)| table).collect();
    let carried = CARRIED.iter().chain(RECORDS).map(|table| table.name);
    let mut listed: Vec<_> = carried.chain(LEFT.iter().map(|(table, _)| *table)).collect();
    listed.sort_unstable();
    assert_eq!(listed, found, "each table once");
    assert!(LEFT.iter().all(|(_, why)| !why.is_empty()));
}

#[tokio::test]
async fn every_column_is_declared_as_the_schema_has_it() {
    let world = World::new().await;
    let schema = schema(&world).await;
    let declared = CARRIED.iter().chain(RECORDS).map(|table| (table.name, table.columns, &[][..]));
    let others = [
        (TENANTS, TENANT, LEFT_OF_TENANTS),
        (ACCOUNTS, ACCOUNT, LEFT_OF_ACCOUNTS),
        (CREDENTIALS, CREDENTIAL, LEFT_OF_CREDENTIALS),
    ];
    for (table, columns, left) in declared.chain(others) {
        let stored = &schema[table];
        let mut listed = names(columns.iter());
        listed.extend(left.iter().map(|(column, _)| (*column).to_owned()));
        let is_tenants = stored.contains_key("tenant_id");
        listed.extend(is_tenants.then(|| "tenant_id".to_owned()));
        assert_eq!(listed, stored.keys().cloned().collect(), "{table}");
        for column in columns {
            let (kind, is_required) = &stored[column.name];
            let expected = match column.of.kind() {
                Type::Text => "TEXT",
                Type::Int => "BIGINT",
                Type::Flag => "BOOLEAN",
                Type::Bytes => "BYTEA",
            };
            assert_eq!(
                (kind.as_str(), *is_required),
                (expected, column.of.is_required()),
                "{table}.{}",
                column.name
            );
        }
    }
}

/// A column of sealed values is one whose name says so; another name is looked at by the test of secrets in `schema`.
#[test]
fn what_is_sealed_here_is_sealed_in_an_archive() {
    for table in CARRIED {
        for column in table.columns {
            let is_sealed = matches!(column.of, Of::Sealed(_) | Of::MaybeSealed(_));
            assert_eq!(is_sealed, column.name.starts_with("sealed_"), "{}.{}", table.name, column.name);
            let is_needed = matches!(column.of, Of::Sealed(_));
            assert!(!is_needed || needs_secrets(table.name), "{}: its rows need a secret", table.name);
        }
    }
}

/// What hangs on a table without its secrets stays away with it.
#[tokio::test]
async fn tables_that_hang_on_others_come_after_them() {
    let world = World::new().await;
    if world.db.engine() == Engine::Postgres {
        return;
    }
    let mut tx = world.db.read_system().await.unwrap();
    let text = "SELECT m.name AS name, f.\"table\" AS parent FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f \
                WHERE m.type = 'table'";
    let place = |name: &str| CARRIED.iter().position(|table| table.name == name);
    for row in tx.all(SystemSql::new(text), args![]).await.unwrap() {
        let (name, parent) = (row.text("name").unwrap(), row.text("parent").unwrap());
        let (Some(child), Some(root)) = (place(&name), place(&parent)) else { continue };
        assert!(root <= child, "{name} comes before {parent}");
        assert!(!needs_secrets(&parent) || needs_secrets(&name), "{name} without {parent}");
    }
}
