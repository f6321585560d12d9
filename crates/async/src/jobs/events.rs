//! Puts events in order, leads the subscriptions of webhooks along them, and tells the owners of those that were deactivated.

use std::time::Duration;

use svc_core::capability::Capability;
use svc_core::{Cx, Result, TenantId};
use svc_domain::delivery::Queue as _;
use svc_domain::delivery::webhooks::{self, Led, WebhookDelivery};
use svc_domain::log::positions;
use svc_http::App;

use super::{Job, Progress, Reach, Workers, cx, of_one, owners};

pub(super) const JOB: Job = Job {
    name: "events",
    every: Duration::from_millis(250),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

async fn run(app: &App, workers: &Workers) -> Result<Progress> {
    let sequenced = sequence(app).await?;
    metrics::counter!("events_sequenced_total").increment(sequenced);
    let led = fan_out(app).await?;
    if led.events > 0 {
        workers.wakes.wake(WebhookDelivery::QUEUE);
    }
    let told = tell_owners(app).await?;
    // What is committed from now on waits for the next turn: to put a few events in order costs nearly as much as to do it with many.
    // A subscription that has no room left has to be rid of some deliveries first; the queue says when it is.
    let has_more = led.goes_on || told > 0 || sequenced >= BATCHES * u64::from(positions::BATCH);
    Ok(Progress { done: sequenced + led.events + told, has_more })
}

/// Most batches of one run, so that subscriptions are led along meanwhile.
const BATCHES: u64 = 20;

/// What waits comes before what depends on it, however many subscriptions are behind.
async fn sequence(app: &App) -> Result<u64> {
    let mut sequenced = 0;
    for batch in 1..=BATCHES {
        let mut tx = app.db.begin_system().await?;
        sequenced += positions::sequence(&mut tx).await?;
        tx.commit().await?;
        if sequenced < batch * u64::from(positions::BATCH) {
            break;
        }
    }
    Ok(sequenced)
}

async fn fan_out(app: &App) -> Result<Led> {
    let cx = cx(app, JOB.name);
    let tenants = {
        let mut tx = app.db.read_system().await?;
        webhooks::tenants_behind(&mut tx, cx.now).await?
    };
    let mut all = Led::default();
    for tenant in tenants {
        let led = of_one(&tenant, lead(app, &cx, tenant).await)?;
        all = Led { events: all.events + led.events, goes_on: all.goes_on || led.goes_on };
    }
    Ok(all)
}

async fn lead(app: &App, cx: &Cx, tenant: TenantId) -> Result<Led> {
    // Before the transaction: the directory may need a connection of its own.
    let found = app.services.tenants.find(tenant).await?;
    if !found.is_some_and(|tenant| tenant.offers(&app.config, &Capability::WEBHOOKS)) {
        return Ok(Led::default());
    }
    let mut tx = app.db.begin(tenant).await?;
    let led = webhooks::fan_out(&mut tx, cx).await?;
    tx.commit().await?;
    Ok(led)
}

async fn tell_owners(app: &App) -> Result<u64> {
    let cx = cx(app, JOB.name);
    let tenants = webhooks::tenants_with_owners_to_tell(&mut app.db.read_system().await?).await?;
    owners::tell(app, &cx, tenants, |tx, cx, sealer| Box::pin(webhooks::tell_owners(tx, cx, sealer))).await
}
