//! `/api/v1/control-plane/queues`: what waits to be delivered.

use serde::Serialize;
use svc_core::Result;
use svc_domain::delivery::{QueueLength, lengths};
use svc_domain::people::operators::Role;
use svc_http::{Json, OperatorCx, Problem, Route, Routes};
use utoipa::ToSchema;

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([Route::get("/api/v1/control-plane/queues")
        .operator(Role::Viewer, list)
        .summary("See what waits in the delivery queues")
        .describe("How jobs and attempts went is among the metrics, for all processes.")])
}

/// The queues in which something waits.
#[derive(Debug, Serialize, ToSchema)]
struct DeliveryQueues {
    queues: Vec<QueueLength>,
}

async fn list(caller: OperatorCx) -> Result<Json<DeliveryQueues>, Problem> {
    let mut tx = caller.app.db.read_system().await?;
    Ok(Json(DeliveryQueues { queues: lengths(&mut tx, caller.now).await? }))
}
