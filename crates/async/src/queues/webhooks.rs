//! Posts events to the receivers of webhooks, signed by the suite `svc-webhook-v1`, until they have taken them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use svc_config::Config;
use svc_core::capability::Capability;
use svc_core::{Result, Seconds, TenantId};
use svc_db::{System, Tx};
use svc_domain::delivery::webhooks::{
    self, ANSWER_HEADERS, Attempted, MOST_ANSWER, MOST_HEADER, Noted, Target, WebhookDelivery,
};
use svc_domain::delivery::{Delivery, Held, Outcome, Queue as _};
use svc_http::{App, Fetched, Limits, StatusCode, signed_headers};
use svc_keys::Purpose;
use svc_keys::webhook::SIGNATURES;
use tokio::sync::OnceCell;

use super::{Attempt, Carrier, Ended, Settled};
use crate::jobs::{EVENTS, cx};

impl Attempt for WebhookDelivery {
    type Report = Attempted;

    const CAPABILITY: Option<Capability> = Some(Capability::WEBHOOKS);
    const FED_BY: Option<&'static str> = Some(EVENTS);

    fn at_once(config: &Config) -> usize {
        usize::try_from(config.webhooks.max_concurrent_deliveries).unwrap_or(1)
    }

    /// Where it goes and what signs it the subscription says at this moment; one that is deactivated or deleted gets nothing.
    async fn attempt(
        Carrier { app, targets, .. }: &Carrier,
        due: &Delivery<Self>,
    ) -> Result<Option<Ended<Attempted>>> {
        // Of a tenant that is suspended it waits on, as the events do that are no deliveries yet; with one that is deleted it goes.
        let Some(tenant) = app.services.tenants.find(due.tenant).await? else { return Ok(None) };
        if !tenant.offers(&app.config, &Capability::WEBHOOKS) {
            return Ok(Some(Outcome::Over.into()));
        }
        let Some(target) = targets.of(app, due).await? else { return Ok(Some(Outcome::Over.into())) };
        if target.secrets.is_empty() {
            return Ok(Some(unsigned(app)));
        }
        Ok(Some(post(app, due, &target).await?))
    }

    async fn hold(tx: &mut Tx<System>, due: &Delivery<Self>) -> Result<Held> {
        webhooks::hold(tx, due).await
    }

    async fn note(
        app: &App,
        tx: &mut Tx<System>,
        held: Held,
        of_one: &[Settled<Self>],
    ) -> Result<Option<&'static str>> {
        let patience = Seconds::from_days(app.config.webhooks.deactivate_after_days);
        let reported = of_one.iter().filter_map(|(due, Ended { outcome, report })| {
            let attempted = report.as_ref()?;
            Some(Noted { due, outcome: *outcome, attempted })
        });
        let reported: Vec<_> = reported.collect();
        webhooks::note(tx, &cx(app, Self::QUEUE), (held, &reported), patience).await
    }

    fn count_deactivated(reason: &'static str) {
        metrics::counter!("webhooks_deactivated_total", "reason" => reason).increment(1);
    }
}

/// The receivers of what was claimed together, each read once.
#[derive(Default)]
pub(crate) struct Targets(Mutex<BTreeMap<(TenantId, String), Arc<Read>>>);

type Read = OnceCell<Option<Arc<Target>>>;

impl Targets {
    async fn of(&self, app: &App, due: &Delivery<WebhookDelivery>) -> Result<Option<Arc<Target>>> {
        let read = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry((due.tenant, due.receiver.clone())).or_default())
        };
        read.get_or_try_init(|| target(app, due)).await.cloned()
    }
}

async fn target(app: &App, due: &Delivery<WebhookDelivery>) -> Result<Option<Arc<Target>>> {
    let cx = cx(app, WebhookDelivery::QUEUE);
    let sealer = app.services.sealers.of(due.tenant, Purpose::Credentials, &cx).await?;
    let mut tx = app.db.read(due.tenant).await?;
    Ok(webhooks::target(&mut tx, &cx, &sealer, due).await?.map(Arc::new))
}

/// Nothing goes out that nothing signs. The history says why, and the delivery waits for another secret as for a receiver.
fn unsigned(app: &App) -> Ended<Attempted> {
    let answer =
        "nothing was sent: the secret of the subscription does not open any more; replace it".to_owned();
    let at = app.clock.now();
    let report = Attempted { at, took_ms: 0, status: None, answer, signatures: None, answer_headers: None };
    Ended { outcome: Outcome::Busy(None), report: Some(report) }
}

async fn post(app: &App, due: &Delivery<WebhookDelivery>, target: &Target) -> Result<Ended<Attempted>> {
    let payload = due.payload()?;
    let at = app.clock.now();
    // Each attempt is signed at its own time; the delivery keeps its id.
    let headers = signed_headers(&payload.signed(&due.id.to_string(), at), &target.secrets)?;
    let signatures = headers.get(SIGNATURES).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let limits = Limits { time: app.config.webhooks.timeout_secs, bytes: MOST_ANSWER };
    let outbound = app.outbound.to_receivers(&app.config);
    let answered = outbound.post_reading_beginning(&target.url, headers, payload.body.into(), limits).await;
    let took_ms = (app.clock.now().as_millis() - at.as_millis()).max(0);
    metrics::counter!("webhook_answers_total", "status" => class(answered.as_ref().ok())).increment(1);
    let silent =
        Attempted { at, took_ms, status: None, answer: String::new(), signatures, answer_headers: None };
    let (outcome, report) = match &answered {
        Ok(answer) => (read(app, due, answer), told(answer, target, silent)),
        Err(error) => {
            tracing::warn!(delivery = %due.id, webhook = due.receiver, error = ?error, "no answer to a webhook");
            (Outcome::Silent, Attempted { answer: error.detail().to_owned(), ..silent })
        }
    };
    Ok(Ended { outcome, report: Some(report) })
}

/// What a receiver means: only a success has taken it; what it refuses for good stays refused; all else may pass.
fn read(app: &App, due: &Delivery<WebhookDelivery>, answer: &Fetched) -> Outcome {
    let status = answer.status;
    if status.is_success() {
        return Outcome::Taken;
    }
    tracing::warn!(delivery = %due.id, webhook = due.receiver, %status, "a webhook was not taken");
    let may_pass =
        matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS);
    if status.is_client_error() && !may_pass {
        Outcome::Over
    } else {
        Outcome::Busy(answer.retry_after(app.clock.now()))
    }
}

/// An attempt with what was answered.
fn told(answer: &Fetched, target: &Target, silent: Attempted) -> Attempted {
    let header = |name: &str| {
        let value = readable(answer.headers.get(name)?.as_bytes(), target);
        Some((name.to_owned(), value.chars().take(MOST_HEADER).collect::<String>()))
    };
    Attempted {
        status: Some(answer.status.as_u16()),
        answer: readable(&answer.body, target),
        answer_headers: Some(ANSWER_HEADERS.into_iter().filter_map(header).collect()),
        ..silent
    }
}

/// A part of an answer as text, without the secrets.
fn readable(part: &[u8], target: &Target) -> String {
    // PostgreSQL keeps no NUL in a text.
    let text = String::from_utf8_lossy(part).replace('\0', "\u{fffd}");
    target.secrets.iter().fold(text, |text, secret| text.replace(secret.expose(), "***"))
}

fn class(answer: Option<&Fetched>) -> &'static str {
    match answer.map(|answer| answer.status.as_u16() / 100) {
        Some(2) => "2xx",
        Some(3) => "3xx",
        Some(4) => "4xx",
        Some(_) => "5xx",
        None => "none",
    }
}
