//! Looks for the proofs of custom domains again: of those that wait for one, and of proven ones, at which a tenant answers no more
//! when the proof is missing for too long. One node does it for all.

use std::time::Duration;

use svc_core::{CustomDomainId, Cx, Result, Seconds, TenantId};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::lapsed_domains;
use svc_domain::proofs::Found;
use svc_domain::tenancy::custom_domains::{self, Domain, Proof};
use svc_domain::tenancy::tenants;
use svc_http::{App, domain_proof};
use svc_keys::Purpose;

use super::{Job, Progress, Reach, Workers, cx, has_turn};

pub(super) const JOB: Job = Job {
    name: "custom_domains",
    every: Duration::from_mins(1),
    // It changes tenants.
    reach: Reach::ControlPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Longer than a batch takes at the most.
const TURN: Seconds = Seconds(300);
/// Proofs of one run: each may take some seconds.
const BATCH: u32 = 16;

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let now = app.clock.now();
    if !app.config.custom_domains.enabled || !has_turn(app, JOB.name, TURN).await? {
        return Ok(Progress::default());
    }
    let interval = Seconds::from_hours(app.config.verified_domains.recheck_hours);
    let due = custom_domains::due(&mut app.db.read_system().await?, (now, interval), BATCH).await?;
    for (tenant, id) in &due {
        check(app, *tenant, *id).await?;
    }
    let done = due.len() as u64;
    Ok(Progress::of_batch(done, BATCH))
}

async fn check(app: &App, tenant: TenantId, id: CustomDomainId) -> Result<()> {
    let present = custom_domains::find(&mut app.db.read(tenant).await?, id).await?;
    let Some(domain) = present else { return Ok(()) };
    // Without a transaction: name servers may be slow.
    let found = domain_proof::look_for_record(app, &domain.domain, &domain.record_value).await;
    let cx = cx(app, JOB.name);
    if domain.proof == Proof::Pending && found == Found::Proof {
        let mut tx = app.db.begin(tenant).await?;
        custom_domains::prove(&mut tx, &cx, &domain).await?;
        return tx.commit().await;
    }
    let sealer = app.services.sealers.of(tenant, Purpose::Messages, &cx).await?;
    let mut tx = app.db.begin_system().await?;
    tenants::records::hold(&mut tx, tenant.reference());
    let (mut tx, lapsed) = tx
        .within(tenant, async |tx: &mut Tx<Tenant>| {
            let has_lapsed = custom_domains::note_check(tx, &cx, &domain, found).await?;
            if has_lapsed {
                lapsed_domains::tell_of_custom(tx, &cx, &sealer, &domain).await?;
            }
            Ok::<_, svc_core::Error>(has_lapsed)
        })
        .await;
    if lapsed? {
        tracing::warn!(domain = domain.domain, tenant = %tenant, "the proof of a custom domain lapsed");
        leave(app, &mut tx, &cx, (tenant, &domain)).await?;
    }
    tx.commit().await
}

/// Lets the tenant answer at the host of its slug, where its administrators had let it answer at the domain. What an operator
/// gave stays.
async fn leave(
    app: &App,
    tx: &mut Tx<svc_db::System>,
    cx: &Cx,
    (tenant, domain): (TenantId, &Domain),
) -> Result<()> {
    let answering = app.services.tenants.read(tx, tenant).await?.custom_domain.clone();
    if domain.activated_at.is_none() || answering.as_deref() != Some(&domain.domain) {
        return Ok(());
    }
    tenants::move_domain(tx, cx, tenant, (answering.as_deref(), None)).await
}
