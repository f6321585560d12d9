//! The history of a subscription: its deliveries, what was sent, and how each attempt ended.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use svc_core::{DeliveryId, EventId, OrInternal as _, Result, Timestamp, WebhookId};
use svc_db::{Row, System, Tenant, TenantSql, Tx, Value, args, before, quiet_system_sql, sql};
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
    /// Its state.
    pub state: DeliveryState,
    /// When the next attempt is due, if it is pending; while an attempt is under way, when that attempt counts as lost.
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

/// The state of a delivery.
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
    /// The beginning of the answer, at most 64 KiB; without a status, why there is none. In the answer about one delivery only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub answer: Option<String>,
    /// The headers of the request, by name; absent where nothing was sent. In the answer about one delivery only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub request_headers: Option<BTreeMap<String, String>>,
    /// Of the headers of the answer `content-type`, `location`, `retry-after`, `server`, `www-authenticate` and `x-request-id`, at most
    /// 256 characters of each; absent without a status. In the answer about one delivery only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub answer_headers: Option<BTreeMap<String, String>>,
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

/// The same of those that wait. They are few, and are found among what waits for the receiver: a look for them in its history could read
/// all of that.
macro_rules! due_sql {
    ($which:literal) => {
        sql!(
            "WITH waiting AS MATERIALIZED (SELECT tenant_id, id, queue, state, due_at, payload, event_type, created_at \
             FROM deliveries WHERE tenant_id = $1 AND receiver = $2 AND state = 'due') \
             SELECT d.id, d.state, d.due_at, d.payload, d.created_at, a.at, a.took_ms, a.status FROM \
             (SELECT tenant_id, id, state, due_at, payload, created_at FROM waiting WHERE id < $3 AND queue = 'webhooks'",
            $which,
            " ORDER BY id DESC LIMIT $4) d LEFT JOIN webhook_attempts a ON a.tenant_id = d.tenant_id \
             AND a.delivery_id = d.id ORDER BY d.id DESC, a.number"
        )
    };
}

/// Which deliveries of a subscription.
#[derive(Clone, Copy, Debug, Default)]
pub struct HistoryFilter<'a> {
    /// Those that have come so far.
    pub state: Option<DeliveryState>,
    /// Those of events of this type.
    pub event_type: Option<&'a str>,
}

/// A page of a subscription's deliveries, newest first.
pub async fn history(
    tx: &mut Tx<Tenant>,
    webhook: WebhookId,
    filter: HistoryFilter<'_>,
    (cursor, limit): (Option<DeliveryId>, u32),
) -> Result<Vec<DeliveryRecord>> {
    let mut arguments = args![webhook, before(cursor), limit].to_vec();
    arguments.extend(filter.event_type.map(Value::from));
    let calls = filter.selects().into_iter().map(|select| tx.call(select, &arguments)).collect();
    let mut found = BTreeMap::new();
    // What ends between two of the statements is found by both, and is as the later one says.
    for rows in tx.batch_of(calls).await? {
        found.append(&mut records(&rows)?);
    }
    let limit = usize::try_from(limit).or_internal()?;
    Ok(found.into_values().rev().take(limit).collect())
}

impl HistoryFilter<'_> {
    /// The statements that find the deliveries: one for each state where each has an index of its own, those that wait first.
    fn selects(self) -> Vec<TenantSql> {
        let due = if self.event_type.is_some() { due_sql!(" AND event_type = $5") } else { due_sql!("") };
        let taken = page_sql!(" AND state = 'taken' AND state <> 'due' AND event_type = $5");
        let failed = page_sql!(" AND state = 'failed' AND state <> 'due' AND event_type = $5");
        match (self.state, self.event_type) {
            (None, None) => vec![page_sql!("")],
            (None, Some(_)) => vec![due, taken, failed],
            (Some(DeliveryState::Pending), _) => vec![due],
            (Some(DeliveryState::Delivered), None) => vec![page_sql!(" AND state = 'taken'")],
            (Some(DeliveryState::Delivered), Some(_)) => vec![taken],
            (Some(DeliveryState::Failed), None) => vec![page_sql!(" AND state = 'failed'")],
            (Some(DeliveryState::Failed), Some(_)) => vec![failed],
        }
    }
}

fn records(rows: &[Row]) -> Result<BTreeMap<DeliveryId, DeliveryRecord>> {
    let mut found = BTreeMap::new();
    for row in rows {
        let record: &mut DeliveryRecord = match found.entry(row.parse("id")?) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(record(row)?.0),
        };
        record.attempts.extend(attempt(row)?);
    }
    Ok(found)
}

/// One delivery of a subscription, with what was sent and answered.
pub async fn delivery(
    tx: &mut Tx<Tenant>,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<DeliveryRecord>> {
    let select = sql!(
        "SELECT d.id, d.state, d.due_at, d.payload, d.created_at, a.at, a.took_ms, a.status, a.answer, a.signatures, \
         a.answer_headers FROM deliveries d LEFT JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id \
         WHERE d.tenant_id = $1 AND d.id = $2 AND d.receiver = $3 AND d.queue = 'webhooks' ORDER BY a.number"
    );
    let rows = tx.all(select, args![id, webhook]).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let (mut found, payload) = record(first)?;
    found.body = Some(serde_json::from_str(&payload.body).or_internal()?);
    for row in &rows {
        let Some(short) = attempt(row)? else { continue };
        let signatures = row.maybe_text("signatures")?;
        let request_headers = signatures.map(|signatures| sent(&payload, (id, short.at), signatures));
        let answer_headers = document::load_if_any(row, "answer_headers")?;
        let answer = row.maybe_text("answer")?;
        found.attempts.push(AttemptRecord { answer, request_headers, answer_headers, ..short });
    }
    Ok(Some(found))
}

/// The headers of an attempt: all but the signatures follow from what was sent, and when.
fn sent(
    payload: &WebhookDelivery,
    (id, at): (DeliveryId, Timestamp),
    signatures: String,
) -> BTreeMap<String, String> {
    let headers = payload.signed(&id.to_string(), at).headers(signatures);
    headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Removes up to `limit` deliveries that ended before, with their attempts; returns how many.
pub async fn forget_old(tx: &mut Tx<System>, until: Timestamp, limit: u32) -> Result<u64> {
    let delete = quiet_system_sql!(
        "expired",
        "DELETE FROM deliveries WHERE (tenant_id, id) IN \
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
    let status = row.maybe_int("status")?;
    Ok(Some(AttemptRecord { at, took_ms, status, answer: None, request_headers: None, answer_headers: None }))
}
