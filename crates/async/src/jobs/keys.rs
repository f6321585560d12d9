//! Moves signing keys along: announced before they sign, published until their last token has expired.

use svc_core::{Result, Seconds};
use svc_http::App;

use super::{Job, Progress, Reach, Workers};

pub(super) const JOB: Job = Job {
    name: "keys",
    every: Seconds(60),
    // Without key management every process holds keys of its own.
    reach: Reach::EveryProcess,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let mut tx = app.db.begin_system().await?;
    let has_changed = app.services.keys.rotate(&mut tx, app.clock.now()).await?;
    tx.commit().await?;
    if has_changed {
        tracing::info!("signing keys were rotated");
    }
    Ok(Progress::of(u64::from(has_changed)))
}
