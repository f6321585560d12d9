//! From events to deliveries: each subscription is led along the log of events, and gets a delivery for each that it asked for.
//!
//! Its position moves in the transaction that queues its deliveries, so that it gets each event once. One that has many waiting
//! stays where it is, and one that is being led a second time along a range gets what is there besides.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use svc_core::{Cx, Result, TenantId, Timestamp, WebhookId};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, sql, system_sql};

use super::payload::{WebhookDelivery, put};
use super::subscriptions::Configuration;
use super::{MOST_WAITING, filter};
use crate::document;
use crate::log::positions::{self, Positioned};
use crate::tenancy::tenants;

/// Most events along which a subscription is led in one transaction.
const BATCH: u32 = 200;

/// Tenants with a subscription that has not got all events, and is not left alone.
pub async fn tenants_behind(tx: &mut Tx<System>, now: Timestamp) -> Result<Vec<TenantId>> {
    let select = system_sql!(
        "SELECT DISTINCT w.tenant_id FROM webhooks w JOIN event_positions p ON p.tenant_id = w.tenant_id \
         WHERE w.active AND (w.position < p.last OR w.replay_position IS NOT NULL) \
         AND (w.held_until IS NULL OR w.held_until <= $1)"
    );
    tx.all(select, args![now]).await?.iter().map(tenants::of_row).collect()
}

/// Leads the tenant's subscriptions along; returns past how many events, counted for each.
pub async fn fan_out(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<u64> {
    let mut waiting = waiting(tx).await?;
    let mut read = HashMap::new();
    let mut done = 0;
    for mut subscription in hold_behind(tx, cx.now).await? {
        let waits = waiting.remove(&subscription.id.to_string()).unwrap_or_default();
        let mut room = MOST_WAITING - waits;
        let start = subscription.position;
        for event in events_after(tx, &mut read, start).await? {
            if room <= 0 {
                break;
            }
            subscription.position = event.position;
            if event.created_at >= subscription.begins_at {
                room -= subscription.take(tx, cx, event)?;
            }
        }
        done += subscription.position - start;
        done += subscription.repeat(tx, cx, room, &mut read).await?;
        subscription.store(tx);
    }
    Ok(u64::try_from(done).unwrap_or_default())
}

/// A subscription on its way along the log.
struct Subscription {
    id: WebhookId,
    configuration: Configuration,
    position: i64,
    /// What happened before is not its own.
    begins_at: Timestamp,
    /// What it gets again: after the first position, up to the second.
    replay: Option<(i64, i64)>,
    held_until: Option<Timestamp>,
}

impl Subscription {
    /// Queues an event if it is asked for; returns how many deliveries that makes.
    fn take(&self, tx: &mut Tx<Tenant>, cx: &Cx, event: &Positioned) -> Result<i64> {
        if !filter::asks_for(&self.configuration.event_types, &event.event_type) {
            return Ok(0);
        }
        let due_at = self.held_until.map_or(cx.now, |until| until.max(cx.now));
        put(tx, cx, self.id, (event.position, due_at), WebhookDelivery::from(event.clone()))?;
        Ok(1)
    }

    /// Leads it along what it gets again; returns past how many events.
    async fn repeat(
        &mut self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        mut room: i64,
        read: &mut HashMap<i64, Vec<Positioned>>,
    ) -> Result<i64> {
        let Some((start, until)) = self.replay else { return Ok(0) };
        let (mut at, mut has_ended) = (start, true);
        for event in events_after(tx, read, start).await? {
            if event.position > until {
                break;
            }
            if room <= 0 {
                has_ended = false;
                break;
            }
            at = event.position;
            room -= self.take(tx, cx, event)?;
        }
        has_ended &= at >= until || at == start;
        self.replay = (!has_ended).then_some((at, until));
        Ok(at - start)
    }

    fn store(&self, tx: &mut Tx<Tenant>) {
        let update = quiet_sql!(
            "delivers what was recorded",
            "UPDATE webhooks SET position = $3, replay_position = $4, replay_until = $5 WHERE tenant_id = $1 AND id = $2"
        );
        let (at, until) = self.replay.unzip();
        tx.later(update, args![self.id, self.position, at, until]);
    }

    fn of_row(row: &Row) -> Result<Self> {
        let at = row.maybe_int("replay_position")?;
        Ok(Self {
            id: row.parse("id")?,
            configuration: document::load(row, "configuration")?,
            position: row.int("position")?,
            begins_at: row.time("begins_at")?,
            replay: at.zip(row.maybe_int("replay_until")?),
            held_until: row.maybe_time("held_until")?,
        })
    }
}

/// The subscriptions that have not got all events, held until the transaction ends: another worker leads others.
async fn hold_behind(tx: &mut Tx<Tenant>, now: Timestamp) -> Result<Vec<Subscription>> {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE webhooks SET position = position WHERE tenant_id = $1 AND active AND (position < $2 \
         OR replay_position IS NOT NULL) AND (held_until IS NULL OR held_until <= $3) \
         RETURNING id, configuration, position, begins_at, replay_position, replay_until, held_until"
    );
    let last = positions::last(tx).await?;
    tx.all(update, args![last, now]).await?.iter().map(Subscription::of_row).collect()
}

/// How many deliveries wait for each receiver.
async fn waiting(tx: &mut Tx<Tenant>) -> Result<BTreeMap<String, i64>> {
    let count = sql!(
        "SELECT receiver, COUNT(*) AS count FROM deliveries WHERE tenant_id = $1 AND queue = 'webhooks' \
         AND state = 'due' GROUP BY receiver"
    );
    let rows = tx.all(count, args![]).await?;
    rows.iter().map(|row| Ok((row.text("receiver")?, row.int("count")?))).collect()
}

/// Events after a position, read once for all subscriptions that stand there.
async fn events_after<'r>(
    tx: &mut Tx<Tenant>,
    read: &'r mut HashMap<i64, Vec<Positioned>>,
    position: i64,
) -> Result<&'r [Positioned]> {
    match read.entry(position) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(place) => Ok(place.insert(positions::after(tx, position, BATCH).await?)),
    }
}
