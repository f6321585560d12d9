//! Takes in what other processes changed: tenants, applications, APIs, keys and, above all, revocations.

use std::sync::PoisonError;
use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers};

pub(super) const JOB: Job = Job {
    name: "sync",
    every: Duration::from_secs(1),
    reach: Reach::EveryProcess,
    // A process that does not hear of revocations accepts dead tokens.
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, workers: &Workers) -> Result<Progress> {
    let now = app.clock.now();
    let since = *workers.synced_at.lock().unwrap_or_else(PoisonError::into_inner);
    app.services.sync(&app.db, since, now).await?;
    // Only now: what a failed run missed is asked for again.
    *workers.synced_at.lock().unwrap_or_else(PoisonError::into_inner) = now;
    Ok(Progress::default())
}
