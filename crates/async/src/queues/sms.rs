//! Hands a text message to the gateway, or to where it is only logged. What a gateway does not take now is tried again while the
//! code in it counts.

use svc_config::PhoneProvider;
use svc_core::Result;
use svc_domain::delivery::texts::{self, Text};
use svc_domain::delivery::{Delivery, Outcome, Queue as _};
use svc_keys::Purpose;

use super::{Attempt, Carrier, Ended};
use crate::jobs::cx;
use crate::phone::{gateway, log};

impl Attempt for Text {
    type Report = ();

    async fn attempt(
        Carrier { app, mailer, .. }: &Carrier,
        due: &Delivery<Self>,
    ) -> Result<Option<Ended<()>>> {
        let now = app.clock.now();
        if !due.payload()?.is_of_use(now) {
            return Ok(Some(Outcome::Over.into()));
        }
        let sealer = app.services.sealers.of(due.tenant, Purpose::Messages, &cx(app, Self::QUEUE)).await?;
        let text = texts::open(due, &sealer)?;
        let phone = &app.config.phone;
        let outcome = match phone.provider {
            PhoneProvider::None => {
                tracing::warn!(text = %due.id, "a text message is not sent: phone.provider is \"none\"");
                Outcome::Over
            }
            PhoneProvider::Http => gateway::post(app, due.id, &text).await?,
            PhoneProvider::Log => {
                log::write(&phone.log.sink, mailer.inbox(), ((due.id, now), &text)).await?;
                Outcome::Taken
            }
        };
        Ok(Some(outcome.into()))
    }
}
