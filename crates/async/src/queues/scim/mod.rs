//! Pushes people and groups to applications that speak SCIM (RFC 7644), until both sides agree.

mod answers;
mod finding;
mod steps;

use std::time::Duration;

use svc_core::capability::Capability;
use svc_core::{Result, Seconds};
use svc_db::{System, Tx};
use svc_domain::delivery::scim_targets::{self, Access, LinkKind, Look, Looked, PushOutcome, ScimLook};
use svc_domain::delivery::{Delivery, Held, Outcome, Queue as _};
use svc_http::{App, ScimApplication, ScimToken};
use svc_keys::Purpose;

use super::{Attempt, Carrier, Ended, Settled};
use crate::jobs::cx;

/// The time for all requests of a look: less than it is claimed for.
const TIME: Duration = Duration::from_secs(45);

impl Attempt for ScimLook {
    type Report = Looked;

    const CAPABILITY: Option<Capability> = Some(Capability::SCIM_TARGETS);

    /// What has to be done the present says: a target that is deactivated or deleted gets nothing.
    async fn attempt(carrier: &Carrier, due: &Delivery<Self>) -> Result<Option<Ended<Looked>>> {
        let app = &carrier.app;
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
        let took = tokio::time::timeout(TIME, push(carrier, access, (&look, payload.kind))).await;
        let outcome = took.unwrap_or_else(|_| Ok(answers::silent("the application took too long")))?;
        tell(due, &outcome);
        let looked = Looked::new(&look, outcome);
        Ok(Some(Ended { outcome: looked.outcome(), report: Some(looked) }))
    }

    async fn hold(tx: &mut Tx<System>, due: &Delivery<Self>) -> Result<Held> {
        scim_targets::hold(tx, due).await
    }

    async fn note(
        app: &App,
        tx: &mut Tx<System>,
        _: Held,
        of_one: &[Settled<Self>],
    ) -> Result<Option<&'static str>> {
        let patience = Seconds::from_days(app.config.webhooks.deactivate_after_days);
        let mut deactivated = None;
        for (due, ended) in of_one {
            let told = (ended.outcome, ended.report.as_ref());
            let reason = scim_targets::note(tx, &cx(app, Self::QUEUE), due, told, patience).await?;
            deactivated = deactivated.or(reason);
        }
        Ok(deactivated)
    }

    fn count_deactivated(reason: &'static str) {
        metrics::counter!("scim_targets_deactivated_total", "reason" => reason).increment(1);
    }
}

/// Does what a look has found to be done, with a token of the application.
async fn push(
    Carrier { app, scim_tokens, .. }: &Carrier,
    access: Access,
    (look, kind): (&Look, LinkKind),
) -> Result<PushOutcome> {
    let target = access.target;
    let (token, is_kept) = match scim_tokens.token(app, &access).await? {
        ScimToken::Given(token, is_kept) => (token, is_kept),
        ScimToken::Refused(_) => return Ok(PushOutcome::Stopped("unauthorized")),
        ScimToken::Unanswered(why) => return Ok(answers::silent(&why)),
    };
    let application = ScimApplication::new(app, access, token);
    let outcome = steps::take(app, &application, look, kind).await;
    if is_kept && outcome == PushOutcome::Stopped("unauthorized") {
        // It may have ended before its time: the next attempt has another.
        scim_tokens.forget(target);
        return Ok(answers::in_the_way("answered 401 to a token that it gave before".to_owned()));
    }
    Ok(outcome)
}

fn tell(due: &Delivery<ScimLook>, outcome: &PushOutcome) {
    if let PushOutcome::Refused(why) | PushOutcome::Later { why, .. } = outcome {
        tracing::warn!(delivery = %due.id, target = due.receiver, why, "an application did not take what was pushed");
    }
}
