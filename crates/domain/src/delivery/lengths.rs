//! What waits in the queues, for operators.

use serde::Serialize;
use svc_core::{Result, Timestamp};
use svc_db::{System, Tx, args, system_sql};
use utoipa::ToSchema;

/// A queue with what waits in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DeliveryQueue)]
pub struct QueueLength {
    /// `mails`, `sms`, `logouts`, `signals`, `webhooks` or `scim`.
    pub queue: String,
    /// Deliveries that have not ended.
    pub waiting: i64,
    /// Those of them whose next attempt is due.
    pub due: i64,
    /// Those of them that have failed before.
    pub failing: i64,
    /// Since when the oldest of those that are due is; null where none is.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub due_since: Option<Timestamp>,
}

/// What waits in each queue that is not empty.
pub async fn lengths(tx: &mut Tx<System>, now: Timestamp) -> Result<Vec<QueueLength>> {
    let select = system_sql!(
        "SELECT queue, COUNT(*) AS waiting, COUNT(CASE WHEN due_at <= $1 THEN 1 END) AS due, \
         COUNT(CASE WHEN failures > 0 THEN 1 END) AS failing, MIN(CASE WHEN due_at <= $1 THEN due_at END) AS due_since \
         FROM deliveries WHERE state = 'due' GROUP BY queue ORDER BY queue"
    );
    let rows = tx.all(select, args![now]).await?;
    let read = |row: &svc_db::Row| {
        Ok(QueueLength {
            queue: row.text("queue")?,
            waiting: row.int("waiting")?,
            due: row.int("due")?,
            failing: row.int("failing")?,
            due_since: row.maybe_time("due_since")?,
        })
    };
    rows.iter().map(read).collect()
}
