//! Retention: entries that are older than the configuration keeps them go from the beginning of the chain on, after a checkpoint that
//! says so was signed. PostgreSQL drops months as a whole.

use svc_core::{OrInternal as _, Result, Seconds, Timestamp};
use svc_db::{Db, Engine, System, Tx, args, quiet_system_sql, system_sql};

use super::checkpoints::Due;
use super::entry;

/// Most rows that one run removes.
pub const BATCH: u32 = 500;
/// Most chains that one run cuts.
const CHAINS: u32 = 100;
/// How much later than its id says an entry may have got its position: longer than any request runs.
const LATE: Seconds = Seconds(3_600);

/// Where a chain may be cut: after this entry.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The chain, which says already that its entries up to there are removed.
    pub due: Due,
    hash: Vec<u8>,
}

/// Entries of this time and later are kept. PostgreSQL keeps a month until its last entry may go.
pub fn horizon(engine: Engine, now: Timestamp, kept: Seconds) -> Result<Timestamp> {
    let exact = now - kept;
    if engine == Engine::Sqlite {
        return Ok(exact);
    }
    let time = jiff::Timestamp::from_microsecond((exact - LATE).as_micros()).or_internal()?;
    let month = time.to_zoned(jiff::tz::TimeZone::UTC).date().first_of_month();
    let month = month.to_zoned(jiff::tz::TimeZone::UTC).or_internal()?.timestamp();
    Ok(Timestamp::from_micros(month.as_microsecond()) + LATE)
}

/// How much longer than the retention an entry is kept for a stream that has not got it.
const FOR_STREAMS: Seconds = Seconds(90 * 86_400);

/// Chains whose first entry is older than the horizon, and where to cut each: before the first entry that is not, or that an active
/// stream has not got, unless it has waited for that a quarter of a year.
pub async fn cuts(tx: &mut Tx<System>, horizon: Timestamp) -> Result<Vec<Cut>> {
    let select = system_sql!(
        "SELECT c.tenant_id, c.last, c.last_hash, c.removed FROM audit_chains c JOIN audit_log a \
         ON a.tenant_id = c.tenant_id AND a.position = c.removed + 1 WHERE a.at < $1 AND (a.at < $3 OR NOT EXISTS \
         (SELECT 1 FROM audit_streams s WHERE s.tenant_id = c.tenant_id AND s.active AND s.position <= c.removed)) \
         ORDER BY c.tenant_id LIMIT $2"
    );
    let mut cuts = Vec::new();
    for row in tx.all(select, args![horizon, CHAINS, horizon - FOR_STREAMS]).await? {
        let head = super::Head { position: row.int("last")?, hash: entry::hash(&row, "last_hash")? };
        let due = Due { tenant: row.parse("tenant_id")?, head, removed: row.int("removed")? };
        cuts.push(cut(tx, due, horizon).await?);
    }
    Ok(cuts)
}

async fn cut(tx: &mut Tx<System>, due: Due, horizon: Timestamp) -> Result<Cut> {
    let mut removed = before(tx, &due, horizon).await?;
    let behind =
        system_sql!("SELECT MIN(position) AS position FROM audit_streams WHERE tenant_id = $1 AND active");
    if let Some(sent) = tx.one(behind, args![due.tenant]).await?.maybe_int("position")?
        && sent < removed
    {
        removed = before(tx, &due, horizon - FOR_STREAMS).await?.max(sent);
    }
    let select = system_sql!("SELECT hash FROM audit_log WHERE tenant_id = $1 AND position = $2");
    let hash = tx.one(select, args![due.tenant, removed]).await?.bytes("hash")?;
    Ok(Cut { due: Due { removed, ..due }, hash })
}

/// The position before the first entry of this time or later.
async fn before(tx: &mut Tx<System>, due: &Due, time: Timestamp) -> Result<i64> {
    let first_kept = system_sql!(
        "SELECT position FROM audit_log WHERE tenant_id = $1 AND position > $2 AND position <= $3 AND at >= $4 \
         ORDER BY position LIMIT 1"
    );
    let arguments = args![due.tenant, due.removed, due.head.position, time];
    let row = tx.optional(first_kept, arguments).await?;
    row.map_or(Ok(due.head.position), |row| row.int("position").map(|first| first - 1))
}

/// Lets the entries before a cut be removed; together with the checkpoint that says so.
pub async fn permit(tx: &mut Tx<System>, cut: &Cut) -> Result<()> {
    let update = quiet_system_sql!(
        "signs what was recorded",
        "UPDATE audit_chains SET removed = $2, removed_hash = $3 WHERE tenant_id = $1 AND removed < $2"
    );
    tx.execute(update, args![cut.due.tenant, cut.due.removed, cut.hash.clone()]).await.map(|_| ())
}

/// Removes what may be removed: months, and up to [`BATCH`] rows where there are no months or where they came late. Checkpoints go
/// with the entries that they covered.
pub async fn remove(db: &Db, horizon: Timestamp) -> Result<u64> {
    let months = db.drop_audit_months(horizon - LATE).await?;
    let entries = quiet_system_sql!(
        "expired",
        "DELETE FROM audit_log WHERE at < $1 AND (tenant_id, id) IN (SELECT a.tenant_id, a.id FROM audit_chains c \
         JOIN audit_log a ON a.tenant_id = c.tenant_id AND a.position <= c.removed WHERE a.at < $1 LIMIT $2)"
    );
    let checkpoints = quiet_system_sql!(
        "expired",
        "DELETE FROM audit_checkpoints WHERE (tenant_id, position) IN (SELECT k.tenant_id, k.position FROM audit_chains c \
         JOIN audit_checkpoints k ON k.tenant_id = c.tenant_id AND k.position < c.removed LIMIT $1)"
    );
    let mut tx = db.begin_system().await?;
    let removed = tx.execute(entries, args![horizon, BATCH]).await?;
    tx.execute(checkpoints, args![BATCH]).await?;
    tx.commit().await?;
    if months > 0 {
        tracing::info!(months, "dropped months of the audit log whose retention is over");
    }
    Ok(months + removed)
}
