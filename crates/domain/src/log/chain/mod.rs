//! The audit log as a chain: each committed entry of a tenant gets the next position, and a hash over the one before it and itself.
//!
//! Entries are written without a place, because their order is known only after the commit. What was altered, removed, put in or put
//! elsewhere later does not follow from the entry before it. [Checkpoints](checkpoints) sign what the chain was.

pub mod checkpoints;
mod entry;
pub mod retention;
pub mod verify;

use std::collections::HashMap;

use svc_core::{OrInternal as _, Result};
use svc_db::{Row, System, Tx, Value, args, quiet_system_sql, system_sql};

use self::entry::Chained;
pub use self::entry::{BEGINNING, ChainHash};
use super::together::{self, TOGETHER};

/// Most entries that one transaction puts in their place.
pub const BATCH: u32 = 500;

/// Names no entry.
const NO_ENTRY: [Value; 4] = [Value::Text(None), Value::Text(None), Value::Int(None), Value::Bytes(None)];

/// Where a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The position of the latest entry; 0 where there is none.
    pub position: i64,
    /// Its hash.
    pub hash: ChainHash,
}

impl Head {
    /// Before the first entry.
    pub const BEGINNING: Self = Self { position: 0, hash: BEGINNING };
}

/// Puts entries that wait for their place at the ends of their tenants' chains; returns how many.
///
/// One worker at a time does it, as for the positions of events: an entry that commits late gets a later position, and none is passed
/// over.
pub async fn sequence(tx: &mut Tx<System>) -> Result<u64> {
    let waiting = system_sql!(
        "SELECT a.tenant_id, a.id, a.at, a.actor_kind, a.actor_id, a.action, a.target, a.outcome, a.request_id, \
         a.client_ip, a.detail, c.last, c.last_hash FROM audit_log a LEFT JOIN audit_chains c ON c.tenant_id = a.tenant_id \
         WHERE a.position IS NULL ORDER BY a.id LIMIT $1"
    );
    tx.hold("the order of the audit log");
    let rows = tx.all(waiting, args![BATCH]).await?;
    let mut heads: HashMap<String, Head> = HashMap::new();
    let mut placed: Vec<[Value; 4]> = Vec::with_capacity(rows.len());
    for row in &rows {
        let entry = Chained::read(row)?;
        let head = heads.get(&entry.tenant).copied().map_or_else(|| head(row), Ok)?;
        let next = head.followed_by(&entry);
        placed.push([
            entry.tenant.as_str().into(),
            entry.id.into(),
            next.position.into(),
            next.hash.to_vec().into(),
        ]);
        heads.insert(entry.tenant, next);
    }
    for some in placed.chunks(TOGETHER) {
        place(tx, some);
    }
    for (tenant, head) in heads {
        keep(tx, &tenant, head);
    }
    u64::try_from(rows.len()).or_internal()
}

/// Where the chain ended before this batch.
fn head(row: &Row) -> Result<Head> {
    let Some(position) = row.maybe_int("last")? else { return Ok(Head::BEGINNING) };
    Ok(Head { position, hash: entry::hash(row, "last_hash")? })
}

/// Puts entries in their place, in one statement: PostgreSQL would plan that of one entry each time, in more time than it takes.
fn place(tx: &mut Tx<System>, some: &[[Value; 4]]) {
    // The first row says of which types all are. Of `position IS NULL` PostgreSQL would think that few entries wait, and read all that
    // do for each row.
    let update = quiet_system_sql!(
        "puts in order what was recorded",
        "UPDATE audit_log SET position = placed.column3, hash = placed.column4 FROM (VALUES \
         ($1, $2, CAST($3 AS BIGINT), COALESCE($4, (SELECT last_hash FROM audit_chains WHERE tenant_id = ''))), \
         ($5, $6, $7, $8), ($9, $10, $11, $12), ($13, $14, $15, $16), ($17, $18, $19, $20), ($21, $22, $23, $24), \
         ($25, $26, $27, $28), ($29, $30, $31, $32), ($33, $34, $35, $36), ($37, $38, $39, $40), ($41, $42, $43, $44), \
         ($45, $46, $47, $48), ($49, $50, $51, $52), ($53, $54, $55, $56), ($57, $58, $59, $60), ($61, $62, $63, $64)) AS placed \
         WHERE audit_log.tenant_id = placed.column1 AND audit_log.id = placed.column2 AND audit_log.position + 0 IS NULL"
    );
    tx.later(update, &together::arguments(some, &NO_ENTRY));
}

fn keep(tx: &mut Tx<System>, tenant: &str, head: Head) {
    let upsert = quiet_system_sql!(
        "puts in order what was recorded",
        "INSERT INTO audit_chains (tenant_id, last, last_hash, removed, removed_hash, signed, signed_at) \
         VALUES ($1, $2, $3, 0, $4, 0, 0) \
         ON CONFLICT (tenant_id) DO UPDATE SET last = excluded.last, last_hash = excluded.last_hash"
    );
    tx.later(upsert, args![tenant, head.position, head.hash.to_vec(), BEGINNING.to_vec()]);
}
