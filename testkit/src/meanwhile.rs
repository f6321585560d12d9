//! What one node does while a transaction of another is open.

use std::cell::Cell;

use svc_core::Result;
use svc_db::{Db, Engine, SystemSql, Tx, args};

/// Begins `other`, commits `open` once that waits for it or is over, and returns what became of `other`. What it has read by then is
/// what was there before the commit; on SQLite, where a transaction that writes is alone, it waits for its turn and reads nothing
/// before.
pub async fn meanwhile<S, T>(db: &Db, open: Tx<S>, other: impl Future<Output = T>) -> T {
    meanwhile_then(db, open, Box::pin(other), async |_: &mut Tx<S>| ()).await
}

/// The same where the open transaction does something more before it is committed.
pub async fn meanwhile_then<S, T>(
    db: &Db,
    mut open: Tx<S>,
    other: impl Future<Output = T>,
    then: impl AsyncFnOnce(&mut Tx<S>),
) -> T {
    let (is_over, other) = (Cell::new(false), Box::pin(other));
    let other = async {
        let outcome = other.await;
        is_over.set(true);
        outcome
    };
    let committing = async {
        while db.engine() == Engine::Postgres && !is_over.get() {
            if is_waiting(db).await.unwrap() {
                break;
            }
        }
        Box::pin(then(&mut open)).await;
        open.commit().await.unwrap();
    };
    let (outcome, ()) = tokio::join!(other, committing);
    outcome
}

/// Whether a transaction of this database waits for another one.
async fn is_waiting(db: &Db) -> Result<bool> {
    let waiting = SystemSql::new(
        "SELECT COUNT(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    Ok(db.read_system().await?.one(waiting, args![]).await?.int("count")? > 0)
}
