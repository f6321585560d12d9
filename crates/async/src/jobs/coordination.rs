//! Forgets counters, leases and seen-once marks that have expired, in this process and in the shared store, and keeps the
//! time that has settled.

use std::time::Duration;

use svc_core::Result;
use svc_domain::coordination::clock;
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
    let expired = app.services.settled.look(app.clock.now());
    clock::keep(&app.db, expired.settled).await?;
    app.coordination.sweep(expired).await.map(Progress::of)
}
