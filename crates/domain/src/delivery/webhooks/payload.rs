//! An event on its way to a subscription, and where it goes at the moment of an attempt.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::events::{Event, WebhookTested};
use svc_core::{
    Cx, DeliveryId, DeliveryKind, Error, EventId, OrInternal as _, Result, Secret, Timestamp, WebhookId,
};
use svc_db::{Tenant, Tx, args, change_sql, sql};
use svc_keys::keyring::Sealer;
use svc_keys::webhook::Signed;

use super::subscriptions::{self, Webhook};
use super::{AT_ONCE, MAX_AGE, TEST_INTERVAL, secret};
use crate::delivery::{Delivery, New, Order, Queue, Schedule, enqueue};
use crate::log::positions::Positioned;
use crate::log::{self, Action, Meaning, change};

/// An event for one subscription. It stays readable in the history after it was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookDelivery {
    /// The event.
    pub event_id: EventId,
    /// Its type.
    pub event_type: String,
    /// What is posted, byte for byte.
    pub body: String,
    /// The delivery that it repeats at an administrator's request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<DeliveryId>,
}

impl Queue for WebhookDelivery {
    type Kind = DeliveryKind;
    const QUEUE: &'static str = "webhooks";
    const SCHEDULE: Schedule = Schedule::DAYS;
    const ORDER: Order = Order::ByTopic { at_once: AT_ONCE };
    const KEEPS_PAYLOAD: bool = true;

    fn event_type(&self) -> Option<&str> {
        Some(&self.event_type)
    }
}

impl WebhookDelivery {
    /// What is signed of it when it is posted as this delivery at this time.
    pub fn signed<'a>(&'a self, delivery: &'a str, at: Timestamp) -> Signed<'a> {
        Signed {
            timestamp: at.as_secs(),
            max_age: MAX_AGE.0,
            event: &self.event_type,
            delivery,
            body: self.body.as_bytes(),
        }
    }
}

/// Where a delivery goes, and what signs it.
pub struct Target {
    /// The address.
    pub url: String,
    /// The present secret, and the former one while it is valid; none where the present one does not open, as its key was destroyed.
    pub secrets: Vec<Secret>,
}

impl From<Positioned> for WebhookDelivery {
    fn from(event: Positioned) -> Self {
        Self { event_id: event.id, event_type: event.event_type, body: event.envelope, replay_of: None }
    }
}

/// The delivery of an event; `position` is its place among those about the same subject. It goes out at `due_at` at the earliest.
pub(super) fn of_event(
    cx: &Cx,
    webhook: WebhookId,
    (position, due_at): (i64, Timestamp),
    payload: WebhookDelivery,
) -> New<WebhookDelivery> {
    New {
        receiver: webhook.to_string(),
        topic: subject(&payload.body),
        happened_at: Timestamp::from_micros(position),
        due_at: Some(due_at),
        ..New::of(cx, cx.id(), payload)
    }
}

/// Queues what an administrator asked for: it waits for nothing.
pub(super) fn put_first(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    webhook: WebhookId,
    payload: WebhookDelivery,
) -> Result<DeliveryId> {
    let id = cx.id();
    let new = New {
        receiver: webhook.to_string(),
        topic: id.to_string(),
        happened_at: Timestamp::from_micros(0),
        ..New::of(cx, id, payload)
    };
    enqueue(tx, &new)?;
    Ok(id)
}

/// What an event is about: of these events the order is kept.
fn subject(envelope: &str) -> String {
    const NAMES: [&str; 5] = ["tenant_user_id", "sub", "session_id", "organization_id", "client_id"];
    let envelope: Value = serde_json::from_str(envelope).unwrap_or_default();
    let Some(data) = envelope.pointer("/data").and_then(Value::as_object) else { return String::new() };
    let named = NAMES.iter().find_map(|name| data.get(*name)?.as_str());
    let any = || data.iter().find_map(|(name, value)| value.as_str().filter(|_| name.ends_with("_id")));
    named.or_else(any).unwrap_or_default().to_owned()
}

/// Sends a test to an active subscription; returns the delivery.
pub async fn test(tx: &mut Tx<Tenant>, cx: &Cx, webhook: &Webhook) -> Result<DeliveryId> {
    check_active(webhook)?;
    let update = change_sql!(
        "UPDATE webhooks SET tested_at = $3 WHERE tenant_id = $1 AND id = $2 AND tested_at <= $4"
    );
    let arguments = args![webhook.id, cx.now, cx.now - TEST_INTERVAL];
    if change(tx, cx, update, arguments, Meaning::done(Action::WebhookTested, webhook.id)).await? == 0 {
        return Err(Error::rate_limited("this subscription was tested just now").retry_in(TEST_INTERVAL));
    }
    let event_id = cx.id();
    let event = Event::from(WebhookTested { webhook_id: webhook.id });
    let event_type = event.name.to_owned();
    let body = log::envelope(event_id, event, tx.tenant().reference(), cx);
    put_first(tx, cx, webhook.id, WebhookDelivery { event_id, event_type, body, replay_of: None })
}

/// Refuses what would send something to a subscription that is deactivated.
pub(super) fn check_active(webhook: &Webhook) -> Result<()> {
    if webhook.active {
        return Ok(());
    }
    Err(Error::conflict("the subscription is deactivated; activate it first"))
}

/// Where a delivery goes at this moment; nothing where its subscription is deactivated or deleted.
pub async fn target(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    due: &Delivery<WebhookDelivery>,
) -> Result<Option<Target>> {
    let webhook = subscriptions::find(tx, due.receiver.parse().or_internal()?).await?;
    let Some(webhook) = webhook.filter(|webhook| webhook.active) else { return Ok(None) };
    let place = secret::place((tx.tenant().reference(), webhook.id));
    let is_valid = webhook.former_secret_expires_at.is_some_and(|until| cx.now < until);
    let mut secrets = match place.open(&webhook.secret, sealer) {
        Ok(present) => vec![Secret::new(present)],
        Err(error) => {
            tracing::warn!(webhook = %webhook.id, error = ?error, "the secret of a webhook does not open");
            return Ok(Some(Target { url: webhook.configuration.url, secrets: Vec::new() }));
        }
    };
    if let Some(former) = webhook.former_secret.as_ref().filter(|_| is_valid) {
        match place.open(former, sealer) {
            Ok(former) => secrets.push(Secret::new(former)),
            Err(error) => {
                tracing::warn!(webhook = %webhook.id, error = ?error, "the former secret of a webhook does not open");
            }
        }
    }
    Ok(Some(Target { url: webhook.configuration.url, secrets }))
}

/// The delivery of this subscription, if it is one.
pub(super) async fn stored(
    tx: &mut Tx<Tenant>,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<WebhookDelivery>> {
    let select = sql!(
        "SELECT payload FROM deliveries WHERE tenant_id = $1 AND id = $2 AND receiver = $3 AND queue = 'webhooks'"
    );
    let row = tx.optional(select, args![id, webhook]).await?;
    row.map(|row| crate::document::load(&row, "payload")).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_about_the_person_or_else_about_what_it_names() {
        for (envelope, expected) in [
            (r#"{"data":{"client_id":"app_1","sub":"248"}}"#, "248"),
            (r#"{"data":{"tenant_user_id":null,"client_id":"app_1"}}"#, "app_1"),
            (r#"{"data":{"kid":"key"}}"#, ""),
        ] {
            assert_eq!(subject(envelope), expected, "{envelope}");
        }
    }
}
