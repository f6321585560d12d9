//! Removes rows that have expired; one node does it for all.

use std::time::Duration;

use svc_core::{Result, Seconds};
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, has_turn};

pub(super) const JOB: Job = Job {
    name: "sweep",
    every: Duration::from_mins(5),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Longer than from one run to the next.
const TURN: Seconds = Seconds(600);

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    if !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    let cx = cx(app, JOB.name);
    let settled = app.services.settled.look(cx.now).settled;
    let history = Seconds::from_days(app.config.webhooks.retention_days);
    let swept = svc_domain::sweep::run(&app.maintenance, &cx, settled, history).await?;
    Ok(Progress { done: swept.rows, has_more: swept.has_more })
}
