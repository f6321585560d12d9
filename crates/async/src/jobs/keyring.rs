//! Takes in a keyring that an operator has rotated: the file is read again, so that no node has to be restarted.

use std::time::Duration;

use svc_core::{Error, OrInternal as _, Result};
use svc_domain::keys::keyrings;
use svc_http::App;
use svc_keys::Versions;
use svc_keys::keyring::file;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "keyring",
    every: Duration::from_mins(1),
    reach: Reach::EveryProcess,
    // The present keyring goes on to work; what is wrong with the file is logged at each run.
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let Some(path) = app.config.keyring_path() else { return Ok(Progress::default()) };
    let read = tokio::task::spawn_blocking(move || file::read(&path)).await.or_internal()?;
    let versions = read?.ok_or_else(|| Error::internal("the keyring file is gone; put it back"))?;
    take_in(app, versions, JOB.name).await
}

/// Seals with these versions from now on, if they continue those that the database has met.
pub(super) async fn take_in(app: &App, versions: Versions, job: &'static str) -> Result<Progress> {
    if versions.fingerprints() == app.services.keyring.versions().fingerprints() {
        return Ok(Progress::default());
    }
    let mut tx = app.db.begin_system().await?;
    keyrings::admit(&mut tx, &cx(app, job), &versions.fingerprints()).await?;
    tx.commit().await?;
    app.services.keyring.replace(versions);
    tracing::info!(keys = app.services.keyring.versions().shown(), "the keyring was read again");
    Ok(Progress::of(1))
}
