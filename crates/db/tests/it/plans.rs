//! A plan of PostgreSQL is made for the tables as they were, and its statement outlives that.

use svc_db::{Call, Migration, PoolSettings, System, Tx, args, quiet_system_sql, system_sql};

use crate::place::{Place, TABLE};

/// While it is empty, both indexes seem to find one row: rows are long, and none has been counted.
const NOTES: Migration = Migration {
    version: 2,
    name: "notes",
    sql: "CREATE TABLE notes (tenant_id TEXT NOT NULL, id BIGINT NOT NULL, kind TEXT NOT NULL, body VARCHAR(900) NOT NULL, \
          PRIMARY KEY (tenant_id, id)); CREATE INDEX notes_by_kind ON notes (tenant_id, kind)",
    pg: "",
    sqlite: "",
};

fn add(tx: &Tx<System>, id: i64) -> Call {
    let insert = quiet_system_sql!(
        "a test",
        "INSERT INTO notes (tenant_id, id, kind, body) VALUES ($1, $2, 'memo', $3)"
    );
    tx.call(insert, args!["one", id, "x".repeat(400)])
}

fn find(tx: &Tx<System>, id: i64) -> Call {
    tx.call(system_sql!("SELECT body FROM notes WHERE tenant_id = $1 AND id = $2"), args!["one", id])
}

/// How many rows of notes the statements of this transaction have looked at.
async fn looked_at(tx: &mut Tx<System>) -> i64 {
    let counted = system_sql!(
        "SELECT idx_tup_fetch AS rows FROM pg_stat_xact_user_tables \
         WHERE relname = 'notes' AND schemaname = current_schema()"
    );
    tx.one(counted, args![]).await.unwrap().int("rows").unwrap()
}

#[tokio::test]
async fn a_statement_that_was_planned_for_an_empty_table_looks_at_one_row_when_there_are_many() {
    let place = Place::new(PoolSettings { max_connections: 1, ..PoolSettings::default() }).await;
    if place.is_sqlite() {
        return;
    }
    place.db.migrate(&[TABLE, NOTES]).await.unwrap();
    let mut tx = place.db.begin_system().await.unwrap();
    for id in 0..600 {
        let [_, found] = tx.batch([add(&tx, id), find(&tx, id)]).await.unwrap();
        assert_eq!(found.len(), 1);
    }
    let before = looked_at(&mut tx).await;
    let [found] = tx.batch([find(&tx, 300)]).await.unwrap();
    assert_eq!((found.len(), looked_at(&mut tx).await - before), (1, 1));
}
