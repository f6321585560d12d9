//! Writes the audit entries and events of client-credentials tokens, one per application, audience and run.

use svc_core::{Result, Seconds};
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "journal",
    every: Seconds(1),
    reach: Reach::EveryProcess,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let entries = app.services.journal.flush(&app.db, &cx(app, JOB.name)).await?;
    Ok(Progress::of(u64::try_from(entries).unwrap_or_default()))
}
