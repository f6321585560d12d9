//! Text messages to an HTTP gateway of the operator: a POST of `{"to", "body"}` for each, with a bearer token, and signed by the
//! suite `svc-webhook-v1` where there is a secret for it.

use serde_json::json;
use svc_core::{Error, OrInternal as _, Result, TextId};
use svc_domain::delivery::Outcome;
use svc_domain::delivery::texts::NewText;
use svc_http::{App, Fetched, HeaderMap, HeaderValue, Limits, header, signed_headers};
use svc_keys::webhook::Signed;

/// How long a signature counts, in seconds.
const MAX_AGE: i64 = 300;
/// What its event is called.
const EVENT: &str = "sms";
/// Nothing of the answer's body matters.
const MOST_ANSWER: usize = 16 * 1024;

/// Posts a message; returns what the gateway made of it.
pub(crate) async fn post(app: &App, id: TextId, text: &NewText) -> Result<Outcome> {
    let http = &app.config.phone.http;
    let url = http.url.as_ref().ok_or_else(|| Error::internal("phone.http.url is not set"))?;
    let NewText { to, body } = text;
    let body = json!({ "to": to, "body": body }).to_string();
    let headers = headers(app, id, &body)?;
    let limits = Limits { time: http.timeout_secs, bytes: MOST_ANSWER };
    let outbound = &app.outbound_configured;
    Ok(match outbound.post_reading_beginning(url.as_str(), headers, body.into(), limits).await {
        Ok(answer) => read(app, id, &answer),
        Err(error) => {
            tracing::warn!(text = %id, error = ?error, "no answer of the gateway for text messages");
            Outcome::Silent
        }
    })
}

fn headers(app: &App, id: TextId, body: &str) -> Result<HeaderMap> {
    let (http, delivery) = (&app.config.phone.http, id.to_string());
    let mut headers = match &http.signing_secret {
        Some(secret) => {
            let timestamp = app.clock.now().as_secs();
            let body = body.as_bytes();
            let signed = Signed { timestamp, max_age: MAX_AGE, event: EVENT, delivery: &delivery, body };
            signed_headers(&signed, std::slice::from_ref(secret))?
        }
        None => HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]),
    };
    // The same in every attempt, so that a gateway recognises what comes twice.
    headers.insert("idempotency-key", HeaderValue::try_from(&delivery).or_internal()?);
    if let Some(token) = &http.bearer_token {
        let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose())).or_internal()?;
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    Ok(headers)
}

/// What a gateway means: any success has taken it, what it refuses for good stays refused, everything else may pass.
fn read(app: &App, id: TextId, answer: &Fetched) -> Outcome {
    let status = answer.status;
    if status.is_success() {
        return Outcome::Taken;
    }
    tracing::warn!(text = %id, %status, "the gateway did not take a text message");
    let may_pass = matches!(status.as_u16(), 401 | 403 | 408 | 425 | 429);
    if status.is_client_error() && !may_pass {
        Outcome::Over
    } else {
        Outcome::Busy(answer.retry_after(app.clock.now()))
    }
}
