//! Brings what processes of an earlier version have stored into the form of this one: what waits to be delivered moves to
//! the one queue, credentials are sealed.

use std::time::Duration;

use svc_core::Result;
use svc_domain::delivery::{self, signals};
use svc_http::App;
use svc_keys::Purpose;

use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "earlier",
    every: Duration::from_mins(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let cx = cx(app, JOB.name);
    let (tenants, with_readable) = {
        let mut tx = app.maintenance.read_system().await?;
        (delivery::tenants_with_earlier(&mut tx).await?, signals::tenants_with_readable(&mut tx).await?)
    };
    let mut done = 0;
    for tenant in with_readable {
        let sealer = app.services.sealers.of(tenant, Purpose::Credentials, &cx).await?;
        let mut tx = app.maintenance.begin(tenant).await?;
        done += signals::seal_readable(&mut tx, &cx, &sealer).await?;
        tx.commit().await?;
    }
    for tenant in tenants {
        let sealer = app.services.sealers.of(tenant, Purpose::Messages, &cx).await?;
        let mut tx = app.maintenance.begin(tenant).await?;
        let moved = delivery::adopt(&mut tx, &cx, &sealer).await?;
        tx.commit().await?;
        done += u64::try_from(moved).unwrap_or_default();
    }
    Ok(Progress { done, has_more: done > 0 })
}
