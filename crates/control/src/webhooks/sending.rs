//! What an administrator has sent: a test, a delivery again, or a range of time again.

use serde::{Deserialize, Serialize};
use svc_core::{DeliveryId, Result, Timestamp, WebhookId};
use svc_domain::delivery::webhooks::{self, DeliveryRecord};
use svc_http::{Json, Path, Problem, TenantCx};
use utoipa::ToSchema;

use super::find;
use crate::resource::Resource;
use crate::unknown;

/// The range of time whose events are sent again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z" })))]
struct WebhookReplay {
    /// From this time on.
    #[schema(value_type = String, format = "date-time")]
    from: Timestamp,
    /// Before this time.
    #[schema(value_type = String, format = "date-time")]
    to: Timestamp,
}

/// The events that are being sent again.
#[derive(Debug, Serialize, ToSchema)]
struct WebhookReplayed {
    /// How many events of that time there are; those that the subscription asks for become deliveries.
    events: i64,
}

/// The calls that send something.
pub(super) fn routes(resource: Resource) -> Resource {
    resource
        .post("{id}/test", "Send a test to a subscription", test)
        .post("{id}/replay", "Send the events of a range of time to a subscription again", replay_range)
        .post(
            "{id}/deliveries/{delivery_id}/replay",
            "Send the event of a delivery again, as a new delivery",
            replay,
        )
}

async fn test(caller: TenantCx, Path(id): Path<WebhookId>) -> Result<Json<DeliveryRecord>, Problem> {
    let mut tx = caller.begin().await?;
    let webhook = find(&mut tx, id).await?;
    let delivery = webhooks::test(&mut tx, &caller, &webhook).await?;
    let made = webhooks::delivery(&mut tx, id, delivery).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    Ok(Json(made))
}

async fn replay(
    caller: TenantCx,
    Path((id, delivery)): Path<(WebhookId, DeliveryId)>,
) -> Result<Json<DeliveryRecord>, Problem> {
    let mut tx = caller.begin().await?;
    let webhook = find(&mut tx, id).await?;
    let again = webhooks::replay(&mut tx, &caller, &webhook, delivery).await?;
    let made = webhooks::delivery(&mut tx, id, again).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    Ok(Json(made))
}

async fn replay_range(
    caller: TenantCx,
    Path(id): Path<WebhookId>,
    Json(WebhookReplay { from, to }): Json<WebhookReplay>,
) -> Result<Json<WebhookReplayed>, Problem> {
    let mut tx = caller.begin().await?;
    let webhook = find(&mut tx, id).await?;
    let events = webhooks::replay_range(&mut tx, &caller, &webhook, (from, to)).await?;
    tx.commit().await?;
    Ok(Json(WebhookReplayed { events }))
}
