//! What was delivered to a subscription, and what its receiver said.

use serde::Deserialize;
use svc_core::{DeliveryId, Result, WebhookId};
use svc_domain::delivery::webhooks::{self, DeliveryRecord, DeliveryState, HistoryFilter};
use svc_http::{Json, List, Listing, Path, Problem, TenantCx};
use utoipa::IntoParams;

use super::find;
use crate::resource::Resource;
use crate::{events, unknown};

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only those in this state.
    #[param(inline, nullable = false)]
    state: Option<DeliveryState>,
    /// Only those of events of this type, one of `/api/v1/event-types`.
    #[param(nullable = false)]
    event_type: Option<String>,
}

/// The reads of the history.
pub(super) fn routes(resource: Resource) -> Resource {
    resource.get("{id}/deliveries", "List the deliveries of a subscription, newest first", list).get(
        "{id}/deliveries/{delivery_id}",
        "Read a delivery with what was sent and answered",
        read,
    )
}

async fn list(
    caller: TenantCx,
    Path(id): Path<WebhookId>,
    Listing { filter, page }: Listing<DeliveryId, Filter>,
) -> Result<Json<List<DeliveryRecord>>, Problem> {
    let event_type = filter.event_type.as_deref();
    events::check_type("event_type", event_type)?;
    let mut tx = caller.read().await?;
    find(&mut tx, id).await?;
    let wanted = HistoryFilter { state: filter.state, event_type };
    let found = webhooks::history(&mut tx, id, wanted, (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |delivery: &DeliveryRecord| delivery.id)?))
}

async fn read(
    caller: TenantCx,
    Path((id, delivery)): Path<(WebhookId, DeliveryId)>,
) -> Result<Json<DeliveryRecord>, Problem> {
    let mut tx = caller.read().await?;
    let found = webhooks::delivery(&mut tx, id, delivery).await?;
    Ok(Json(found.ok_or_else(unknown)?))
}
