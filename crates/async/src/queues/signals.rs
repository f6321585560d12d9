//! Pushes security event tokens to their receivers (RFC 8935), until they have taken them.

use serde_json::Value;
use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result, Seconds};
use svc_domain::delivery::signals::{self, Receiver, SecurityEvent};
use svc_domain::delivery::{Delivery, Outcome, Queue as _};
use svc_http::{App, Fetched, HeaderMap, HeaderValue, Limits, StatusCode, header};
use svc_keys::Purpose;

use super::{Attempt, Carrier, Ended};
use crate::jobs::cx;

/// What an attempt may cost.
const LIMITS: Limits = Limits { time: Seconds(10), bytes: 16 * 1024 };

impl Attempt for SecurityEvent {
    type Report = ();

    const CAPABILITY: Option<Capability> = Some(Capability::SIGNALS);

    /// To whom and where the stream says at this moment.
    async fn attempt(Carrier { app, .. }: &Carrier, due: &Delivery<Self>) -> Result<Option<Ended<()>>> {
        // What waits for a tenant that is suspended waits on: its payload would be lost.
        let Some(tenant) = app.services.tenants.find(due.tenant).await? else { return Ok(None) };
        let cx = cx(app, Self::QUEUE);
        let sealer = app.services.sealers.of(due.tenant, Purpose::Credentials, &cx).await?;
        let to = {
            let mut tx = app.db.read(due.tenant).await?;
            signals::receiver(&mut tx, &sealer, due).await?
        };
        let Some(to) = to else { return Ok(None) };
        let receiver = app.services.apps.find(due.tenant, &to.app.to_string()).await?;
        let Some(receiver) = receiver.filter(|receiver| receiver.enabled) else {
            return Ok(Some(Outcome::Over.into()));
        };
        let ring = app.services.keys.ring(due.tenant);
        let token = signals::token(&ring, (&tenant.issuer, &receiver), due).await?;
        let outcome = match app.outbound.post(&to.endpoint_url, headers(&to)?, token.into(), LIMITS).await {
            Ok(answer) => read(app, due, &answer),
            Err(error) => {
                tracing::warn!(set = %due.id, stream = due.receiver, error = ?error, "no answer to a push");
                Outcome::Silent
            }
        };
        Ok(Some(outcome.into()))
    }
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
fn read(app: &App, due: &Delivery<SecurityEvent>, answer: &Fetched) -> Outcome {
    let status = answer.status;
    if status.is_success() {
        return Outcome::Taken;
    }
    let named = serde_json::from_slice::<Value>(&answer.body).ok();
    let named = named.as_ref().and_then(|body| body.get("err")).and_then(Value::as_str);
    tracing::warn!(set = %due.id, stream = due.receiver, %status, err = named, "a push was not taken");
    if status == StatusCode::BAD_REQUEST && named.is_some() {
        Outcome::Over
    } else {
        Outcome::Busy(answer.retry_after(app.clock.now()))
    }
}
