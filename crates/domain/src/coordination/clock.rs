//! The highest time that has settled, kept for the next start.

use svc_core::{Result, Timestamp};
use svc_db::{Db, args, quiet_system_sql, system_sql};

/// What was kept last.
pub async fn settled(db: &Db) -> Result<Option<Timestamp>> {
    let select = system_sql!("SELECT settled_at FROM clock WHERE id = 1");
    let mut tx = db.read_system().await?;
    tx.optional(select, args![]).await?.map(|row| row.time("settled_at")).transpose()
}

/// Keeps it, unless another node has kept a later one.
pub async fn keep(db: &Db, settled: Timestamp) -> Result<()> {
    let upsert = quiet_system_sql!(
        "coordination of nodes is no tenant's business",
        "INSERT INTO clock (id, settled_at) VALUES (1, $1) \
         ON CONFLICT (id) DO UPDATE SET settled_at = excluded.settled_at WHERE clock.settled_at < excluded.settled_at"
    );
    db.begin_system().await?.commit_after(upsert, args![settled]).await.map(|_| ())
}
