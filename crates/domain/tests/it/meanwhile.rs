//! What one node does while a transaction of another is open.

use svc_core::Result;
use svc_db::{Engine, SystemSql, Tx, args};

use crate::world::World;

/// Begins `other`, commits `open` once that waits for it, and returns what became of `other`. What it has read by then is what was
/// there before the commit; on SQLite, where a transaction that writes is alone, it waits for its turn and reads nothing before.
pub async fn meanwhile<S, T, F>(world: &World, open: Tx<S>, other: F) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
{
    let other = tokio::spawn(other);
    if world.db.engine() == Engine::Postgres {
        let waiting = "SELECT COUNT(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let mut look = world.db.read_system().await.unwrap();
        while !other.is_finished() {
            if look.one(SystemSql::new(waiting), args![]).await.unwrap().int("count").unwrap() > 0 {
                break;
            }
        }
    }
    open.commit().await.unwrap();
    other.await.unwrap()
}
