//! Puts the entries of the audit log in their place, signs checkpoints, and removes what has outlived its retention.

use std::time::Duration;

use svc_core::{Origin, Result, Seconds, TenantId, Timestamp};
use svc_domain::keys::signing_keys::default_algorithm;
use svc_domain::log::chain;
use svc_domain::log::chain::checkpoints::{self, Due};
use svc_domain::log::chain::retention::{self, Cut};
use svc_http::App;
use svc_keys::jose::KeyRing;

use super::{Job, Progress, Reach, Workers, has_turn, of_one};

/// Gives entries their place.
pub(super) const JOB: Job = Job {
    name: "audit",
    every: Duration::from_millis(250),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Signs, and removes.
pub(super) const CHECKPOINTS: Job = Job {
    name: "audit-checkpoints",
    every: Duration::from_secs(5),
    reach: Reach::AsyncPlane,
    is_critical: false,
    run: |app, workers| Box::pin(run_checkpoints(app, workers)),
};

/// Most batches of one run.
const BATCHES: u64 = 20;
/// Longer than from one run to the next.
const TURN: Seconds = Seconds(10);

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    let mut placed = 0;
    for batch in 1..=BATCHES {
        let mut tx = app.db.begin_system().await?;
        placed += chain::sequence(&mut tx).await?;
        tx.commit().await?;
        if placed < batch * u64::from(chain::BATCH) {
            break;
        }
    }
    metrics::counter!("audit_entries_chained_total").increment(placed);
    Ok(Progress { done: placed, has_more: placed >= BATCHES * u64::from(chain::BATCH) })
}

async fn run_checkpoints(app: &App, _: &Workers) -> Result<Progress> {
    if !has_turn(app, CHECKPOINTS.name, TURN).await? {
        return Ok(Progress::default());
    }
    let now = app.clock.now();
    let due = {
        let mut tx = app.db.read_system().await?;
        checkpoints::due(&mut tx, now, app.config.audit_log.checkpoint_interval_secs).await?
    };
    let mut done = 0;
    if !due.is_empty() {
        // One for the whole run: it is made of every published key.
        let proven = app.services.keys.proven()?;
        for due in due {
            done += u64::from(of_one(&due.tenant, sign(app, (&due, &proven), now).await)?);
        }
    }
    Ok(Progress::of(done + expire(app).await?))
}

/// Signs a chain as it stands, unless what was added does not follow from its latest checkpoint.
async fn sign(app: &App, (due, proven): (&Due, &KeyRing), now: Timestamp) -> Result<bool> {
    let Some(jws) = signed(app, (due, proven), now).await? else { return Ok(false) };
    let mut tx = app.db.begin_system().await?;
    checkpoints::keep(&mut tx, due, now, &jws).await?;
    tx.commit().await?;
    Ok(true)
}

async fn signed(app: &App, (due, proven): (&Due, &KeyRing), now: Timestamp) -> Result<Option<String>> {
    let id = of_log(due);
    let (ring, algorithm) = (app.services.keys.ring(id), default_algorithm(&app.config.jwt));
    // A tenant that is suspended or deleted is read too: its log is kept, proven and removed like any other.
    let tenant = app.services.tenants.read(&mut app.db.read_system().await?, id).await?;
    if !checkpoints::follows(&app.db, proven, due).await? {
        metrics::counter!("audit_chains_broken_total").increment(1);
        return Ok(None);
    }
    checkpoints::sign((&ring, algorithm), &tenant.issuer, now, due).await.map(Some)
}

/// Cuts the chains whose beginning is older than entries are kept, then removes it.
async fn expire(app: &App) -> Result<u64> {
    let days = app.config.audit_log.retention_days;
    if days == 0 {
        return Ok(0);
    }
    let settled = app.services.settled.look(app.clock.now()).settled;
    let horizon = retention::horizon(app.db.engine(), settled, Seconds::from_days(days))?;
    let cuts = {
        let mut tx = app.db.read_system().await?;
        retention::cuts(&mut tx, horizon).await?
    };
    if !cuts.is_empty() {
        let proven = app.services.keys.proven()?;
        for cut in cuts {
            of_one(&cut.due.tenant, permit(app, (&cut, &proven)).await)?;
        }
    }
    retention::remove(&app.maintenance, horizon).await
}

async fn permit(app: &App, (cut, proven): (&Cut, &KeyRing)) -> Result<()> {
    let now = app.clock.now();
    let Some(jws) = signed(app, (&cut.due, proven), now).await? else { return Ok(()) };
    let mut tx = app.db.begin_system().await?;
    retention::permit(&mut tx, cut).await?;
    checkpoints::keep(&mut tx, &cut.due, now, &jws).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "the service itself chose the tenant whose log it signs")]
fn of_log(due: &Due) -> TenantId {
    TenantId::proven(due.tenant, Origin::Operator)
}
