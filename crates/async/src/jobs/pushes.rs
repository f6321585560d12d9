//! Pushes security event tokens to their receivers (RFC 8935), until they have taken them.

use std::time::Duration;

use serde_json::Value;
use svc_core::{OrInternal as _, Result, Seconds};
use svc_domain::delivery::retries::Outcome;
use svc_domain::delivery::signals::{self, DueEvent, Receiver};
use svc_domain::keys::signing_keys::default_algorithm;
use svc_http::{App, Fetched, HeaderMap, HeaderValue, Limits, StatusCode, header};

use super::sending::{Queue, work_off};
use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "pushes",
    every: Duration::from_secs(1),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// What an attempt may cost.
const LIMITS: Limits = Limits { time: Seconds(10), bytes: 16 * 1024 };

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    work_off(&Pushes(app)).await
}

struct Pushes<'a>(&'a App);

impl Queue for Pushes<'_> {
    type Item = DueEvent;
    /// Nothing where the event is held: it is looked at again when its stream changes, or its lease ends.
    type Outcome = Option<Outcome>;
    const AT_ONCE: usize = 64;

    async fn take(&self, most: usize) -> Result<Vec<DueEvent>> {
        let most = u32::try_from(most).or_internal()?;
        let mut tx = self.0.db.begin_system().await?;
        let due = signals::take_due(&mut tx, self.0.clock.now(), most).await?;
        tx.commit().await?;
        Ok(due)
    }

    fn send(&self, due: DueEvent) -> impl Future<Output = (DueEvent, Option<Outcome>)> + Send + 'static {
        let app = self.0.clone();
        async move {
            let outcome = push(&app, &due).await.unwrap_or_else(|error| {
                tracing::warn!(set = %due.event.id, error = ?error, "a security event token could not be made");
                Some(Outcome::Busy(None))
            });
            (due, outcome)
        }
    }

    async fn note(&self, due: DueEvent, outcome: Option<Outcome>) -> Result<()> {
        let Some(outcome) = outcome else { return Ok(()) };
        let mut tx = self.0.db.begin_system().await?;
        signals::settle(&mut tx, &cx(self.0, JOB.name), &due, outcome).await?;
        tx.commit().await?;
        metrics::counter!("signal_attempts_total", "outcome" => outcome.label()).increment(1);
        Ok(())
    }
}

/// One attempt, to whom and where the stream says at this moment.
async fn push(app: &App, due: &DueEvent) -> Result<Option<Outcome>> {
    let Some(tenant) = app.services.tenants.find(due.tenant).await? else {
        return Ok(Some(Outcome::Over));
    };
    let to = {
        let mut tx = app.db.read(due.tenant).await?;
        signals::receiver(&mut tx, due).await?
    };
    let Some(to) = to else { return Ok(None) };
    let receiver = app.services.apps.find(due.tenant, &to.app.to_string()).await?;
    let Some(receiver) = receiver.filter(|receiver| receiver.enabled) else {
        return Ok(Some(Outcome::Over));
    };
    let default = default_algorithm(&app.config.jwt);
    let ring = app.services.keys.ring();
    let token = signals::token(&ring, default, (&tenant.issuer, &receiver), &due.event)?;
    Ok(Some(match app.outbound.post(&to.endpoint_url, headers(&to)?, token.into(), LIMITS).await {
        Ok(answer) => read(app, due, &answer),
        Err(error) => {
            tracing::warn!(set = %due.event.id, stream = %due.stream, error = ?error, "no answer to a push");
            Outcome::Silent
        }
    }))
}

/// RFC 8935 §2.1.
fn headers(to: &Receiver) -> Result<HeaderMap> {
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("application/secevent+jwt")),
        (header::ACCEPT, HeaderValue::from_static("application/json")),
    ]);
    if let Some(authorization) = &to.authorization_header {
        let mut value = HeaderValue::try_from(authorization.expose()).or_internal()?;
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    Ok(headers)
}

/// What a receiver means (RFC 8935 §2.2, §2.3): only an error that it names is about the token, and stays.
fn read(app: &App, due: &DueEvent, answer: &Fetched) -> Outcome {
    let status = answer.status;
    if status.is_success() {
        return Outcome::Taken;
    }
    let named = serde_json::from_slice::<Value>(&answer.body).ok();
    let named = named.as_ref().and_then(|body| body.get("err")).and_then(Value::as_str);
    tracing::warn!(set = %due.event.id, stream = %due.stream, %status, err = ?named, "a push was not taken");
    if status == StatusCode::BAD_REQUEST && named.is_some() {
        Outcome::Over
    } else {
        Outcome::Busy(answer.retry_after(app.clock.now()))
    }
}
