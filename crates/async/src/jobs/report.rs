//! Reports this process and how its jobs are doing, for operators.

use std::time::Duration;

use svc_core::Result;
use svc_domain::coordination::processes::{self, REPORTED};
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "report",
    every: Duration::from_secs(REPORTED.0.unsigned_abs()),
    reach: Reach::EveryProcess,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, workers: &Workers) -> Result<Progress> {
    let process = workers.board.report(app, &cx(app, JOB.name));
    let mut tx = app.db.begin_system().await?;
    processes::report(&mut tx, &process).await?;
    tx.commit().await?;
    Ok(Progress::default())
}
