//! What a transaction costs, and that a dropped one leaves nothing behind.

use futures_util::FutureExt as _;
use svc_core::Class;
use svc_db::{Counts, PoolSettings, Tenant, TenantSql, Tx, args, quiet_sql, sql, system_sql};

use crate::place::{Place, numbered, tenant};

const INSERT: TenantSql = quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)");
const INSERT_RETURNING: TenantSql =
    quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2) RETURNING id");
const TAKE: TenantSql = quiet_sql!("a test", "UPDATE things SET id = id WHERE tenant_id = $1 AND id = $2");
const ONE: TenantSql = sql!("SELECT id FROM things WHERE tenant_id = $1 AND id = $2");
const COUNT: TenantSql = sql!("SELECT COUNT(*) AS things FROM things WHERE tenant_id = $1");

fn one_connection() -> PoolSettings {
    PoolSettings { max_connections: 1, ..PoolSettings::default() }
}

/// What was asked of the engine since `before`.
fn since(place: &Place, before: Counts) -> Counts {
    let now = place.db.counts();
    Counts {
        statements: now.statements - before.statements,
        flights: now.flights - before.flights,
        commits: now.commits - before.commits,
    }
}

#[tokio::test]
async fn a_read_is_one_flight_and_so_is_a_batch_of_reads() {
    let place = Place::new(one_connection()).await;
    place.add("a").await.unwrap();
    let mut tx = place.db.read(tenant()).await.unwrap();

    let before = place.db.counts();
    assert_eq!(tx.one(ONE, args!["a"]).await.unwrap().text("id").unwrap(), "a");
    assert_eq!(since(&place, before), Counts { statements: 1, flights: 1, commits: 0 });

    let before = place.db.counts();
    let [found, missing] = tx.batch([tx.call(ONE, args!["a"]), tx.call(ONE, args!["b"])]).await.unwrap();
    assert_eq!((found.len(), missing.len()), (1, 0));
    assert_eq!(since(&place, before), Counts { statements: 2, flights: 1, commits: 0 });
}

#[tokio::test]
async fn what_is_kept_travels_with_the_next_statement_or_with_the_commit() {
    let place = Place::new(one_connection()).await;

    let before = place.db.counts();
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.later(INSERT, args!["a"]);
    assert_eq!(
        tx.one(COUNT, args![]).await.unwrap().int("things").unwrap(),
        1,
        "statements keep their order"
    );
    tx.later(INSERT, args!["b"]);
    tx.later(INSERT, args!["c"]);
    tx.commit().await.unwrap();
    assert_eq!(since(&place, before), Counts { statements: 4, flights: 2, commits: 1 });
    assert_eq!(place.ids().await, ["a", "b", "c"]);

    let before = place.db.counts();
    let tx = place.db.begin(tenant()).await.unwrap();
    assert_eq!(tx.commit_after(INSERT, args!["d"]).await.unwrap(), 1);
    assert_eq!(since(&place, before), Counts { statements: 1, flights: 1, commits: 1 });
}

#[tokio::test]
async fn the_record_travels_with_the_commit_after_everything_else_and_fails_with_it() {
    let place = Place::new(one_connection()).await;

    let before = place.db.counts();
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.at_commit(INSERT, args!["record"]);
    assert_eq!(tx.one(COUNT, args![]).await.unwrap().int("things").unwrap(), 0, "not before the commit");
    assert_eq!(tx.commit_after(INSERT, args!["last"]).await.unwrap(), 1);
    assert_eq!(since(&place, before), Counts { statements: 3, flights: 2, commits: 1 });
    assert_eq!(place.ids().await, ["last", "record"]);

    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.at_commit(INSERT, args!["record"]);
    tx.execute(INSERT, args!["row"]).await.unwrap();
    assert_eq!(tx.commit().await.unwrap_err().class(), Class::Conflict);
    assert_eq!(place.ids().await, ["last", "record"], "a row without its record is not written");

    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.at_commit(INSERT, args!["given up"]);
    tx.rollback().await.unwrap();
    assert_eq!(place.ids().await, ["last", "record"]);
}

#[tokio::test]
async fn a_kept_write_that_fails_fails_the_commit_and_nothing_is_written() {
    let place = Place::new(one_connection()).await;
    place.add("a").await.unwrap();
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.later(INSERT, args!["b"]);
    tx.later(INSERT, args!["a"]);
    tx.later(INSERT, args!["c"]);
    assert_eq!(tx.commit().await.unwrap_err().class(), Class::Conflict);
    assert_eq!(place.ids().await, ["a"]);
}

#[tokio::test]
async fn after_a_failed_statement_nothing_can_be_committed() {
    let place = Place::new(one_connection()).await;
    place.add("a").await.unwrap();
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.execute(INSERT, args!["b"]).await.unwrap();
    assert_eq!(tx.execute(INSERT, args!["a"]).await.unwrap_err().class(), Class::Conflict);
    assert!(tx.execute(INSERT, args!["c"]).await.is_err());
    assert!(tx.commit().await.is_err());
    assert_eq!(place.ids().await, ["a"]);
}

#[tokio::test]
async fn a_transaction_dropped_at_any_moment_leaves_nothing_and_frees_its_connection() {
    let place = Place::new(one_connection()).await;
    // Between two statements.
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.execute(INSERT, args!["a"]).await.unwrap();
    drop(tx);
    // While a statement is under way: sent, its answer not read.
    for _ in 0..3 {
        let mut tx = place.db.begin(tenant()).await.unwrap();
        let _ = tx.execute(INSERT, args!["a"]).now_or_never();
        drop(tx);
    }
    place.add("a").await.unwrap();
    assert_eq!(place.ids().await, ["a"]);
}

#[tokio::test]
async fn a_reader_sees_its_tenant_alone_and_cannot_write() {
    let place = Place::new(one_connection()).await;
    place.add("a").await.unwrap();
    let mut tx = place.db.read(tenant()).await.unwrap();
    assert!(tx.execute(INSERT, args!["b"]).await.is_err());
    assert_eq!(place.ids().await, ["a"]);
    if !place.is_sqlite() {
        assert_eq!(place.db.count_as(numbered(2), "SELECT COUNT(*) FROM things").await.unwrap(), 0);
        assert_eq!(place.db.count_as(tenant(), "SELECT COUNT(*) FROM things").await.unwrap(), 1);
    }
}

#[tokio::test]
async fn a_closed_database_refuses_everything() {
    let place = Place::new(one_connection()).await;
    place.add("a").await.unwrap();
    place.db.close().await;
    assert_eq!(place.add("b").await.unwrap_err().class(), Class::TemporarilyUnavailable);
    let mut tx = place.db.read(tenant()).await.unwrap();
    let read = tx.all(sql!("SELECT id FROM things WHERE tenant_id = $1"), args![]).await;
    assert_eq!(
        read.map(|rows| rows.len()).map_err(|error| error.class()),
        Err(Class::TemporarilyUnavailable)
    );
    assert_eq!(place.db.ping().await.unwrap_err().class(), Class::TemporarilyUnavailable);
}

#[tokio::test]
async fn statements_run_whether_a_connection_keeps_none_of_them_one_or_all() {
    for statement_cache_capacity in [0, 1, 200] {
        let place = Place::new(PoolSettings { statement_cache_capacity, ..one_connection() }).await;
        for (id, things) in [("a", 1), ("b", 2)] {
            let mut tx = place.db.begin(tenant()).await.unwrap();
            assert_eq!(tx.one(INSERT_RETURNING, args![id]).await.unwrap().text("id").unwrap(), id);
            let calls = [tx.call(ONE, args![id]), tx.call(COUNT, args![]), tx.call(ONE, args!["c"])];
            let [found, counted, missing] = tx.batch(calls).await.unwrap();
            assert_eq!(found[0].text("id").unwrap(), id);
            assert_eq!(counted[0].int("things").unwrap(), things);
            assert!(missing.is_empty());
            tx.commit().await.unwrap();
        }
        assert_eq!(place.ids().await, ["a", "b"]);
    }
}

#[tokio::test]
async fn a_statement_that_was_refused_or_abandoned_at_its_first_use_can_be_used_again() {
    let place = Place::new(one_connection()).await;
    place.add("a").await.unwrap();
    let mut tx = place.db.begin(tenant()).await.unwrap();
    assert_eq!(tx.one(INSERT_RETURNING, args!["a"]).await.map(drop).unwrap_err().class(), Class::Conflict);
    drop(tx);
    let mut tx = place.db.begin(tenant()).await.unwrap();
    let _ = tx.one(ONE, args!["a"]).now_or_never();
    drop(tx);
    let mut tx = place.db.begin(tenant()).await.unwrap();
    assert_eq!(tx.one(INSERT_RETURNING, args!["b"]).await.unwrap().text("id").unwrap(), "b");
    assert_eq!(tx.one(ONE, args!["a"]).await.unwrap().text("id").unwrap(), "a");
    tx.commit().await.unwrap();
    assert_eq!(place.ids().await, ["a", "b"]);
}

#[tokio::test]
async fn a_flight_of_many_statements_is_answered_in_order() {
    let place = Place::new(one_connection()).await;
    let long = "x".repeat(2_000);
    let mut tx = place.db.begin(tenant()).await.unwrap();
    for number in 0..2_000 {
        tx.later(INSERT, args![format!("{number:04}{long}")]);
    }
    tx.commit().await.unwrap();
    let ids = place.ids().await;
    assert_eq!(ids.len(), 2_000);
    assert!(ids.iter().enumerate().all(|(number, id)| *id == format!("{number:04}{long}")));
}

#[tokio::test]
async fn postgresql_plans_no_statement_as_if_its_tables_stayed_small() {
    let place = Place::new(one_connection()).await;
    if place.is_sqlite() {
        return;
    }
    let settings = system_sql!(
        "SELECT current_setting('enable_seqscan') AS scans, current_setting('enable_hashjoin') AS hashes, \
         current_setting('enable_mergejoin') AS merges, current_setting('jit') AS jit"
    );
    let mut tx = place.db.read_system().await.unwrap();
    let row = tx.one(settings, args![]).await.unwrap();
    for name in ["scans", "hashes", "merges", "jit"] {
        assert_eq!(row.text(name).unwrap(), "off", "{name}");
    }
}

#[tokio::test]
async fn postgresql_plans_a_statement_once_unless_its_arguments_choose_the_plan() {
    let place = Place::new(one_connection()).await;
    if place.is_sqlite() {
        return;
    }
    let plain = system_sql!("SELECT current_setting('plan_cache_mode') AS plans");
    let taking =
        system_sql!("SELECT current_setting('plan_cache_mode') AS plans WHERE 1 IN (SELECT 1 LIMIT $1)");
    let narrowed = system_sql!(
        "SELECT current_setting('plan_cache_mode') AS plans WHERE (CAST($1 AS TEXT) IS NULL OR 'a' = $1)"
    );
    let mut tx = place.db.read_system().await.unwrap();
    for _ in 0..2 {
        let row = tx.one(plain, args![]).await.unwrap();
        assert_eq!(row.text("plans").unwrap(), "force_generic_plan");
        let row = tx.one(taking, args![1_i64]).await.unwrap();
        assert_eq!(row.text("plans").unwrap(), "auto");
        let row = tx.one(narrowed, args!["a"]).await.unwrap();
        assert_eq!(row.text("plans").unwrap(), "auto");
    }
}

#[tokio::test]
async fn statements_of_one_flight_have_their_own_answers_where_one_is_planned_for_its_arguments() {
    let place = Place::new(one_connection()).await;
    let first = system_sql!("SELECT 'first' AS name");
    let taking = system_sql!("SELECT 'second' AS name WHERE 1 IN (SELECT 1 LIMIT $1)");
    let mut tx = place.db.read_system().await.unwrap();
    let calls = [tx.call(first, args![]), tx.call(taking, args![1_i64]), tx.call(first, args![])];
    let names = tx.batch(calls).await.unwrap().map(|rows| rows[0].text("name").unwrap());
    assert_eq!(names, ["first", "second", "first"]);
}

#[tokio::test]
async fn of_two_transactions_that_wait_for_each_other_one_is_asked_to_try_again() {
    let place = Place::new(PoolSettings::default()).await;
    // There a transaction that writes is alone.
    if place.is_sqlite() {
        return;
    }
    for id in ["a", "b"] {
        place.add(id).await.unwrap();
    }
    let mut one = place.db.begin(tenant()).await.unwrap();
    let mut other = place.db.begin(tenant()).await.unwrap();
    one.execute(TAKE, args!["a"]).await.unwrap();
    other.execute(TAKE, args!["b"]).await.unwrap();
    let take = async |mut tx: Tx<Tenant>, id: &str| {
        tx.execute(TAKE, args![id]).await?;
        tx.commit().await
    };
    let (one, other) = tokio::join!(take(one, "b"), take(other, "a"));
    let refused: Vec<_> = [one, other].into_iter().filter_map(Result::err).collect();
    let said: Vec<_> = refused.iter().map(|error| (error.class(), error.wait())).collect();
    assert_eq!(said, [(Class::TemporarilyUnavailable, Some(1))], "{refused:?}");
}
