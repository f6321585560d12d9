//! Keeps the file of SQLite small and its plans good; PostgreSQL's autovacuum does this by itself.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers};

pub(super) const JOB: Job = Job {
    name: "optimize",
    every: Duration::from_hours(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Pages of the file from which on what SQLite knows of its tables counts (64 MiB). In a small file every plan is quick, and what was
/// counted there would mislead when it grows.
const WORTH_COUNTING: u32 = 16_384;
/// Most pages that one run gives back (1 MiB): writers wait meanwhile, and have their turns between two runs. What is committed now is on
/// its way through several transactions, and each of them may wait for a run.
const AT_ONCE: u32 = 256;

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let done = app.db.optimize(WORTH_COUNTING, AT_ONCE).await?;
    Ok(Progress::of_batch(done, AT_ONCE))
}
