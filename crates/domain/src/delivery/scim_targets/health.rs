//! How a target is doing: one that takes nothing is left alone for a while, and after days it is deactivated.

use svc_core::{Cx, Result, Seconds};
use svc_db::{Row, System, Tx, args, quiet_system_sql};

use super::deactivation::deactivate;
use super::look::ScimLook;
use super::settling::Place;
use crate::delivery::{Queue as _, Schedule};

/// Longer than the longest wait between two attempts: a failure after such a silence counts from the beginning.
const SILENCE: Seconds = Seconds(30 * 3_600);

/// A target that took something is well.
pub(super) async fn took(tx: &mut Tx<System>, cx: &Cx, place: &Place) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET succeeded_at = $3, failing_since = NULL, failures = 0, held_until = 0 \
         WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![place.tenant, place.target, cx.now]).await.map(|_| ())
}

pub(super) async fn target_says(tx: &mut Tx<System>, cx: &Cx, place: &Place, why: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET last_failed_at = $3, last_error = $4 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![place.tenant, place.target, cx.now, why]).await.map(|_| ())
}

/// Notes that a target could not take something, and leaves it alone for a while where nothing else would be taken either. What ends
/// while it is left alone began before, and says nothing new.
pub(super) async fn failing(
    tx: &mut Tx<System>,
    cx: &Cx,
    place: &Place,
    (why, pause): (&str, Option<Seconds>),
    patience: Seconds,
) -> Result<Option<&'static str>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET failing_since = CASE WHEN last_failed_at > $5 THEN COALESCE(failing_since, $3) ELSE $3 END, \
         last_failed_at = $3, last_error = $4, failures = CASE WHEN held_until > $3 THEN failures ELSE failures + 1 END \
         WHERE tenant_id = $1 AND id = $2 AND active RETURNING failures, failing_since, held_until"
    );
    let arguments = args![place.tenant, place.target, cx.now, why, cx.now - SILENCE];
    let Some(row) = tx.optional(update, arguments).await? else { return Ok(None) };
    if let Some(asked) = pause
        && row.time("held_until")? <= cx.now
    {
        leave_alone(tx, cx, place, &row, asked).await?;
    }
    if row.maybe_time("failing_since")?.is_some_and(|since| since <= cx.now - patience) {
        deactivate(tx, cx, (place.tenant, place.target), "failing").await?;
        return Ok(Some("failing"));
    }
    Ok(None)
}

async fn leave_alone(tx: &mut Tx<System>, cx: &Cx, place: &Place, row: &Row, asked: Seconds) -> Result<()> {
    let until = cx.now + Schedule::FOR_EVER.wait_again(row.int("failures")?, Some(asked), &*cx.entropy);
    let hold = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET held_until = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(hold, args![place.tenant, place.target, until]).await?;
    let postpone = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $4 WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' \
         AND due_at < $4"
    );
    let arguments = args![place.tenant, ScimLook::QUEUE, place.target, until];
    tx.execute(postpone, arguments).await.map(|_| ())
}
