//! Looks for the proofs of verified domains again, which lapse when they are missing for too long; one node does it for all.

use std::time::Duration;

use svc_core::{OrganizationDomainId, OrganizationId, Result, Seconds, TenantId};
use svc_domain::delivery::lapsed_domains;
use svc_domain::organizations::domains::{self, Status};
use svc_http::{App, domain_proof};
use svc_keys::Purpose;

use super::{Job, Progress, Reach, Workers, cx, has_turn};

pub(super) const JOB: Job = Job {
    name: "domains",
    every: Duration::from_mins(1),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Longer than a batch takes at the most.
const TURN: Seconds = Seconds(300);
/// Proofs of one run: each may take some seconds.
const BATCH: u32 = 16;

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let now = app.clock.now();
    if !app.config.verified_domains.enabled || !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    let interval = Seconds::from_hours(app.config.verified_domains.recheck_hours);
    let due = domains::due(&mut app.db.read_system().await?, now - interval, BATCH).await?;
    for id in &due {
        check(app, *id).await?;
    }
    let done = due.len() as u64;
    Ok(Progress::of_batch(done, BATCH))
}

async fn check(
    app: &App,
    (tenant, organization, id): (TenantId, OrganizationId, OrganizationDomainId),
) -> Result<()> {
    let present = domains::find(&mut app.db.read(tenant).await?, organization, id).await?;
    let Some(domain) = present.filter(|domain| domain.status == Status::Verified) else { return Ok(()) };
    // Without a transaction: name servers may be slow.
    let found = domain_proof::look(app, &domain).await;
    let cx = cx(app, JOB.name);
    let sealer = app.services.sealers.of(tenant, Purpose::Messages, &cx).await?;
    let mut tx = app.db.begin(tenant).await?;
    if domains::note_check(&mut tx, &cx, &domain, found).await? {
        lapsed_domains::tell(&mut tx, &cx, &sealer, &domain).await?;
        tracing::warn!(domain = domain.domain, %organization, "the proof of a domain lapsed");
    }
    tx.commit().await
}
