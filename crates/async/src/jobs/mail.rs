//! Sends due mails. What a relay does not take now is tried again later; a mail that was never taken is given up.

use std::time::Duration;

use svc_core::{Error, OrInternal as _, Result};
use svc_domain::delivery::mails::{self, DueMail};
use svc_http::App;

use super::sending::{Queue, work_off};
use super::{Job, Progress, Reach, Workers};
use crate::mailer::{Letter, Mailer};

pub(super) const JOB: Job = Job {
    name: "mail",
    every: Duration::from_secs(1),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// Within the minute for which a taken mail is ours, so that a slow relay does not get a mail twice.
const LONGEST: Duration = Duration::from_secs(50);

async fn run(app: &App, workers: &Workers) -> Result<Progress> {
    work_off(&Mails { app, mailer: &workers.mailer }).await
}

struct Mails<'a> {
    app: &'a App,
    mailer: &'a Mailer,
}

impl Queue for Mails<'_> {
    type Item = DueMail;
    type Outcome = Result<()>;
    const AT_ONCE: usize = 16;

    async fn take(&self, most: usize) -> Result<Vec<DueMail>> {
        let most = u32::try_from(most).or_internal()?;
        let mut tx = self.app.db.begin_system().await?;
        let due = mails::take_due(&mut tx, &self.app.services.messages, self.app.clock.now(), most).await?;
        tx.commit().await?;
        Ok(due)
    }

    fn send(&self, due: DueMail) -> impl Future<Output = (DueMail, Result<()>)> + Send + 'static {
        let (mailer, at) = (self.mailer.clone(), self.app.clock.now());
        async move {
            let outcome = match &due.mail {
                Ok(mail) => {
                    let letter = Letter { id: due.id, mail, at };
                    let sent = tokio::time::timeout(LONGEST, mailer.send(&letter)).await;
                    sent.unwrap_or_else(|elapsed| Err(Error::unavailable(elapsed)))
                }
                Err(error) => Err(Error::internal(format!("its text cannot be opened: {error:?}"))),
            };
            (due, outcome)
        }
    }

    async fn note(&self, mail: DueMail, outcome: Result<()>) -> Result<()> {
        let mut tx = self.app.db.begin_system().await?;
        let label = match outcome {
            Ok(()) => {
                mails::sent(&mut tx, &mail).await?;
                "sent"
            }
            Err(error) => {
                tracing::warn!(mail = %mail.id, attempt = mail.attempts, error = ?error, "a mail was not sent");
                mails::failed(&mut tx, &mail, self.app.clock.now()).await?;
                "failed"
            }
        };
        tx.commit().await?;
        metrics::counter!("mail_attempts_total", "outcome" => label).increment(1);
        Ok(())
    }
}
