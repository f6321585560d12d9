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

/// Takes up to as many of the notes, the first ones first.
fn take(tx: &Tx<System>, most: i64) -> Call {
    let delete = quiet_system_sql!(
        "a test",
        "DELETE FROM notes WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM notes WHERE kind = 'memo' \
         ORDER BY tenant_id, id LIMIT $1) RETURNING id"
    );
    tx.call(delete, args![most])
}

#[tokio::test]
async fn a_statement_that_takes_some_of_what_there_is_looks_at_each_twice_at_most() {
    let place = Place::new(PoolSettings { max_connections: 1, ..PoolSettings::default() }).await;
    if place.is_sqlite() {
        return;
    }
    place.db.migrate(&[TABLE, NOTES]).await.unwrap();
    let mut tx = place.db.begin_system().await.unwrap();
    for _ in 0..40 {
        let [none] = tx.batch([take(&tx, 100)]).await.unwrap();
        assert!(none.is_empty());
    }
    for id in 0..600 {
        let [_] = tx.batch([add(&tx, id)]).await.unwrap();
    }
    let before = looked_at(&mut tx).await;
    let [taken] = tx.batch([take(&tx, 100)]).await.unwrap();
    let looked = looked_at(&mut tx).await - before;
    assert_eq!(taken.len(), 100);
    assert!(looked <= 2 * 600, "{looked}");
}
