//! Forgets counters, leases and seen-once marks that have expired, in this process and in the shared store.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers};

pub(super) const JOB: Job = Job {
    name: "coordination",
    every: Duration::from_mins(1),
    reach: Reach::EveryProcess,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    app.coordination.sweep(app.clock.now()).await.map(Progress::of)
}
