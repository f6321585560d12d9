//! Writes when client secrets were last used, from this process's memory.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers};

pub(super) const JOB: Job = Job {
    name: "secrets",
    every: Duration::from_mins(1),
    reach: Reach::EveryProcess,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let uses = app.services.secret_uses.flush(&app.db, app.clock.now()).await?;
    Ok(Progress::of(u64::try_from(uses).unwrap_or_default()))
}
