//! Hands a mail to the transport. What a relay does not take now is tried again later.

use std::time::Duration;

use svc_config::Config;
use svc_core::{Cx, Error, Result};
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::delivery::{Delivery, Outcome, Queue as _};
use svc_http::{App, Notices};
use svc_keys::Purpose;

use super::{Attempt, Carrier, Ended};
use crate::jobs::cx;
use crate::mailer::Letter;

/// Within the minute for which a mail is claimed, so that a slow relay does not get a mail twice.
const LONGEST: Duration = Duration::from_secs(50);

impl Attempt for Mail {
    type Report = ();

    fn at_once(_: &Config) -> usize {
        16
    }

    async fn attempt(
        Carrier { app, mailer, .. }: &Carrier,
        due: &Delivery<Self>,
    ) -> Result<Option<Ended<()>>> {
        let cx = cx(app, Self::QUEUE);
        let Some(mail) = written(app, &cx, due).await? else { return Ok(Some(Outcome::Taken.into())) };
        let letter = Letter { id: due.id, mail: &mail, at: app.clock.now() };
        let sent = tokio::time::timeout(LONGEST, mailer.send(&letter)).await;
        sent.unwrap_or_else(|elapsed| Err(Error::unavailable(elapsed)))?;
        Ok(Some(Outcome::Taken.into()))
    }
}

/// What to send; nothing where there is no one to tell any more.
async fn written(app: &App, cx: &Cx, due: &Delivery<Mail>) -> Result<Option<NewMail>> {
    if let Mail::LostGuardian(lost) = due.payload()? {
        return (app.part::<Notices>()?.lost_guardian)(app, cx, (due.tenant, &lost)).await;
    }
    let sealer = app.services.sealers.of(due.tenant, Purpose::Messages, cx).await?;
    mails::open(due, &sealer).map(Some)
}
