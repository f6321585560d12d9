//! The order of events: a sequencer gives each committed event of a tenant the next position, without gaps.
//!
//! Ids are made before the commit, so they are not the order. An event stands in the outbox until it has its position: one that
//! commits late gets a later position, and a reader who asks for what follows a position passes none over.

use std::collections::BTreeMap;

use svc_core::{EventId, Result, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, quiet_system_sql, sql};

/// Most events that one transaction puts in order.
pub const BATCH: u32 = 500;

/// An event in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positioned {
    /// Its place among the events of the tenant; the first is 1.
    pub position: i64,
    /// Its id.
    pub id: EventId,
    /// Its dotted type.
    pub event_type: String,
    /// The whole document, as it was written with the change.
    pub envelope: String,
    /// When it happened.
    pub created_at: Timestamp,
}

/// Gives positions to events that wait for one; returns to how many.
///
/// One worker at a time does it, so that what a worker took earlier never gets a later position, and a position can be read
/// only when all before it can.
pub async fn sequence(tx: &mut Tx<System>) -> Result<u64> {
    let take = quiet_system_sql!(
        "puts in order what was recorded",
        "DELETE FROM outbox WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM outbox \
         WHERE type <> 'signal' AND type <> 'signal_everywhere' ORDER BY created_at LIMIT $1) \
         RETURNING tenant_id, id, type, payload, created_at, written_at"
    );
    tx.hold("the order of events");
    let mut tenants: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let rows = tx.all(take, args![BATCH]).await?;
    let taken = u64::try_from(rows.len()).unwrap_or_default();
    for row in rows {
        tenants.entry(row.text("tenant_id")?).or_default().push(row);
    }
    for (tenant, rows) in tenants {
        put(tx, &tenant, rows).await?;
    }
    Ok(taken)
}

/// Appends events of one tenant, in the order in which they were written.
async fn put(tx: &mut Tx<System>, tenant: &str, rows: Vec<Row>) -> Result<()> {
    let count = quiet_system_sql!(
        "puts in order what was recorded",
        "INSERT INTO event_positions (tenant_id, last) VALUES ($1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET last = event_positions.last + excluded.last RETURNING last"
    );
    let mut events = Vec::new();
    for row in rows {
        let (id, at) = (row.text("id")?, row.time("created_at")?);
        events.push((row.maybe_int("written_at")?, at, id, row.text("type")?, row.text("payload")?));
    }
    events.sort();
    let number = i64::try_from(events.len()).unwrap_or_default();
    let last = tx.one(count, args![tenant, number]).await?.int("last")?;
    for (position, (_, at, id, event_type, payload)) in (last - number + 1..).zip(events) {
        let insert = quiet_system_sql!(
            "puts in order what was recorded",
            "INSERT INTO events (tenant_id, position, id, type, payload, created_at) VALUES ($1, $2, $3, $4, $5, $6)"
        );
        tx.later(insert, args![tenant, position, id, event_type, payload, at]);
    }
    Ok(())
}

/// The position of the tenant's latest event; 0 where there is none.
pub async fn last(tx: &mut Tx<Tenant>) -> Result<i64> {
    let select = sql!("SELECT last FROM event_positions WHERE tenant_id = $1");
    tx.optional(select, args![]).await?.map_or(Ok(0), |row| row.int("last"))
}

/// Up to `limit` events after a position, in order.
pub async fn after(tx: &mut Tx<Tenant>, position: i64, limit: u32) -> Result<Vec<Positioned>> {
    let select = sql!(
        "SELECT position, id, type, payload, created_at FROM events WHERE tenant_id = $1 AND position > $2 \
         ORDER BY position LIMIT $3"
    );
    tx.all(select, args![position, limit]).await?.iter().map(positioned).collect()
}

/// The first and the last position of what happened in a range of time, its end excluded; nothing where nothing happened.
pub async fn of_range(tx: &mut Tx<Tenant>, (from, to): (Timestamp, Timestamp)) -> Result<Option<(i64, i64)>> {
    let select = sql!(
        "SELECT COALESCE(MIN(position), 0) AS first, COALESCE(MAX(position), 0) AS last FROM events \
         WHERE tenant_id = $1 AND created_at >= $2 AND created_at < $3"
    );
    let row = tx.one(select, args![from, to]).await?;
    let (first, last) = (row.int("first")?, row.int("last")?);
    Ok((last > 0).then_some((first, last)))
}

fn positioned(row: &Row) -> Result<Positioned> {
    Ok(Positioned {
        position: row.int("position")?,
        id: row.parse("id")?,
        event_type: row.text("type")?,
        envelope: row.text("payload")?,
        created_at: row.time("created_at")?,
    })
}
