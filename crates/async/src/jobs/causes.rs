//! Puts what has happened to people into the event streams of those who asked for it (OpenID SSF).

use std::time::Duration;

use svc_core::capability::Capability;
use svc_core::{Cx, Result, TenantId};
use svc_domain::delivery::signals;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, of_one};

pub(super) const JOB: Job = Job {
    name: "causes",
    every: Duration::from_secs(1),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let cx = cx(app, JOB.name);
    let mut tx = app.db.begin_system().await?;
    let mut done = signals::spread(&mut tx, &cx).await?;
    let tenants = signals::tenants_with_causes(&mut tx).await?;
    tx.commit().await?;
    for tenant in tenants {
        done += of_one(&tenant, tell(app, &cx, tenant).await)?;
    }
    Ok(Progress { done, has_more: done > 0 })
}

async fn tell(app: &App, cx: &Cx, tenant: TenantId) -> Result<u64> {
    // Before the transaction: the directory may need a connection of its own.
    let found = app.services.tenants.find(tenant).await?;
    if found.as_ref().is_some_and(|tenant| tenant.is_paused(&Capability::SIGNALS)) {
        return Ok(0);
    }
    let sends = found.filter(|tenant| tenant.offers(&app.config, &Capability::SIGNALS));
    let issuer = sends.map(|tenant| tenant.issuer.clone());
    let mut tx = app.db.begin(tenant).await?;
    let done = signals::fan_out(&mut tx, cx, issuer.as_deref()).await?;
    tx.commit().await?;
    Ok(done)
}
