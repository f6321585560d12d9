//! Ends what sessions have allowed whose provider's word counts no more; one node does it for all.

use std::time::Duration;

use svc_core::{Result, Seconds};
use svc_domain::people::withdrawn;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, has_turn, of_one};

pub(super) const JOB: Job = Job {
    name: "sessions",
    every: Duration::from_secs(1),
    reach: Reach::ControlPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Longer than from one run to the next.
const TURN: Seconds = Seconds(60);
/// Sessions of one run.
const BATCH: u32 = 50;

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let waiting = withdrawn::waiting(&app.db, BATCH).await?;
    // In this order: a look each second costs less than a lease.
    if waiting.is_empty() || !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    let cx = cx(app, JOB.name);
    let mut done: u64 = 0;
    for one in &waiting {
        done += of_one(&one.tenant, withdrawn::end(&app.db, &cx, one).await.map(|()| 1_u64))?;
    }
    Ok(Progress::of_batch(done, BATCH))
}
