//! Asks a receiver by a request that is signed as a webhook is.

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use svc_core::{DeliveryKind, Result, Seconds, Secret};
use svc_domain::delivery::webhooks::MAX_AGE;
use svc_domain::hooks::{self, MOST_ANSWER};
use svc_keys::Purpose;
use svc_keys::webhook::Signed;

use super::{Asking, Replied};
use crate::outbound::{Fetched, Limits};
use crate::signed::signed_headers;

/// A bound that is never reached, because each question has a shorter one.
const LONGEST: Seconds = Seconds(15);

pub(super) async fn ask(asking: &Asking<'_>, url: &str) -> Result<Replied> {
    let Asking { app, tenant, cx, hook, .. } = asking;
    let sealer = app.services.sealers.of(tenant.id, Purpose::Credentials, cx).await?;
    let secrets = match hooks::secrets(hook, tenant.id.reference(), &sealer, cx.now) {
        Ok(secrets) => secrets,
        // The tenant has said what follows from a fault; a new secret mends it.
        Err(error) => {
            tracing::warn!(request_id = cx.request_id, hook = %hook.id, error = ?error, "the secret of a hook does not open");
            return Ok(Replied::nothing("its secret cannot be opened, because its key was destroyed"));
        }
    };
    let headers = headers(asking, &secrets)?;
    let said = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let sent = headers.iter().map(|(name, value)| (name.to_string(), said(value))).collect();
    let limits = Limits { time: LONGEST, bytes: MOST_ANSWER };
    let outbound = app.outbound.to_receivers(&app.config);
    let posting = outbound.post(url, headers, asking.question.clone().into(), limits);
    let fetched = match tokio::time::timeout(asking.time, posting).await {
        Ok(fetched) => fetched.map_err(|error| error.detail().to_owned()),
        Err(_) => Err("there was no whole answer in time".to_owned()),
    };
    let status = fetched.as_ref().ok().map(|fetched| fetched.status.as_u16());
    let hidden = |text: String, secret: &Secret| text.replace(secret.expose(), "***");
    let answer = fetched.as_ref().ok().map(|fetched| {
        let text = String::from_utf8_lossy(&fetched.body).into_owned();
        secrets.iter().fold(text, hidden)
    });
    Ok(Replied { headers: sent, status, answer, body: fetched.and_then(body) })
}

fn headers(asking: &Asking<'_>, secrets: &[Secret]) -> Result<HeaderMap> {
    let delivery = asking.cx.id::<DeliveryKind>().to_string();
    let signed = Signed {
        timestamp: asking.app.clock.now().as_secs(),
        max_age: MAX_AGE.0,
        event: asking.point.event(),
        delivery: &delivery,
        body: asking.question.as_bytes(),
    };
    signed_headers(&signed, secrets)
}

fn body(fetched: Fetched) -> Result<Vec<u8>, String> {
    match fetched.status {
        StatusCode::OK => Ok(fetched.body.into()),
        other => Err(format!("the status {} is not 200", other.as_u16())),
    }
}
