//! How a receiver is doing: how each attempt ended is written down with its end, a receiver that takes nothing is left alone for
//! a while, and after days its subscription is deactivated.

use std::collections::BTreeMap;

use serde_json::json;
use svc_core::events::WebhookDeactivated;
use svc_core::{Cx, OrInternal as _, Result, Seconds, TenantId, Timestamp, WebhookId};
use svc_db::{Row, System, Tenant, Tx, args, change_system_sql, quiet_sql, quiet_system_sql};

use super::payload::WebhookDelivery;
use crate::delivery::{Delivery, Held, Outcome, Queue as _};
use crate::document;
use crate::log::{Action, Log, Meaning, change_across};

/// Attempts in a row that fail before a receiver is left alone.
const PATIENCE: i64 = 4;
/// How long it is left alone at first; twice as long after each attempt that fails again.
const FIRST_PAUSE: Seconds = Seconds(5);
const LONGEST_PAUSE: Seconds = Seconds(900);
/// Longer than the longest wait between two attempts of a delivery, with its jitter: a failure after such a silence counts from the beginning.
const SILENCE: Seconds = Seconds(30 * 3_600);
/// Longer than an attempt takes: what else waits comes after the one that finds out whether the receiver is back.
const PROBE: Seconds = Seconds(20);

/// How an attempt ended.
#[derive(Clone, Debug)]
pub struct Attempted {
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// The status of the answer; nothing where there was none.
    pub status: Option<u16>,
    /// The beginning of the answer, without the secrets of the subscription, or why there was none.
    pub answer: String,
    /// The signatures of the request, as their header has them; nothing where nothing was sent.
    pub signatures: Option<String>,
    /// The headers of the answer that are kept, by name; nothing where there was none.
    pub answer_headers: Option<BTreeMap<String, String>>,
}

impl Attempted {
    /// Whether the receiver says that it will never be back (RFC 9110 §15.5.11).
    fn is_gone(&self) -> bool {
        self.status == Some(410)
    }
}

/// Takes hold of the subscription, whose deliveries stay then. Whatever changes both takes them in this order.
pub async fn hold(tx: &mut Tx<System>, due: &Delivery<WebhookDelivery>) -> Result<Held> {
    let update = quiet_system_sql!(
        "holds a row",
        "UPDATE webhooks SET position = position WHERE tenant_id = $1 AND id = $2 RETURNING failing_since"
    );
    let Some(row) = tx.optional(update, args![due.tenant, &due.receiver]).await? else {
        return Ok(Held::Gone);
    };
    Ok(if row.maybe_time("failing_since")?.is_some() { Held::Failing } else { Held::Well })
}

/// An attempt that is to be written down.
#[derive(Clone, Copy)]
pub struct Noted<'a> {
    /// What was tried.
    pub due: &'a Delivery<WebhookDelivery>,
    /// What became of it.
    pub outcome: Outcome,
    /// How it went.
    pub attempted: &'a Attempted,
}

/// Writes down how attempts of one subscription, which is held, ended, in their order; one that has failed for longer than `patience`
/// is deactivated. Returns why, if that happened.
pub async fn note(
    tx: &mut Tx<System>,
    cx: &Cx,
    (held, of_one): (Held, &[Noted<'_>]),
    patience: Seconds,
) -> Result<Option<&'static str>> {
    let mut is_failing = held != Held::Well;
    let (mut is_back, mut reason) = (None, None);
    keep(tx, of_one)?;
    for noted in of_one {
        let whose = (noted.due.tenant, noted.due.receiver.parse().or_internal()?);
        if noted.outcome == Outcome::Taken {
            is_back = is_failing.then_some(whose);
            continue;
        }
        if let Some(whose) = is_back.take() {
            took(tx, cx, whose);
        }
        reason = fell(tx, cx, (whose, noted), patience).await?.or(reason);
        is_failing = true;
    }
    if let Some(whose) = is_back {
        took(tx, cx, whose);
    }
    Ok(reason)
}

/// How many attempts one statement writes down.
const TOGETHER: usize = 8;

/// Writes down attempts of one tenant, in few statements.
fn keep(tx: &mut Tx<System>, all: &[Noted<'_>]) -> Result<()> {
    let insert = quiet_system_sql!(
        "delivers what was recorded",
        "INSERT INTO webhook_attempts (tenant_id, delivery_id, number, at, took_ms, status, answer, signatures, answer_headers) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($1, $10, $11, $12, $13, $14, $15, $16, $17), \
         ($1, $18, $19, $20, $21, $22, $23, $24, $25), ($1, $26, $27, $28, $29, $30, $31, $32, $33), \
         ($1, $34, $35, $36, $37, $38, $39, $40, $41), ($1, $42, $43, $44, $45, $46, $47, $48, $49), \
         ($1, $50, $51, $52, $53, $54, $55, $56, $57), ($1, $58, $59, $60, $61, $62, $63, $64, $65) \
         ON CONFLICT (tenant_id, delivery_id, number) DO NOTHING"
    );
    for some in all.chunks(TOGETHER) {
        let Some(last) = some.last() else { continue };
        let mut arguments = args![last.due.tenant].to_vec();
        // A statement has as many places as it has: the last one stands in those that are left, and is written once.
        for at in 0..TOGETHER {
            let Noted { due, attempted, .. } = some.get(at).unwrap_or(last);
            let Attempted { at, took_ms, status, answer, signatures, answer_headers } = attempted;
            let headers = answer_headers.as_ref().map(document::store).transpose()?;
            let (number, status) = (due.failures + 1, status.map(i64::from));
            let told = args![due.id, number, *at, *took_ms, status, answer, signatures.as_deref(), headers];
            arguments.extend(told.to_vec());
        }
        tx.later(insert, &arguments);
    }
    Ok(())
}

/// Notes an attempt that has not been taken; returns why the subscription was deactivated, if that follows.
async fn fell(
    tx: &mut Tx<System>,
    cx: &Cx,
    (whose, Noted { outcome, attempted, .. }): ((TenantId, WebhookId), &Noted<'_>),
    patience: Seconds,
) -> Result<Option<&'static str>> {
    let is_down = *outcome != Outcome::Over;
    let since = failed(tx, cx, whose, is_down).await?;
    let reason = match since {
        Some(_) if attempted.is_gone() => "gone",
        Some(since) if since <= cx.now - patience => "failing",
        _ => return Ok(None),
    };
    deactivate(tx, cx, whose, reason).await?;
    Ok(Some(reason))
}

/// A receiver that took something is well, and gets what was held back.
fn took(tx: &mut Tx<System>, cx: &Cx, (tenant, webhook): (TenantId, WebhookId)) {
    let release = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $4 WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' \
         AND due_at = (SELECT held_until FROM webhooks WHERE tenant_id = $1 AND id = $3 AND failing_since IS NOT NULL)"
    );
    tx.later(release, args![tenant, WebhookDelivery::QUEUE, webhook, cx.now]);
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE webhooks SET failing_since = NULL, last_failed_at = NULL, failures = 0, held_until = NULL \
         WHERE tenant_id = $1 AND id = $2 AND failing_since IS NOT NULL"
    );
    tx.later(update, args![tenant, webhook]);
}

/// Notes a failure, and leaves a receiver alone that `is_down` for the last of several attempts; returns since when it has taken
/// nothing, unless it is deactivated. Attempts that end while it is left alone began before, and say nothing new.
async fn failed(
    tx: &mut Tx<System>,
    cx: &Cx,
    (tenant, webhook): (TenantId, WebhookId),
    is_down: bool,
) -> Result<Option<Timestamp>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE webhooks SET failing_since = CASE WHEN last_failed_at > $6 THEN COALESCE(failing_since, $3) ELSE $3 END, \
         last_failed_at = $3, failures = CASE WHEN held_until > $4 THEN failures ELSE failures + $5 END \
         WHERE tenant_id = $1 AND id = $2 AND active RETURNING failures, failing_since, held_until"
    );
    let is_down_now = i64::from(is_down);
    let arguments = args![tenant, webhook, cx.now, cx.now + PROBE, is_down_now, cx.now - SILENCE];
    let Some(row) = tx.optional(update, arguments).await? else { return Ok(None) };
    let (failures, held_until) = (row.int("failures")?, row.maybe_time("held_until")?);
    let is_left_alone = held_until.is_some_and(|until| until > cx.now + PROBE);
    if is_down && failures >= PATIENCE && !is_left_alone {
        leave_alone(tx, cx, (tenant, webhook), (pause(failures), held_until));
    }
    row.maybe_time("failing_since")
}

/// How long a receiver is left alone after so many failures.
fn pause(failures: i64) -> Seconds {
    let doublings = u32::try_from(failures - PATIENCE).unwrap_or_default().min(16);
    Seconds((FIRST_PAUSE.0 << doublings).min(LONGEST_PAUSE.0))
}

/// Holds back what has not been tried yet, but for the oldest: that one finds out after the pause whether the receiver is back.
fn leave_alone(
    tx: &mut Tx<System>,
    cx: &Cx,
    (tenant, webhook): (TenantId, WebhookId),
    (pause, held_before): (Seconds, Option<Timestamp>),
) {
    let (probe_at, until) = (cx.now + pause, cx.now + pause + PROBE);
    let hold = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $4 WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 AND state = 'due' \
         AND failures = 0 AND (due_at <= $5 OR due_at = $6)"
    );
    let queue = WebhookDelivery::QUEUE;
    tx.later(hold, args![tenant, queue, webhook, until, cx.now, held_before]);
    let probe = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $5 WHERE tenant_id = $1 AND state = 'due' AND id IN (SELECT id FROM deliveries \
         WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' AND due_at = $4 \
         ORDER BY happened_at, id LIMIT 1)"
    );
    tx.later(probe, args![tenant, queue, webhook, until, probe_at]);
    hold_until(tx, (tenant, webhook), until);
}

fn hold_until(tx: &mut Tx<System>, (tenant, webhook): (TenantId, WebhookId), until: Timestamp) {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE webhooks SET held_until = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![tenant, webhook, until]);
}

/// Deactivates a subscription with what waits for it.
async fn deactivate(
    tx: &mut Tx<System>,
    cx: &Cx,
    (tenant, webhook): (TenantId, WebhookId),
    reason: &'static str,
) -> Result<()> {
    let update = change_system_sql!(
        "UPDATE webhooks SET active = $3, deactivated_because = $4, owner_to_be_told = $6, updated_at = $5, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND active RETURNING id"
    );
    let arguments = args![tenant, webhook, false, reason, cx.now, true];
    let meaning = |_: &Row| {
        let event = WebhookDeactivated { webhook_id: webhook, reason };
        let meaning = Meaning::done(Action::WebhookDeactivated, webhook).with(json!({ "reason": reason }));
        Ok((Log::Of(tenant.reference()), meaning.telling(event)))
    };
    change_across(tx, cx, update, arguments, meaning).await?;
    let drop = quiet_system_sql!(
        "goes with the subscription, whose change is recorded",
        "UPDATE deliveries SET state = 'failed', due_at = NULL WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 \
         AND state = 'due'"
    );
    tx.later(drop, args![tenant, WebhookDelivery::QUEUE, webhook]);
    Ok(())
}

/// What waits for a subscription that is deactivated is not sent; it stays in the history as failed.
pub(super) fn drop_waiting(tx: &mut Tx<Tenant>, webhook: WebhookId) {
    let drop = quiet_sql!(
        "goes with the subscription, whose change is recorded",
        "UPDATE deliveries SET state = 'failed', due_at = NULL WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 \
         AND state = 'due'"
    );
    tx.later(drop, args![WebhookDelivery::QUEUE, webhook]);
}

/// The receiver is another one now, which has not failed yet: it gets what was held back.
pub(super) fn forgive(tx: &mut Tx<Tenant>, cx: &Cx, webhook: WebhookId) {
    // What is under way is due when its lease is over.
    let release = quiet_sql!(
        "goes with the subscription, whose change is recorded",
        "UPDATE deliveries SET due_at = $4 WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 AND state = 'due' \
         AND failures = 0 AND due_at > $4 AND (leased_until IS NULL OR due_at <> leased_until)"
    );
    tx.later(release, args![WebhookDelivery::QUEUE, webhook, cx.now]);
    let update = quiet_sql!(
        "goes with the subscription, whose change is recorded",
        "UPDATE webhooks SET failing_since = NULL, last_failed_at = NULL, failures = 0, held_until = NULL \
         WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![webhook]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_left_alone_for_longer_and_longer_but_never_for_more_than_a_quarter_of_an_hour() {
        let pauses = [4, 5, 6, 11, 12, 1_000].map(|failures| pause(failures).0);
        assert_eq!(pauses, [5, 10, 20, 640, 900, 900]);
    }
}
