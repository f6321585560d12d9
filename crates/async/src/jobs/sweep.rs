//! Removes rows that have expired.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "sweep",
    every: Duration::from_mins(5),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let mut tx = app.db.begin_system().await?;
    let cx = cx(app, JOB.name);
    let settled = app.services.settled.look(cx.now).settled;
    let swept = svc_domain::sweep::run(&mut tx, &cx, settled).await?;
    tx.commit().await?;
    Ok(Progress { done: swept.rows, has_more: swept.has_more })
}
