//! Leads SCIM targets along the events of their tenants, queues looks at those who may have changed, and tells the owners of targets
//! that were deactivated.

use std::time::Duration;

use svc_core::capability::Capability;
use svc_core::{Cx, Result, TenantId};
use svc_domain::delivery::scim_targets;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, of_one, owners};

pub(super) const JOB: Job = Job {
    name: "scim-targets",
    every: Duration::from_secs(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let led = lead(app).await?;
    Ok(Progress { done: led + tell_owners(app).await?, has_more: led > 0 })
}

async fn lead(app: &App) -> Result<u64> {
    let cx = cx(app, JOB.name);
    let tenants = {
        let mut tx = app.db.read_system().await?;
        scim_targets::tenants_with_work(&mut tx, &cx).await?
    };
    let mut done = 0;
    for tenant in tenants {
        done += of_one(&tenant, lead_tenant(app, &cx, tenant).await)?;
    }
    Ok(done)
}

async fn lead_tenant(app: &App, cx: &Cx, tenant: TenantId) -> Result<u64> {
    // Before the transaction: the directory may need a connection of its own.
    let found = app.services.tenants.find(tenant).await?;
    if !found.is_some_and(|tenant| tenant.offers(&app.config, &Capability::SCIM_TARGETS)) {
        return Ok(0);
    }
    let mut tx = app.db.begin(tenant).await?;
    let done = scim_targets::lead(&mut tx, cx).await?;
    tx.commit().await?;
    Ok(done)
}

async fn tell_owners(app: &App) -> Result<u64> {
    let cx = cx(app, JOB.name);
    let tenants = scim_targets::tenants_with_owners_to_tell(&mut app.db.read_system().await?).await?;
    owners::tell(app, &cx, tenants, |tx, cx, sealer| Box::pin(scim_targets::tell_owners(tx, cx, sealer)))
        .await
}
