//! Asks `svc-kms` whether it is well, and takes in a root that an operator has rotated.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::keyring::take_in;
use super::{Job, Progress, Reach, Workers};

pub(super) const JOB: Job = Job {
    name: "key-management",
    every: Duration::from_secs(1),
    reach: Reach::EveryProcess,
    // What needs a key that is not in memory fails without it.
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    match app.services.custody.look().await? {
        Some(versions) => take_in(app, versions, JOB.name).await,
        None => Ok(Progress::default()),
    }
}
