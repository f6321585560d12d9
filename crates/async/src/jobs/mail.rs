//! Sends due mails. What a relay does not take now is tried again later; a mail that was never taken is given up.

use std::time::Duration;

use svc_core::{Error, Result, Seconds};
use svc_domain::mails::{self, DueMail};
use svc_http::App;
use tokio::task::JoinSet;

use super::{Job, Progress, Reach, Workers};
use crate::mailer::{Letter, Mailer};

pub(super) const JOB: Job = Job {
    name: "mail",
    every: Seconds(1),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Mails of one run; they are sent side by side.
const BATCH: u32 = 16;
/// Within the minute for which a taken mail is ours, so that a slow relay does not get a mail twice.
const LONGEST: Duration = Duration::from_secs(50);

async fn run(app: &App, workers: &Workers) -> Result<Progress> {
    let mut tx = app.db.begin_system().await?;
    let due = mails::take_due(&mut tx, app.clock.now(), BATCH).await?;
    tx.commit().await?;
    let done = u64::try_from(due.len()).unwrap_or_default();
    let mut sending: JoinSet<(DueMail, Result<()>)> =
        due.into_iter().map(|mail| send(app.clone(), workers.mailer.clone(), mail)).collect();
    while let Some(sent) = sending.join_next().await {
        // A mail whose task broke down stays leased and is tried again after its lease.
        let Ok((mail, outcome)) = sent else { continue };
        note(app, &mail, outcome).await?;
    }
    Ok(Progress { done, has_more: done >= u64::from(BATCH) })
}

async fn send(app: App, mailer: Mailer, mail: DueMail) -> (DueMail, Result<()>) {
    let letter = Letter { id: mail.id, mail: &mail.mail, at: app.clock.now() };
    let outcome = tokio::time::timeout(LONGEST, mailer.send(&letter)).await;
    let outcome = outcome.unwrap_or_else(|elapsed| Err(Error::unavailable(elapsed)));
    (mail, outcome)
}

async fn note(app: &App, mail: &DueMail, outcome: Result<()>) -> Result<()> {
    let mut tx = app.db.begin_system().await?;
    let label = match outcome {
        Ok(()) => {
            mails::sent(&mut tx, mail).await?;
            "sent"
        }
        Err(error) => {
            tracing::warn!(mail = %mail.id, attempt = mail.attempts, error = ?error, "a mail was not sent");
            mails::failed(&mut tx, mail, app.clock.now()).await?;
            "failed"
        }
    };
    tx.commit().await?;
    metrics::counter!("mail_attempts_total", "outcome" => label).increment(1);
    Ok(())
}
