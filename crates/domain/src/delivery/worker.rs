//! A worker's side of the delivery queue: it claims what is due, and writes down how each attempt ended.

use svc_core::{Cx, Result, Seconds, Timestamp};
use svc_db::{Row, System, Tx, args, quiet_system_sql};

use super::queue::{Delivery, Order, Queue};
use super::schedule::Outcome;

/// Longer than one attempt may take.
const LEASE: Seconds = Seconds(60);

/// Claims up to `limit` deliveries that are due; those of a worker that dies can be claimed again when the lease is over.
pub async fn claim<Q: Queue>(tx: &mut Tx<System>, now: Timestamp, limit: u32) -> Result<Vec<Delivery<Q>>> {
    let as_due = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $3 WHERE queue = $1 AND state = 'due' AND due_at <= $2 AND (tenant_id, id) IN \
         (SELECT tenant_id, id FROM deliveries WHERE queue = $1 AND state = 'due' AND due_at <= $2 \
         ORDER BY due_at LIMIT $4) \
         RETURNING tenant_id, id, receiver, is_notice, payload, failures, created_at"
    );
    let in_turn = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $3 WHERE queue = $1 AND state = 'due' AND due_at <= $2 AND (tenant_id, id) IN \
         (SELECT e.tenant_id, e.id FROM deliveries e WHERE e.queue = $1 AND e.state = 'due' AND e.due_at <= $2 \
         AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.tenant_id = e.tenant_id AND o.receiver = e.receiver \
         AND o.topic = e.topic AND o.queue = $1 AND o.state = 'due' AND o.due_at IS NOT NULL \
         AND (o.happened_at, o.id) < (e.happened_at, e.id)) AND (e.failures > 0 OR NOT EXISTS \
         (SELECT 1 FROM deliveries o WHERE o.tenant_id = e.tenant_id AND o.receiver = e.receiver \
         AND o.failures = 0 AND o.queue = $1 AND o.state = 'due' AND o.due_at IS NOT NULL \
         AND (o.happened_at, o.id) < (e.happened_at, e.id) AND NOT EXISTS (SELECT 1 FROM deliveries f \
         WHERE f.tenant_id = o.tenant_id AND f.receiver = o.receiver AND f.topic = o.topic AND f.queue = $1 \
         AND f.state = 'due' AND f.failures > 0 AND f.due_at IS NOT NULL \
         AND (f.happened_at, f.id) < (o.happened_at, o.id)))) \
         ORDER BY e.due_at LIMIT $4) \
         RETURNING tenant_id, id, receiver, is_notice, payload, failures, created_at"
    );
    let rows = match Q::ORDER {
        Order::AsDue => tx.all(as_due, args![Q::QUEUE, now, now + LEASE, limit]).await?,
        Order::InTurn => tx.all(in_turn, args![Q::QUEUE, now, now + LEASE, limit]).await?,
        Order::ByTopic { at_once } => claim_by_topic(tx, Q::QUEUE, (now, limit), at_once).await?,
    };
    rows.iter().map(Delivery::of_row).collect()
}

/// Of each topic the oldest, and of these for each receiver the first `at_once` that have not failed; those under way are among
/// them. One read of what waits, because a look at what is before each of them costs the square of their number.
async fn claim_by_topic(
    tx: &mut Tx<System>,
    queue: &str,
    (now, limit): (Timestamp, u32),
    at_once: i64,
) -> Result<Vec<Row>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $3 WHERE queue = $1 AND state = 'due' AND due_at <= $2 AND (tenant_id, id) IN \
         (SELECT tenant_id, id FROM \
         (SELECT tenant_id, id, due_at, failures, ROW_NUMBER() OVER (PARTITION BY tenant_id, receiver, failures > 0 \
         ORDER BY happened_at, id) AS place FROM \
         (SELECT tenant_id, id, receiver, due_at, failures, happened_at, ROW_NUMBER() OVER \
         (PARTITION BY tenant_id, receiver, topic ORDER BY happened_at, id) AS turn FROM deliveries \
         WHERE queue = $1 AND state = 'due' AND due_at IS NOT NULL) waiting WHERE turn = 1) oldest \
         WHERE due_at <= $2 AND (failures > 0 OR place <= $5) ORDER BY due_at LIMIT $4) \
         RETURNING tenant_id, id, receiver, is_notice, payload, failures, created_at"
    );
    tx.all(update, args![queue, now, now + LEASE, limit, at_once]).await
}

/// Writes down how an attempt ended.
pub async fn settle<Q: Queue>(
    tx: &mut Tx<System>,
    cx: &Cx,
    due: &Delivery<Q>,
    outcome: Outcome,
) -> Result<()> {
    let asked = match outcome {
        Outcome::Taken => return end(tx, due, "taken").await,
        Outcome::Over => return end(tx, due, "failed").await,
        Outcome::Busy(asked) => asked,
        Outcome::Silent => None,
    };
    let failures = due.failures + 1;
    let Some(wait) = Q::SCHEDULE.wait(failures, asked, &*cx.entropy) else {
        return end(tx, due, "failed").await;
    };
    // One that is held by now stays held.
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET failures = $3, due_at = $4 WHERE tenant_id = $1 AND id = $2 AND state = 'due' \
         AND due_at IS NOT NULL"
    );
    tx.execute(update, args![due.tenant, due.id, failures, cx.now + wait]).await?;
    let waits_together = !due.receiver.is_empty() && !matches!(Q::ORDER, Order::ByTopic { .. });
    if outcome == Outcome::Silent && waits_together {
        hold_back(tx, cx, due, wait).await?;
    }
    Ok(())
}

/// What else waits for a receiver that does not answer waits too: it must not occupy the workers.
async fn hold_back<Q: Queue>(tx: &mut Tx<System>, cx: &Cx, due: &Delivery<Q>, wait: Seconds) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $5 WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' \
         AND due_at <= $4"
    );
    let arguments = args![due.tenant, Q::QUEUE, &due.receiver, cx.now, cx.now + wait];
    tx.execute(update, arguments).await.map(|_| ())
}

/// What has ended keeps no payload, unless its queue says so.
async fn end<Q: Queue>(tx: &mut Tx<System>, due: &Delivery<Q>, state: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET state = $3, payload = CASE WHEN $4 THEN payload ELSE '' END, due_at = NULL \
         WHERE tenant_id = $1 AND id = $2 AND state = 'due'"
    );
    tx.execute(update, args![due.tenant, due.id, state, Q::KEEPS_PAYLOAD]).await.map(|_| ())
}
