//! Makes the parts that PostgreSQL's tables need for this month and the next; one node does it for all.

use std::time::Duration;

use svc_core::{Result, Seconds};
use svc_http::App;

use super::{Job, Progress, Reach, Workers, has_turn};

pub(super) const JOB: Job = Job {
    name: "months",
    every: Duration::from_hours(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Shorter than from one run to the next: a table that was in use is tried again within the hour.
const TURN: Seconds = Seconds(1_800);

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    if !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    app.maintenance.make_months(app.clock.now()).await.map(Progress::of)
}
