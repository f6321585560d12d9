//! The result of a batch: the position moves, or the receiver is left alone for a while and the stream is deactivated in the end.

use serde_json::json;
use svc_core::events::AuditStreamDeactivated;
use svc_core::{Cx, Result, Seconds};
use svc_db::{Row, System, Tx, args, change_system_sql, quiet_system_sql};

use super::batch::Batch;
use super::destination::Destination;
use crate::delivery::Schedule;
use crate::log::{Action, Log, Meaning, change_across};

/// Longer than the longest wait between two attempts: a failure after such a silence counts from the beginning.
const SILENCE: Seconds = Seconds(30 * 3_600);

/// How an attempt to send a batch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The receiver has acknowledged all of it.
    Taken,
    /// It has not.
    Failed {
        /// What the administrator reads.
        why: String,
        /// How long the receiver asks to be left alone.
        retry_after: Option<Seconds>,
        /// Whether it will never be back (RFC 9110 §15.5.11).
        is_gone: bool,
    },
}

impl Sent {
    /// A failure of which nothing more is known.
    pub fn failed(why: impl Into<String>) -> Self {
        Self::Failed { why: why.into(), retry_after: None, is_gone: false }
    }
}

/// Writes down the outcome of a batch, unless another worker has the stream by now; a stream that has failed for longer than
/// `patience` is deactivated. Returns why, if that happened.
pub async fn settle(
    tx: &mut Tx<System>,
    cx: &Cx,
    batch: &Batch,
    (sent, patience): (&Sent, Seconds),
) -> Result<Option<&'static str>> {
    let Sent::Failed { why, retry_after, is_gone } = sent else {
        return taken(tx, cx, batch).await.map(|()| None);
    };
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET failing_since = CASE WHEN last_failed_at > $5 THEN COALESCE(failing_since, $4) ELSE $4 END, \
         last_failed_at = $4, failures = failures + 1, last_error = $6, claimed_until = 0 \
         WHERE tenant_id = $1 AND id = $2 AND claimed_until = $3 RETURNING failures, failing_since, active"
    );
    let arguments = args![batch.tenant, batch.stream, batch.claimed_until, cx.now, cx.now - SILENCE, why];
    let Some(row) = tx.optional(update, arguments).await? else { return Ok(None) };
    let wait = Schedule::FOR_EVER.wait_again(row.int("failures")?, *retry_after, &*cx.entropy);
    let pause = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET due_at = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(pause, args![batch.tenant, batch.stream, cx.now + wait]);
    let is_over = row.maybe_time("failing_since")?.is_some_and(|since| since <= cx.now - patience);
    let reason = match (*is_gone, is_over) {
        _ if !row.flag("active")? => return Ok(None),
        (true, _) => "gone",
        (false, true) => "failing",
        (false, false) => return Ok(None),
    };
    deactivate(tx, cx, batch, reason).await?;
    Ok(Some(reason))
}

/// The position moves past the batch, and the next may go out: in storage after a while, unless it would be full.
async fn taken(tx: &mut Tx<System>, cx: &Cx, batch: &Batch) -> Result<()> {
    let pause = match &batch.destination {
        Destination::S3(s3) if !batch.is_full => Seconds(i64::from(s3.interval_secs)),
        _ => Seconds(0),
    };
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET position = $4, batch_until = NULL, due_at = $6, sent_at = $5, failing_since = NULL, \
         last_failed_at = NULL, failures = 0, last_error = NULL, claimed_until = 0 \
         WHERE tenant_id = $1 AND id = $2 AND claimed_until = $3 AND position < $4"
    );
    let until = batch.range.1;
    let arguments = args![batch.tenant, batch.stream, batch.claimed_until, until, cx.now, cx.now + pause];
    tx.execute(update, arguments).await.map(|_| ())
}

async fn deactivate(tx: &mut Tx<System>, cx: &Cx, batch: &Batch, reason: &'static str) -> Result<()> {
    let update = change_system_sql!(
        "UPDATE audit_streams SET active = $3, deactivated_because = $4, owner_to_be_told = $6, updated_at = $5, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND active RETURNING id"
    );
    let arguments = args![batch.tenant, batch.stream, false, reason, cx.now, true];
    let meaning = |_: &Row| {
        let event = AuditStreamDeactivated { audit_stream_id: batch.stream, reason };
        let meaning = Meaning::done(Action::AuditStreamDeactivated, batch.stream);
        Ok((Log::Of(batch.tenant.reference()), meaning.with(json!({ "reason": reason })).telling(event)))
    };
    change_across(tx, cx, update, arguments, meaning).await?;
    Ok(())
}
