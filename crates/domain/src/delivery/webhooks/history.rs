//! The history of a subscription: its deliveries, what was sent, and how each attempt ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use svc_core::{DeliveryId, EventId, OrInternal as _, Result, Timestamp, WebhookId};
use svc_db::{Row, System, Tenant, Tx, args, before, quiet_system_sql, sql};
use utoipa::ToSchema;

use super::payload::WebhookDelivery;
use crate::document;

/// A delivery.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub struct DeliveryRecord {
    /// Its id, the same in each attempt: `X-SVC-Delivery`.
    #[schema(value_type = String)]
    pub id: DeliveryId,
    /// The event.
    #[schema(value_type = String)]
    pub event_id: EventId,
    /// Its type.
    pub event_type: String,
    /// How far it has come.
    pub state: DeliveryState,
    /// When it is tried, if it is pending; while an attempt is under way, when that is given up as lost.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub next_attempt_at: Option<Timestamp>,
    /// The delivery that it repeats, where an administrator asked for that.
    #[schema(value_type = Option<String>)]
    pub replay_of: Option<DeliveryId>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// What was sent; in the answer about one delivery only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub body: Option<Json>,
    /// The attempts that have ended, the first one first.
    pub attempts: Vec<AttemptRecord>,
}

/// How far a delivery has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = WebhookDeliveryState)]
pub enum DeliveryState {
    /// It is tried, or waits for its next attempt.
    Pending,
    /// The receiver has taken it.
    Delivered,
    /// It was given up.
    Failed,
}

/// An attempt to deliver.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = WebhookAttempt)]
pub struct AttemptRecord {
    /// When it began.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// How many milliseconds it took.
    pub took_ms: i64,
    /// The status of the answer; null where there was none in time.
    pub status: Option<i64>,
    /// The beginning of the answer, at most 64 KiB; in the answer about one delivery only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub answer: Option<String>,
}

/// Reads a page of deliveries with their attempts; the argument says of which.
macro_rules! page_sql {
    ($which:literal) => {
        sql!(
            "SELECT d.id, d.state, d.due_at, d.payload, d.created_at, a.at, a.took_ms, a.status FROM \
             (SELECT tenant_id, id, state, due_at, payload, created_at FROM deliveries WHERE tenant_id = $1 \
             AND receiver = $2 AND queue = 'webhooks' AND id < $3",
            $which,
            " ORDER BY id DESC LIMIT $4) d LEFT JOIN webhook_attempts a ON a.tenant_id = d.tenant_id \
             AND a.delivery_id = d.id ORDER BY d.id DESC, a.number"
        )
    };
}

/// A page of a subscription's deliveries, newest first; with a state, of those that have come so far.
pub async fn history(
    tx: &mut Tx<Tenant>,
    webhook: WebhookId,
    state: Option<DeliveryState>,
    (cursor, limit): (Option<DeliveryId>, u32),
) -> Result<Vec<DeliveryRecord>> {
    let select = match state {
        None => page_sql!(""),
        Some(DeliveryState::Pending) => page_sql!(" AND state = 'due'"),
        Some(DeliveryState::Delivered) => page_sql!(" AND state = 'taken'"),
        Some(DeliveryState::Failed) => page_sql!(" AND state = 'failed'"),
    };
    let rows = tx.all(select, args![webhook, before(cursor), limit]).await?;
    let mut found: BTreeMap<DeliveryId, DeliveryRecord> = BTreeMap::new();
    for row in &rows {
        let record = match found.entry(row.parse("id")?) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => new.insert(record(row)?.0),
        };
        record.attempts.extend(attempt(row)?);
    }
    Ok(found.into_values().rev().collect())
}

/// One delivery of a subscription, with what was sent and answered.
pub async fn delivery(
    tx: &mut Tx<Tenant>,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<DeliveryRecord>> {
    let select = sql!(
        "SELECT d.id, d.state, d.due_at, d.payload, d.created_at, a.at, a.took_ms, a.status, a.answer FROM deliveries d \
         LEFT JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id \
         WHERE d.tenant_id = $1 AND d.id = $2 AND d.receiver = $3 AND d.queue = 'webhooks' ORDER BY a.number"
    );
    let rows = tx.all(select, args![id, webhook]).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let (mut found, payload) = record(first)?;
    found.body = Some(serde_json::from_str(&payload.body).or_internal()?);
    for row in &rows {
        let answer = row.maybe_text("answer")?;
        found.attempts.extend(attempt(row)?.map(|attempt| AttemptRecord { answer, ..attempt }));
    }
    Ok(Some(found))
}

/// Removes up to `limit` deliveries that ended before, with their attempts; returns how many.
pub async fn forget_old(tx: &mut Tx<System>, until: Timestamp, limit: u32) -> Result<u64> {
    let delete = quiet_system_sql!(
        "expired",
        "DELETE FROM deliveries WHERE queue = 'webhooks' AND created_at <= $1 AND state <> 'due' AND (tenant_id, id) IN \
         (SELECT tenant_id, id FROM deliveries WHERE queue = 'webhooks' AND created_at <= $1 AND state <> 'due' LIMIT $2)"
    );
    tx.execute(delete, args![until, limit]).await
}

fn record(row: &Row) -> Result<(DeliveryRecord, WebhookDelivery)> {
    let payload: WebhookDelivery = document::load(row, "payload")?;
    let record = DeliveryRecord {
        id: row.parse("id")?,
        event_id: payload.event_id,
        event_type: payload.event_type.clone(),
        state: match row.text("state")?.as_str() {
            "due" => DeliveryState::Pending,
            "taken" => DeliveryState::Delivered,
            _ => DeliveryState::Failed,
        },
        next_attempt_at: row.maybe_time("due_at")?,
        replay_of: payload.replay_of,
        created_at: row.time("created_at")?,
        body: None,
        attempts: Vec::new(),
    };
    Ok((record, payload))
}

fn attempt(row: &Row) -> Result<Option<AttemptRecord>> {
    let Some(at) = row.maybe_time("at")? else { return Ok(None) };
    let took_ms = row.int("took_ms")?;
    Ok(Some(AttemptRecord { at, took_ms, status: row.maybe_int("status")?, answer: None }))
}
