//! Moves what processes of an earlier version have queued in tables of their own to the one delivery queue.

use std::time::Duration;

use svc_core::Result;
use svc_domain::delivery;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "earlier",
    every: Duration::from_mins(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let cx = cx(app, JOB.name);
    let tenants = {
        let mut tx = app.db.read_system().await?;
        delivery::tenants_with_earlier(&mut tx).await?
    };
    let mut moved = 0;
    for tenant in tenants {
        let mut tx = app.db.begin(tenant).await?;
        moved += delivery::adopt(&mut tx, &cx, &app.services.messages).await?;
        tx.commit().await?;
    }
    Ok(Progress { done: u64::try_from(moved).unwrap_or_default(), has_more: moved > 0 })
}
