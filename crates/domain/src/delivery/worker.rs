//! A worker's side of the delivery queue: it claims what is due, and writes down how each attempt ended.

use svc_core::{Cx, Result, Seconds, Timestamp};
use svc_db::coordination::NODE_SKEW;
use svc_db::{Row, System, Tx, args, quiet_system_sql};

use super::queue::{Delivery, Order, Queue};
use super::schedule::Outcome;

/// How long a worker holds a delivery: longer than an attempt, which takes less than a minute, plus the difference between clocks.
const LEASE: Seconds = Seconds(60 + NODE_SKEW.0);

/// What a worker has room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Most deliveries.
    pub most: u32,
    /// Most of them of one tenant, where deliveries go by topic.
    pub of_one: u32,
    /// Who has enough under way, where deliveries go by topic: `<tenant> ` or `<tenant>/<receiver> ` for each.
    pub without: String,
}

impl Room {
    /// Room for so many, of any tenant.
    pub fn of(most: u32) -> Self {
        Self { most, of_one: most, without: String::new() }
    }
}

/// Claims up to `limit` deliveries that are due; those of a worker that dies can be claimed again when the lease is over.
pub async fn claim<Q: Queue>(tx: &mut Tx<System>, now: Timestamp, limit: u32) -> Result<Vec<Delivery<Q>>> {
    claim_within(tx, now, &Room::of(limit)).await
}

/// The same for a worker that has deliveries under way.
pub async fn claim_within<Q: Queue>(
    tx: &mut Tx<System>,
    now: Timestamp,
    room: &Room,
) -> Result<Vec<Delivery<Q>>> {
    let limit = room.most;
    // One worker at a time: of several, each would wait for the rows of another, even in a circle, and then find them claimed.
    tx.hold(&format!("claims of {}", Q::QUEUE));
    // What was due is compared with what is changed, and nothing else is asked of that: with a condition of its own, PostgreSQL may read
    // all that waits, and for each of it once more what is claimed. What another worker claims meanwhile is due at another time.
    let as_due = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $3 WHERE (tenant_id, id, due_at) IN \
         (SELECT tenant_id, id, due_at FROM deliveries WHERE queue = $1 AND state = 'due' AND due_at <= $2 \
         ORDER BY due_at LIMIT $4) \
         RETURNING tenant_id, id, receiver, is_notice, payload, failures, created_at"
    );
    // One read of what waits for the receivers that something is due for, as where deliveries go by topic. What waits for a suspended tenant
    // may be much, and waits on. The receivers are found once: PostgreSQL, which takes what waits for a row or two where nearly all was
    // taken, would find them again for each delivery.
    let in_turn = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $3 WHERE (tenant_id, id, due_at) IN \
         (SELECT tenant_id, id, due_at FROM (SELECT tenant_id, id, due_at, failures, ROW_NUMBER() OVER (PARTITION BY which, \
         CASE WHEN failures = 0 THEN 0 ELSE 1 END ORDER BY happened_at, id) AS place FROM \
         (WITH r AS MATERIALIZED (SELECT tenant_id, receiver, ROW_NUMBER() OVER () AS which FROM \
         (SELECT DISTINCT tenant_id, receiver FROM deliveries WHERE queue = $1 AND state = 'due' AND due_at <= $2) due \
         WHERE NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = due.tenant_id AND t.status = 'suspended')) \
         SELECT r.which, d.tenant_id, d.id, d.due_at, d.happened_at, d.failures, ROW_NUMBER() OVER \
         (PARTITION BY r.which, d.topic ORDER BY d.happened_at, d.id) AS turn FROM r \
         JOIN deliveries d ON d.tenant_id = r.tenant_id AND d.receiver = r.receiver \
         WHERE d.queue || '' = $1 AND d.state = 'due' AND d.due_at IS NOT NULL) waiting WHERE turn = 1) oldest \
         WHERE due_at <= $2 AND (failures > 0 OR place = 1) ORDER BY due_at LIMIT $4) \
         RETURNING tenant_id, id, receiver, is_notice, payload, failures, created_at"
    );
    let rows = match Q::ORDER {
        Order::AsDue => tx.all(as_due, args![Q::QUEUE, now, now + LEASE, limit]).await?,
        Order::InTurn => tx.all(in_turn, args![Q::QUEUE, now, now + LEASE, limit]).await?,
        Order::ByTopic { at_once } => claim_by_topic(tx, Q::QUEUE, (now, room), at_once).await?,
    };
    let mut claimed = rows.iter().map(Delivery::of_row).collect::<Result<Vec<_>>>()?;
    // An engine yields them in any order.
    claimed.sort_by_key(|delivery| delivery.created_at);
    Ok(claimed)
}

/// Of each topic the oldest, and of these for each receiver the first `at_once` that have not failed, and as many of those that have
/// and whose time has come; those under way are among them. What waits for another attempt takes no place: it may wait for days. One
/// read of what waits for the receivers that something is due for, because a look at what is before each of them costs the
/// square of their number, and what waits for all others may be very much. Where there is less room than that, those come first whose
/// receiver has the least under way: what receivers that hang have been waiting for is older than all that is sent to others. A
/// tenant gets its share of the room at most, and neither what has enough under way nor what waits for a suspended tenant is read.
async fn claim_by_topic(
    tx: &mut Tx<System>,
    queue: &str,
    (now, room): (Timestamp, &Room),
    at_once: i64,
) -> Result<Vec<Row>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $3, leased_until = $3 WHERE (tenant_id, id, due_at) IN \
         (SELECT tenant_id, id, due_at FROM (SELECT tenant_id, id, due_at, place, ROW_NUMBER() OVER (PARTITION BY tenant_id ORDER BY place, due_at) AS nth FROM \
         (SELECT tenant_id, id, due_at, ROW_NUMBER() OVER (PARTITION BY which, lane \
         ORDER BY CASE WHEN lane = 1 AND due_at <= $2 THEN 1 ELSE 0 END, happened_at, id) AS place FROM \
         (WITH r AS MATERIALIZED (SELECT tenant_id, receiver, ROW_NUMBER() OVER () AS which FROM \
         (SELECT DISTINCT tenant_id, receiver FROM deliveries WHERE queue = $1 AND state = 'due' AND due_at <= $2 \
         AND $7 NOT LIKE '%' || tenant_id || ' %' AND $7 NOT LIKE '%' || tenant_id || '/' || receiver || ' %') due \
         WHERE NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = due.tenant_id AND t.status = 'suspended')) \
         SELECT r.which, d.tenant_id, d.id, d.due_at, d.happened_at, CASE WHEN d.failures = 0 THEN 0 \
         WHEN d.due_at <= $2 OR d.due_at = d.leased_until THEN 1 ELSE 2 END AS lane, ROW_NUMBER() OVER \
         (PARTITION BY r.which, d.topic ORDER BY d.happened_at, d.id) AS turn FROM r \
         JOIN deliveries d ON d.tenant_id = r.tenant_id AND d.receiver = r.receiver \
         WHERE d.queue || '' = $1 AND d.state = 'due' AND d.due_at IS NOT NULL) waiting WHERE turn = 1) oldest \
         WHERE due_at <= $2 AND place <= $5) fitting WHERE nth <= $6 ORDER BY place, due_at LIMIT $4) \
         RETURNING tenant_id, id, receiver, is_notice, payload, failures, created_at"
    );
    let Room { most, of_one, without } = room;
    tx.all(update, args![queue, now, now + LEASE, *most, at_once, *of_one, without]).await
}

/// What a worker finds when it takes hold of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It was deleted, and its deliveries with it.
    Gone,
    /// It takes what it is sent, as far as is known.
    Well,
    /// It has not taken what it was last sent.
    Failing,
}

/// How many deliveries one statement writes down.
const TOGETHER: usize = 8;

/// Writes down that deliveries of one tenant were taken.
pub fn taken<Q: Queue>(tx: &mut Tx<System>, all: &[&Delivery<Q>]) {
    for some in all.chunks(TOGETHER) {
        let Some(last) = some.last() else { continue };
        // A statement has as many places as it has: the last one stands in those that are left.
        let id = |at: usize| some.get(at).unwrap_or(last).id;
        let update = quiet_system_sql!(
            "delivers what was recorded",
            "UPDATE deliveries SET state = 'taken', payload = CASE WHEN $2 THEN payload ELSE '' END, due_at = NULL \
             WHERE tenant_id = $1 AND id IN ($3, $4, $5, $6, $7, $8, $9, $10) AND state = 'due'"
        );
        let keeps = Q::KEEPS_PAYLOAD;
        let arguments = args![last.tenant, keeps, id(0), id(1), id(2), id(3), id(4), id(5), id(6), id(7)];
        tx.later(update, arguments);
    }
}

/// Writes down how an attempt ended. Nothing of it is waited for: the record of the receiver is held meanwhile.
pub fn settle<Q: Queue>(tx: &mut Tx<System>, cx: &Cx, due: &Delivery<Q>, outcome: Outcome) {
    let failures = due.failures + 1;
    let wait = match outcome {
        Outcome::Taken => Err("taken"),
        Outcome::Over => Err("failed"),
        Outcome::Busy(asked) => Q::SCHEDULE.wait(failures, asked, &*cx.entropy).ok_or("failed"),
        Outcome::Silent => Q::SCHEDULE.wait(failures, None, &*cx.entropy).ok_or("failed"),
    };
    let wait = match wait {
        Ok(wait) => wait,
        Err(state) => return end(tx, due, state),
    };
    // One that is held by now stays held.
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET failures = $3, due_at = $4 WHERE tenant_id = $1 AND id = $2 AND state = 'due' \
         AND due_at IS NOT NULL"
    );
    tx.later(update, args![due.tenant, due.id, failures, cx.now + wait]);
    let waits_together = !due.receiver.is_empty() && !matches!(Q::ORDER, Order::ByTopic { .. });
    if outcome == Outcome::Silent && waits_together {
        hold_back(tx, cx, due, wait);
    }
}

/// What else waits for a receiver that does not answer waits too: it must not occupy the workers.
fn hold_back<Q: Queue>(tx: &mut Tx<System>, cx: &Cx, due: &Delivery<Q>, wait: Seconds) {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $5 WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' \
         AND due_at <= $4"
    );
    tx.later(update, args![due.tenant, Q::QUEUE, &due.receiver, cx.now, cx.now + wait]);
}

/// What has ended keeps no payload, unless its queue says so.
fn end<Q: Queue>(tx: &mut Tx<System>, due: &Delivery<Q>, state: &str) {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET state = $3, payload = CASE WHEN $4 THEN payload ELSE '' END, due_at = NULL \
         WHERE tenant_id = $1 AND id = $2 AND state = 'due'"
    );
    tx.later(update, args![due.tenant, due.id, state, Q::KEEPS_PAYLOAD]);
}
