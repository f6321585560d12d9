//! Sends batches of the audit log: one file for each kind of destination.

mod s3;
mod syslog;
mod webhook;

use svc_core::Result;
use svc_domain::delivery::audit_streams::{Batch, Destination, Sent};
use svc_http::{App, Fetched, StatusCode};
use svc_keys::Purpose;

use crate::jobs::cx;

/// Most bytes of an answer that are read.
const MOST_ANSWER: usize = 4 * 1024;
/// Most characters of an answer that an administrator reads.
const MOST_SHOWN: usize = 300;

/// Sends a batch; an error where it could not even be tried.
pub(crate) async fn send(app: &App, batch: &Batch) -> Result<Sent> {
    let sealer =
        app.services.sealers.of(batch.tenant, Purpose::Credentials, &cx(app, "audit-streams")).await?;
    let secret = batch.secret(&sealer)?;
    match &batch.destination {
        Destination::Webhook(webhook) => webhook::send(app, batch, webhook, &secret).await,
        Destination::Syslog(syslog) => syslog::send(app, batch, syslog, &secret).await,
        Destination::S3(s3) => s3::send(app, batch, s3, &secret).await,
    }
}

/// What an answer that is no success means. Every batch has to be taken, so that nothing is refused for good.
fn refused(app: &App, answer: &Fetched, secret: &str) -> Sent {
    let text = String::from_utf8_lossy(&answer.body).replace(secret, "***");
    let is_shown = |character: &char| !character.is_control();
    let text: String = text.chars().filter(is_shown).take(MOST_SHOWN).collect();
    let status = answer.status.as_u16();
    Sent::Failed {
        why: if text.is_empty() {
            format!("answered {status}")
        } else {
            format!("answered {status}: {text}")
        },
        retry_after: answer.retry_after(app.clock.now()),
        is_gone: answer.status == StatusCode::GONE,
    }
}
