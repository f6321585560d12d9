//! Makes the successors of signing keys before their time comes, and takes in those of other nodes.

use std::time::Duration;

use svc_core::Result;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "keys",
    every: Duration::from_mins(1),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let cx = cx(app, JOB.name);
    let made = app.services.keys.rotate(&app.db, &cx).await?;
    let rewrapped = app.services.keys.rewrap(&app.maintenance, &cx).await?
        + app.services.sealers.rewrap(&app.maintenance, &cx).await?;
    app.services.keys.reload(&app.db, cx.now).await?;
    Ok(Progress::of(made + rewrapped))
}
