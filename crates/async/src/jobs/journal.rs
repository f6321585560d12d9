//! Writes the audit entries and events of client-credentials tokens, one per application, audience and run; and what policies
//! decided.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "journal",
    every: Duration::from_millis(200),
    reach: Reach::EveryProcess,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let waiting = u32::try_from(app.services.journal.waiting()).unwrap_or(u32::MAX);
    metrics::gauge!("token_journal_waiting").set(waiting);
    let entries = app.services.journal.flush(&app.db, &cx(app, JOB.name)).await?;
    let decisions = app.services.policies.decisions.flush(&app.db).await?;
    Ok(Progress::of(u64::try_from(entries + decisions).unwrap_or_default()))
}
