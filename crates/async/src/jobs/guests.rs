//! Deletes guests that are not used any more; one node does it for all.

use std::time::Duration;

use svc_core::{Result, Seconds};
use svc_domain::people::guests;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, has_turn};

pub(super) const JOB: Job = Job {
    name: "guests",
    every: Duration::from_mins(5),
    reach: Reach::ControlPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Longer than from one run to the next.
const TURN: Seconds = Seconds(600);
/// Guests of one run.
const BATCH: u32 = 50;

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    if !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    let cx = cx(app, JOB.name);
    let lifetime = Seconds::from_days(app.config.anonymous.lifetime_days);
    let settled = app.services.settled.look(cx.now).settled;
    let done = guests::end_unused(&app.db, &cx, (settled - lifetime, BATCH)).await?;
    Ok(Progress::of_batch(done, BATCH))
}
