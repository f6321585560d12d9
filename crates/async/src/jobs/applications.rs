//! Takes applications that unregistered themselves out of the sign-up fields and hooks that name them; one node does it for all.

use std::time::Duration;

use svc_core::{Result, Seconds};
use svc_domain::app_deletion;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, has_turn};

pub(super) const JOB: Job = Job {
    name: "applications",
    every: Duration::from_mins(5),
    reach: Reach::ControlPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Longer than from one run to the next.
const TURN: Seconds = Seconds(600);

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    if !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    Ok(Progress::of(app_deletion::forget_gone(&app.db, &cx(app, JOB.name)).await?))
}
