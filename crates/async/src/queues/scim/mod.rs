//! Pushes people and groups to applications that speak SCIM (RFC 7644), until they have them as they are.

mod answers;
mod finding;
mod steps;

use std::time::Duration;

use svc_core::capability::Capability;
use svc_core::{Result, Seconds};
use svc_db::{System, Tx};
use svc_domain::delivery::scim_targets::{self, Came, Looked, ScimLook};
use svc_domain::delivery::{Delivery, Outcome, Queue as _};
use svc_http::{App, ScimApplication};
use svc_keys::Purpose;

use super::{Attempt, Carrier, Ended};
use crate::jobs::cx;

/// The time for all requests of a look: less than it is claimed for.
const TIME: Duration = Duration::from_secs(45);

impl Attempt for ScimLook {
    type Report = Looked;

    /// What has to be done the present says: a target that is deactivated or deleted gets nothing.
    async fn attempt(Carrier { app, .. }: &Carrier, due: &Delivery<Self>) -> Result<Option<Ended<Looked>>> {
        let tenant = app.services.tenants.find(due.tenant).await?;
        if !tenant.is_some_and(|tenant| tenant.offers(&app.config, &Capability::SCIM_TARGETS)) {
            return Ok(Some(Outcome::Over.into()));
        }
        let cx = cx(app, Self::QUEUE);
        let sealer = app.services.sealers.of(due.tenant, Purpose::Credentials, &cx).await?;
        let payload = due.payload()?;
        let look = {
            let mut tx = app.db.begin(due.tenant).await?;
            let look = scim_targets::look(&mut tx, &cx, &sealer, &payload).await?;
            tx.commit().await?;
            look
        };
        let Some((look, access)) = look else { return Ok(Some(Outcome::Over.into())) };
        let application = ScimApplication::new(app, access);
        let took = tokio::time::timeout(TIME, steps::take(app, &application, &look, payload.kind)).await;
        let came = took.unwrap_or_else(|_| answers::silent("the application took too long"));
        tell(due, &came);
        let looked = Looked::new(&look, came);
        Ok(Some(Ended { outcome: looked.outcome(), report: Some(looked) }))
    }

    async fn hold(tx: &mut Tx<System>, due: &Delivery<Self>) -> Result<bool> {
        scim_targets::hold(tx, due).await
    }

    async fn note(app: &App, tx: &mut Tx<System>, due: &Delivery<Self>, ended: &Ended<Looked>) -> Result<()> {
        let patience = Seconds(i64::from(app.config.webhooks.deactivate_after_days) * 86_400);
        let report = ended.report.as_ref();
        let deactivated = scim_targets::note(tx, &cx(app, Self::QUEUE), due, (report, patience)).await?;
        if let Some(reason) = deactivated {
            metrics::counter!("scim_targets_deactivated_total", "reason" => reason).increment(1);
        }
        Ok(())
    }
}

fn tell(due: &Delivery<ScimLook>, came: &Came) {
    if let Came::Refused(why) | Came::Later { why, .. } = came {
        tracing::warn!(delivery = %due.id, target = due.receiver, why, "an application did not take what was pushed");
    }
}
