//! Posts batches as JSON, signed by the suite `svc-webhook-v1`.

use serde_json::json;
use svc_core::{Result, Secret};
use svc_domain::delivery::audit_streams::{Batch, Sent, Webhook};
use svc_domain::delivery::webhooks::MAX_AGE;
use svc_http::{App, Limits, signed_headers};
use svc_keys::webhook::Signed;

use super::{MOST_ANSWER, refused};

/// The type of what is posted.
const EVENT: &str = "audit.entries";

pub(super) async fn send(app: &App, batch: &Batch, to: &Webhook, secret: &Secret) -> Result<Sent> {
    let (name, body) = (batch.name(), body(batch));
    let signed = Signed {
        timestamp: app.clock.now().as_secs(),
        max_age: MAX_AGE.0,
        event: EVENT,
        delivery: &name,
        body: body.as_bytes(),
    };
    let headers = signed_headers(&signed, std::slice::from_ref(secret))?;
    let limits = Limits { time: app.config.audit_log.stream_timeout_secs, bytes: MOST_ANSWER };
    let outbound = app.outbound.to_receivers(&app.config);
    Ok(match outbound.post_reading_beginning(&to.url, headers, body.into(), limits).await {
        Ok(answer) if answer.status.is_success() => Sent::Taken,
        Ok(answer) => refused(app, &answer, secret.expose()),
        Err(error) => Sent::failed(error.detail()),
    })
}

/// The same each time that the batch is sent.
fn body(batch: &Batch) -> String {
    let (first, last) = batch.range;
    let document = json!({
        "id": batch.name(),
        "type": EVENT,
        "api_version": "v1",
        "created_at": batch.entries.last().map(|entry| entry.at),
        "tenant_id": batch.tenant,
        "data": { "audit_stream_id": batch.stream, "first": first, "last": last, "entries": batch.entries },
    });
    document.to_string()
}
