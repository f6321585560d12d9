//! Events that an administrator has sent again: one delivery, or what happened in a range of time.

use serde_json::json;
use svc_core::{Cx, DeliveryId, Error, Result, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql, sql};

use super::MOST_WAITING;
use super::payload::{self, WebhookDelivery, check_active, put_first};
use super::subscriptions::Webhook;
use crate::log::{Action, Meaning, change, positions, record};

/// Sends a delivery again, in a delivery of its own; returns that one.
pub async fn replay(tx: &mut Tx<Tenant>, cx: &Cx, webhook: &Webhook, id: DeliveryId) -> Result<DeliveryId> {
    let stored = payload::stored(tx, webhook.id, id).await?;
    let stored = stored.ok_or_else(|| Error::unknown_id())?;
    check_active(webhook)?;
    check_room(tx, webhook).await?;
    let again = put_first(tx, cx, webhook.id, WebhookDelivery { replay_of: Some(id), ..stored })?;
    let facts = json!({ "webhook_id": webhook.id, "replayed_as": again });
    record(tx, cx, Meaning::done(Action::WebhookDeliveryReplayed, id).with(facts));
    Ok(again)
}

/// Refuses a delivery more where the receiver does not take those that wait: `rate_limited`.
async fn check_room(tx: &mut Tx<Tenant>, webhook: &Webhook) -> Result<()> {
    let count = sql!(
        "SELECT COUNT(*) AS count FROM deliveries WHERE tenant_id = $1 AND queue || '' = 'webhooks' AND receiver = $2 \
         AND state = 'due'"
    );
    if tx.one(count, args![webhook.id]).await?.int("count")? < 2 * MOST_WAITING {
        return Ok(());
    }
    Err(Error::rate_limited("too many deliveries wait for this receiver; try again when it has taken some")
        .retry_after(60))
}

/// Sends again what happened from `from` on and before `to`, as far as the log of events goes back; returns how many events that are.
/// Those that the subscription asks for now become deliveries, a few at a time.
pub async fn replay_range(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    webhook: &Webhook,
    (from, to): (Timestamp, Timestamp),
) -> Result<i64> {
    check_active(webhook)?;
    if from >= to {
        return Err(Error::bad_request("from: give a time before `to`"));
    }
    let meaning =
        Meaning::done(Action::WebhookRangeReplayed, webhook.id).with(json!({ "from": from, "to": to }));
    let Some((first, last, count)) = positions::of_range(tx, (from, to)).await? else {
        record(tx, cx, meaning);
        return Ok(0);
    };
    let update = change_sql!(
        "UPDATE webhooks SET replay_position = $3, replay_until = $4, replay_from = $5, replay_before = $6 \
         WHERE tenant_id = $1 AND id = $2 AND replay_position IS NULL"
    );
    if change(tx, cx, update, args![webhook.id, first - 1, last, from, to], meaning).await? == 0 {
        return Err(Error::conflict("another range is being sent again; wait until that is done"));
    }
    Ok(count)
}
