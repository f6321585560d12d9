//! The order of events: a sequencer gives each committed event of a tenant the next position, without gaps.
//!
//! Ids are made before the commit, so they are not the order. An event stands in the outbox until it has its position: one that
//! commits late gets a later position, and a reader who asks for what follows a position passes none over.

use std::collections::BTreeMap;

use svc_core::{Error, EventId, OrInternal as _, Result, Seconds, Timestamp};
use svc_db::{Row, System, Tenant, TenantSql, Tx, Value, args, quiet_system_sql, sql};

use super::together::{self, TOGETHER};

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
/// only when all before it can. Where more waits than one turn takes, it takes what was written first, by the one clock of the database.
pub async fn sequence(tx: &mut Tx<System>) -> Result<u64> {
    let take = quiet_system_sql!(
        "puts in order what was recorded",
        "DELETE FROM outbox WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM outbox \
         WHERE type <> 'signal' AND type <> 'signal_everywhere' ORDER BY written_at LIMIT $1) \
         RETURNING tenant_id, id, type, payload, created_at, written_at"
    );
    tx.hold("the order of events");
    let mut tenants: BTreeMap<String, Vec<Written>> = BTreeMap::new();
    let rows = tx.all(take, args![BATCH]).await?;
    for row in &rows {
        tenants.entry(row.text("tenant_id")?).or_default().push(written(row)?);
    }
    if !tenants.is_empty() {
        put(tx, tenants).await?;
    }
    u64::try_from(rows.len()).or_internal()
}

/// An event of the outbox: when it was written, when it happened, its id, its type and its document. So they are put in order.
type Written = (Option<i64>, Timestamp, String, String, String);

fn written(row: &Row) -> Result<Written> {
    let (at, id) = (row.time("created_at")?, row.text("id")?);
    Ok((row.maybe_int("written_at")?, at, id, row.text("type")?, row.text("payload")?))
}

/// Appends events to those of their tenants, in the order in which they were written.
async fn put(tx: &mut Tx<System>, tenants: BTreeMap<String, Vec<Written>>) -> Result<()> {
    let count = quiet_system_sql!(
        "puts in order what was recorded",
        "INSERT INTO event_positions (tenant_id, last) VALUES ($1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET last = event_positions.last + excluded.last RETURNING last"
    );
    let mut counts = Vec::with_capacity(tenants.len());
    for (tenant, events) in &tenants {
        counts.push(tx.call(count, args![tenant, i64::try_from(events.len()).or_internal()?]));
    }
    let mut placed: Vec<[Value; 6]> = Vec::new();
    for ((tenant, mut events), rows) in tenants.into_iter().zip(tx.batch_of(counts).await?) {
        events.sort();
        let row = rows.first().ok_or_else(|| Error::internal("a statement yielded no row"))?;
        let first = row.int("last")? + 1 - i64::try_from(events.len()).or_internal()?;
        for (position, (_, at, id, event_type, payload)) in (first..).zip(events) {
            let tenant = tenant.as_str();
            placed.push([
                tenant.into(),
                position.into(),
                id.into(),
                event_type.into(),
                payload.into(),
                at.into(),
            ]);
        }
    }
    for some in placed.chunks(TOGETHER) {
        append(tx, some);
    }
    Ok(())
}

/// Names no event.
const NO_EVENT: [Value; 6] = [
    Value::Text(None),
    Value::Int(None),
    Value::Text(None),
    Value::Text(None),
    Value::Text(None),
    Value::Int(None),
];

fn append(tx: &mut Tx<System>, some: &[[Value; 6]]) {
    // The first row says of which types all are.
    let insert = quiet_system_sql!(
        "puts in order what was recorded",
        "INSERT INTO events (tenant_id, position, id, type, payload, created_at) SELECT placed.column1, placed.column2, \
         placed.column3, placed.column4, placed.column5, placed.column6 FROM (VALUES \
         ($1, CAST($2 AS BIGINT), $3, $4, $5, CAST($6 AS BIGINT)), \
         ($7, $8, $9, $10, $11, $12), ($13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24), \
         ($25, $26, $27, $28, $29, $30), ($31, $32, $33, $34, $35, $36), ($37, $38, $39, $40, $41, $42), \
         ($43, $44, $45, $46, $47, $48), ($49, $50, $51, $52, $53, $54), ($55, $56, $57, $58, $59, $60), \
         ($61, $62, $63, $64, $65, $66), ($67, $68, $69, $70, $71, $72), ($73, $74, $75, $76, $77, $78), \
         ($79, $80, $81, $82, $83, $84), ($85, $86, $87, $88, $89, $90), ($91, $92, $93, $94, $95, $96)) \
         AS placed WHERE placed.column1 IS NOT NULL"
    );
    tx.later(insert, &together::arguments(some, &NO_EVENT));
}

/// The position of the tenant's latest event; 0 where there is none.
pub async fn last(tx: &mut Tx<Tenant>) -> Result<i64> {
    let select = sql!("SELECT last FROM event_positions WHERE tenant_id = $1");
    tx.optional(select, args![]).await?.map_or(Ok(0), |row| row.int("last"))
}

/// Reads events after a position, in order; the argument says which.
macro_rules! page_sql {
    ($which:literal) => {
        sql!(
            "SELECT position, id, type, payload, created_at FROM events WHERE tenant_id = $1 AND position > $2",
            $which,
            " ORDER BY position LIMIT $3"
        )
    };
}

/// Up to `limit` events after a position, in order.
pub async fn after(tx: &mut Tx<Tenant>, position: i64, limit: u32) -> Result<Vec<Positioned>> {
    let rows = tx.all(page_sql!(""), args![position, limit]).await?;
    rows.iter().map(positioned).collect()
}

/// Those of one type that did not happen before a time.
const OF_TYPE: TenantSql = page_sql!(" AND type = $4 AND created_at >= $5");

/// Which events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Of one of these types; of any, where none is named.
    pub types: &'a [&'a str],
    /// That did not happen before this time.
    pub since: Option<Timestamp>,
}

/// Up to `limit` of these events after a position, in order, and the position after which to look for the next.
pub async fn page(
    tx: &mut Tx<Tenant>,
    filter: Filter<'_>,
    (position, limit): (i64, u32),
) -> Result<(Vec<Positioned>, i64)> {
    let is_narrowed = !filter.types.is_empty() || filter.since.is_some();
    // Before the events are read: none of those that come meanwhile is passed over. Without a filter a gap says that events have been
    // deleted, and is left to be seen.
    let looked_at = if is_narrowed { last(tx).await? } else { 0 };
    let (events, end) = narrowed(tx, filter, (position, limit), looked_at).await?;
    let found = events.last().map_or(position, |event| event.position);
    Ok((events, end.unwrap_or_else(|| found.max(looked_at))))
}

/// Events, and the position at which their page ends where it is full.
type Narrowed = (Vec<Positioned>, Option<i64>);

async fn narrowed(
    tx: &mut Tx<Tenant>,
    filter: Filter<'_>,
    (position, limit): (i64, u32),
    looked_at: i64,
) -> Result<Narrowed> {
    let start = match filter.since {
        None => Some(position),
        Some(since) => first_since(tx, since).await?.map(|first| position.max(first - 1)),
    };
    let Some(start) = start else { return Ok((Vec::new(), None)) };
    let since = filter.since.unwrap_or(Timestamp::from_micros(0));
    let rows = match filter.types {
        [] => tx.all(page_sql!(" AND created_at >= $4"), args![start, limit, since]).await?,
        [event_type] => tx.all(OF_TYPE, args![start, limit, *event_type, since]).await?,
        several => return of_types(tx, (several, since), (start, limit), looked_at).await,
    };
    let events = rows.iter().map(positioned).collect::<Result<Vec<_>>>()?;
    let end = events.last().filter(|_| events.len() >= limit as usize).map(|event| event.position);
    Ok((events, end))
}

/// Those of several types up to a position, each type looked up on its own: first where they are, then those of the page alone, because
/// of a category with many types most that is found is on later pages.
async fn of_types(
    tx: &mut Tx<Tenant>,
    (types, since): (&[&str], Timestamp),
    (start, limit): (i64, u32),
    looked_at: i64,
) -> Result<Narrowed> {
    let places = places_of(tx, (types, since), (start, limit), looked_at).await?;
    let end = places.last().filter(|_| places.len() >= limit as usize).map(|(position, _)| *position);
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for (_, event_type) in &places {
        *counts.entry(*event_type).or_default() += 1;
    }
    let call = |(name, count): (&&str, &i64)| tx.call(OF_TYPE, args![start, *count, *name, since]);
    let calls = counts.iter().map(call).collect();
    let rows = tx.batch_of(calls).await?;
    let mut events = rows.iter().flatten().map(positioned).collect::<Result<Vec<_>>>()?;
    // Where some are deleted between the two looks, the second one finds later ones.
    events.retain(|event| event.position <= end.unwrap_or(looked_at));
    events.sort_by_key(|event| event.position);
    Ok((events, end))
}

/// Where the first events of these types stand, up to a position, each with its type.
async fn places_of<'t>(
    tx: &mut Tx<Tenant>,
    (types, since): (&[&'t str], Timestamp),
    (start, limit): (i64, u32),
    looked_at: i64,
) -> Result<Vec<(i64, &'t str)>> {
    let select = sql!(
        "SELECT position FROM events WHERE tenant_id = $1 AND position > $2 AND type = $4 AND created_at >= $5 \
         ORDER BY position LIMIT $3"
    );
    let calls = types.iter().map(|name| tx.call(select, args![start, limit, *name, since])).collect();
    let mut places = Vec::new();
    for (rows, name) in tx.batch_of(calls).await?.iter().zip(types) {
        for row in rows {
            places.push((row.int("position")?, *name));
        }
    }
    // Each type is looked up at its own moment: what got its position since `looked_at` was read may be missing of one and not of another.
    places.retain(|(position, _)| *position <= looked_at);
    places.sort_unstable();
    places.truncate(limit as usize);
    Ok(places)
}

/// Longer than a change takes from the time that its event bears until its commit.
const LONGEST_CHANGE: Seconds = Seconds(600);

/// The first position of what happened at a time or later; nothing where nothing did.
///
/// Positions have the order of commits, so that an event of a later time may stand before one that took long. It is looked for among
/// those that happened within as long as a change can take from the first.
async fn first_since(tx: &mut Tx<Tenant>, since: Timestamp) -> Result<Option<i64>> {
    // Of `MIN(position)` an engine would think that it is found soonest from the first position on; and for PostgreSQL, which takes
    // each tenant for the only one, the index of all tenants by time would be as good as that of one.
    let select = sql!(
        "SELECT COALESCE(MIN(position + 0), 0) AS first FROM events WHERE tenant_id = $1 AND tenant_id BETWEEN $1 AND $1 \
         AND created_at >= $2 AND created_at < (SELECT MIN(created_at) + $3 FROM events WHERE tenant_id = $1 \
         AND tenant_id BETWEEN $1 AND $1 AND created_at >= $2)"
    );
    let first = tx.one(select, args![since, LONGEST_CHANGE.0 * 1_000_000]).await?.int("first")?;
    Ok((first > 0).then_some(first))
}

/// The first and the last position of what happened in a range of time, its end excluded, and how much that is; nothing where nothing
/// happened. What happened at other times may stand between.
pub async fn of_range(
    tx: &mut Tx<Tenant>,
    (from, to): (Timestamp, Timestamp),
) -> Result<Option<(i64, i64, i64)>> {
    let select = sql!(
        "SELECT COALESCE(MIN(position + 0), 0) AS first, COALESCE(MAX(position + 0), 0) AS last, COUNT(*) AS count FROM events \
         WHERE tenant_id = $1 AND tenant_id BETWEEN $1 AND $1 AND created_at >= $2 AND created_at < $3"
    );
    let row = tx.one(select, args![from, to]).await?;
    let (first, last, count) = (row.int("first")?, row.int("last")?, row.int("count")?);
    Ok((count > 0).then_some((first, last, count)))
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
