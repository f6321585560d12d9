//! From events to deliveries: each subscription is led along the log of events, and gets a delivery for each that it asked for.
//!
//! Its position moves in the transaction that queues its deliveries, so that it gets each event once. One that has many waiting
//! stays where it is, and one that is being led a second time along a range gets what is there besides.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use svc_core::{Cx, Result, TenantId, Timestamp, WebhookId};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, sql, system_sql};

use super::payload::{WebhookDelivery, of_event};
use super::subscriptions::Configuration;
use super::{MOST_READY, MOST_WAITING, filter};
use crate::delivery::New;
use crate::delivery::queue::enqueue_all;
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

/// The least room for which a subscription is led along: each time costs the same, however few events it is for.
const LEAST_ROOM: i64 = MOST_READY / 2;

/// How far subscriptions were led along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Led {
    /// Past how many events, counted for each subscription.
    pub events: u64,
    /// Whether one that still has room for more has not got all events. Others have to be rid of some first.
    pub goes_on: bool,
}

/// Most subscriptions of which is taken hold in one flight.
const TOGETHER: usize = 64;

/// Leads the tenant's subscriptions along that have room.
pub async fn fan_out(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<Led> {
    let last = positions::last(tx).await?;
    let mut read = HashMap::new();
    let mut all = Led::default();
    for some in with_room(tx, (last, cx.now)).await?.chunks(TOGETHER) {
        for (mut subscription, most) in hold(tx, some, (last, cx.now)).await? {
            let done = subscription.lead(tx, cx, most, &mut read).await?;
            all.events += u64::try_from(done).unwrap_or_default();
            all.goes_on |= subscription.goes_on(last, most);
            subscription.store(tx)?;
        }
    }
    Ok(all)
}

/// The subscriptions that have not got all events and have room for some, with how much.
async fn with_room(tx: &mut Tx<Tenant>, (last, now): (i64, Timestamp)) -> Result<Vec<(WebhookId, i64)>> {
    let mut waiting = waiting(tx).await?;
    let behind = behind(tx, (last, now)).await?.into_iter();
    let room = |id: WebhookId| {
        let waits = waiting.remove(&id.to_string()).unwrap_or_default();
        let ready = MOST_READY - waits.ready;
        let room = ready.min(MOST_WAITING - waits.all);
        (ready >= LEAST_ROOM && room > 0).then_some((id, room))
    };
    Ok(behind.filter_map(room).collect())
}

/// A subscription on its way along the log.
struct Subscription {
    id: WebhookId,
    configuration: Configuration,
    position: i64,
    /// What happened before is not its own.
    begins_at: Timestamp,
    replay: Option<Replay>,
    held_until: Option<Timestamp>,
    queued: Vec<New<WebhookDelivery>>,
}

/// What a subscription gets again: events between two positions, of a range of time.
#[derive(Clone, Copy)]
struct Replay {
    /// After this position.
    at: i64,
    /// Up to this one.
    until: i64,
    /// What happened from this time on, and before the other; nothing where a version before did not note them.
    from: Option<Timestamp>,
    before: Option<Timestamp>,
}

impl Replay {
    /// Whether an event happened at the time. Positions have the order of commits, so that others may stand between.
    fn has(&self, event: &Positioned) -> bool {
        self.from.is_none_or(|from| from <= event.created_at)
            && self.before.is_none_or(|before| event.created_at < before)
    }

    fn of_row(row: &Row) -> Result<Option<Self>> {
        let Some(at) = row.maybe_int("replay_position")? else { return Ok(None) };
        let Some(until) = row.maybe_int("replay_until")? else { return Ok(None) };
        let (from, before) = (row.maybe_time("replay_from")?, row.maybe_time("replay_before")?);
        Ok(Some(Self { at, until, from, before }))
    }
}

impl Subscription {
    /// Takes an event if it is asked for; returns how many deliveries that makes.
    fn take(&mut self, cx: &Cx, event: &Positioned) -> i64 {
        if !filter::asks_for(&self.configuration.event_types, &event.event_type) {
            return 0;
        }
        let due_at = self.held_until.map_or(cx.now, |until| until.max(cx.now));
        let payload = WebhookDelivery::from(event.clone());
        self.queued.push(of_event(cx, self.id, (event.position, due_at), payload));
        1
    }

    /// Leads it along as far as it has room; returns past how many events.
    async fn lead(
        &mut self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        mut room: i64,
        read: &mut HashMap<i64, Vec<Positioned>>,
    ) -> Result<i64> {
        let start = self.position;
        for event in events_after(tx, read, start).await? {
            if room <= 0 {
                break;
            }
            self.position = event.position;
            if event.created_at >= self.begins_at {
                room -= self.take(cx, event);
            }
        }
        let led = self.position - start;
        Ok(led + self.repeat(tx, cx, room, read).await?)
    }

    /// Leads it along what it gets again; returns past how many events.
    async fn repeat(
        &mut self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        mut room: i64,
        read: &mut HashMap<i64, Vec<Positioned>>,
    ) -> Result<i64> {
        let Some(replay) = self.replay else { return Ok(0) };
        let (mut at, mut has_ended) = (replay.at, true);
        for event in events_after(tx, read, replay.at).await? {
            if event.position > replay.until {
                break;
            }
            if room <= 0 {
                has_ended = false;
                break;
            }
            at = event.position;
            if replay.has(event) {
                room -= self.take(cx, event);
            }
        }
        has_ended &= at >= replay.until || at == replay.at;
        self.replay = (!has_ended).then_some(Replay { at, ..replay });
        Ok(at - replay.at)
    }

    /// Whether it has not got all events, although it still has room for more of the `most` that it had room for.
    fn goes_on(&self, last: i64, most: i64) -> bool {
        let queued = i64::try_from(self.queued.len()).unwrap_or(i64::MAX);
        (self.position < last || self.replay.is_some()) && most.saturating_sub(queued) >= LEAST_ROOM
    }

    /// Queues its deliveries, and notes how far it has got.
    fn store(&self, tx: &mut Tx<Tenant>) -> Result<()> {
        enqueue_all(tx, &self.queued)?;
        let update = quiet_sql!(
            "delivers what was recorded",
            "UPDATE webhooks SET position = $3, replay_position = $4, replay_until = $5, replay_from = $6, replay_before = $7 \
             WHERE tenant_id = $1 AND id = $2"
        );
        let (at, until) = self.replay.map(|replay| (replay.at, replay.until)).unzip();
        let from = self.replay.and_then(|replay| replay.from);
        let before = self.replay.and_then(|replay| replay.before);
        tx.later(update, args![self.id, self.position, at, until, from, before]);
        Ok(())
    }

    fn of_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.parse("id")?,
            configuration: document::load(row, "configuration")?,
            position: row.int("position")?,
            begins_at: row.time("begins_at")?,
            replay: Replay::of_row(row)?,
            held_until: row.maybe_time("held_until")?,
            queued: Vec::new(),
        })
    }
}

/// The subscriptions that have not got all events up to a position.
async fn behind(tx: &mut Tx<Tenant>, (last, now): (i64, Timestamp)) -> Result<Vec<WebhookId>> {
    let select = sql!(
        "SELECT id FROM webhooks WHERE tenant_id = $1 AND active AND (position < $2 OR replay_position IS NOT NULL) \
         AND (held_until IS NULL OR held_until <= $3) ORDER BY id"
    );
    tx.all(select, args![last, now]).await?.iter().map(|row| row.parse("id")).collect()
}

/// Takes hold of some of them until the transaction ends, in the order of their ids, but for those that another worker has led along.
async fn hold(
    tx: &mut Tx<Tenant>,
    some: &[(WebhookId, i64)],
    (last, now): (i64, Timestamp),
) -> Result<Vec<(Subscription, i64)>> {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE webhooks SET position = position WHERE tenant_id = $1 AND id = $2 AND active AND (position < $3 \
         OR replay_position IS NOT NULL) AND (held_until IS NULL OR held_until <= $4) \
         RETURNING id, configuration, position, begins_at, replay_position, replay_until, replay_from, replay_before, \
         held_until"
    );
    let calls = some.iter().map(|(id, _)| tx.call(update, args![*id, last, now])).collect();
    let mut held = Vec::new();
    for (rows, (_, room)) in tx.batch_of(calls).await?.iter().zip(some) {
        if let Some(row) = rows.first() {
            held.push((Subscription::of_row(row)?, *room));
        }
    }
    Ok(held)
}

/// How many deliveries wait for a receiver.
#[derive(Clone, Copy, Default)]
struct Waits {
    all: i64,
    /// Those that neither have failed nor stand behind one about the same subject that has: such a one may take days.
    ready: i64,
}

async fn waiting(tx: &mut Tx<Tenant>) -> Result<BTreeMap<String, Waits>> {
    let count = sql!(
        "SELECT w.receiver, COUNT(*) AS waits, SUM(CASE WHEN w.failed = 0 THEN 1 ELSE 0 END) AS ready FROM \
         (SELECT receiver, MAX(failures) OVER (PARTITION BY receiver, topic) AS failed FROM deliveries \
         WHERE tenant_id = $1 AND queue || '' = 'webhooks' AND state = 'due') w GROUP BY w.receiver"
    );
    let rows = tx.all(count, args![]).await?;
    let waits =
        |row: &Row| Ok((row.text("receiver")?, Waits { all: row.int("waits")?, ready: row.int("ready")? }));
    rows.iter().map(waits).collect()
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
