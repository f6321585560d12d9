//! What a receiver may say of its stream (SSF §8.1.1): its own members are taken, ours have to be as they are.

use serde::Deserialize;
use serde_json::Value;
use svc_core::{Error, Result, Secret};
use svc_domain::delivery::signals::{Authorization, Delivery, POLL, PUSH, Wanted};
use svc_http::{App, HeaderValue};
use utoipa::ToSchema;

/// Most types that are asked for, and most bytes of one.
const MOST_EVENTS: usize = 50;
const LONGEST_EVENT: usize = 500;
const LONGEST_DESCRIPTION: usize = 500;
const LONGEST_HEADER: usize = 4096;

/// How events are to be delivered.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = SignalDeliveryWanted)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedDelivery {
    /// `urn:ietf:rfc:8935` (push) or `urn:ietf:rfc:8936` (poll).
    method: String,
    /// Where to push to: an https address on a public host. Of a poll it is ours.
    endpoint_url: Option<String>,
    /// Sent as `Authorization` with each push; never shown again.
    #[schema(value_type = Option<String>)]
    authorization_header: Option<Secret>,
}

/// A stream to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "delivery": { "method": "urn:ietf:rfc:8936" }, "description": "Sessions of the shop" })))]
pub(super) struct NewSignalStream {
    /// The types of events that are asked for; those that we do not have are ignored.
    #[serde(default)]
    pub events_requested: Vec<String>,
    /// Without it the stream is polled.
    pub delivery: Option<WantedDelivery>,
    /// For people who look at it; at most 500 characters.
    pub description: Option<String>,
}

/// A stream to change or to replace. Members that only the service sets may be sent back unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "stream_id": "ssf_01jcqzv7y0e8kstk6yq6k3a4mf", "events_requested": ["https://schemas.openid.net/secevent/caep/event-type/session-revoked"], "delivery": { "method": "urn:ietf:rfc:8936" }, "description": "Sessions of the shop" })))]
pub(super) struct SignalStreamChange {
    pub stream_id: String,
    #[schema(value_type = Option<String>)]
    pub iss: Option<Value>,
    #[schema(value_type = Option<String>)]
    pub aud: Option<Value>,
    #[schema(value_type = Option<Vec<String>>)]
    pub events_supported: Option<Value>,
    #[schema(value_type = Option<Vec<String>>)]
    pub events_delivered: Option<Value>,
    #[schema(value_type = Option<i64>)]
    pub min_verification_interval: Option<Value>,
    pub events_requested: Option<Vec<String>>,
    pub delivery: Option<WantedDelivery>,
    pub description: Option<String>,
}

impl NewSignalStream {
    pub fn check(self, app: &App) -> Result<Wanted> {
        let delivery = self.delivery.map_or(Ok(Delivery::Poll), |delivery| delivery.check(app, None))?;
        checked(Wanted { delivery, events_requested: self.events_requested, description: self.description })
    }
}

impl SignalStreamChange {
    /// Refuses another value for what only we decide; `shown` is the stream as it is read.
    pub fn check_ours(&self, shown: &Value) -> Result<()> {
        let ours = [
            ("iss", &self.iss),
            ("aud", &self.aud),
            ("events_supported", &self.events_supported),
            ("events_delivered", &self.events_delivered),
            ("min_verification_interval", &self.min_verification_interval),
        ];
        match ours.into_iter().find(|(name, given)| given.is_some() && given.as_ref() != shown.get(name)) {
            Some((name, _)) => Err(Error::bad_request(format!(
                "{name}: this stream has another value; send it unchanged, or leave it out"
            ))),
            None => Ok(()),
        }
    }

    /// The stream with these changes (`PATCH`).
    pub fn merged(self, app: &App, present: Wanted, poll_url: &str) -> Result<Wanted> {
        let delivery = self.delivery.map(|delivery| delivery.check(app, Some(poll_url))).transpose()?;
        checked(Wanted {
            delivery: delivery.unwrap_or(present.delivery),
            events_requested: self.events_requested.unwrap_or(present.events_requested),
            description: self.description.or(present.description),
        })
    }

    /// The stream that takes the place of the present one (`PUT`).
    pub fn whole(self, app: &App, poll_url: &str) -> Result<Wanted> {
        let delivery = self.delivery.map(|delivery| delivery.check(app, Some(poll_url))).transpose()?;
        checked(Wanted {
            delivery: delivery.unwrap_or(Delivery::Poll),
            events_requested: self.events_requested.unwrap_or_default(),
            description: self.description,
        })
    }
}

impl WantedDelivery {
    /// `poll_url` is where the stream is polled, once it is known.
    fn check(self, app: &App, poll_url: Option<&str>) -> Result<Delivery> {
        match self.method.as_str() {
            PUSH => self.push(app),
            POLL if self.authorization_header.is_some() => {
                Err(Error::bad_request("delivery.authorization_header: only a push takes one; leave it out"))
            }
            POLL if self.endpoint_url.is_none() || self.endpoint_url.as_deref() == poll_url => {
                Ok(Delivery::Poll)
            }
            POLL => Err(Error::bad_request(
                "delivery.endpoint_url: the service sets the address of a poll; leave it out",
            )),
            _ => Err(Error::bad_request(format!("delivery.method: use {PUSH} or {POLL}"))),
        }
    }

    fn push(self, app: &App) -> Result<Delivery> {
        let missing = || Error::bad_request("delivery.endpoint_url: missing; give the address to push to");
        let endpoint_url = self.endpoint_url.ok_or_else(missing)?;
        let outcome = app.outbound.check(&endpoint_url);
        outcome
            .map_err(|error| Error::invalid_request(format!("delivery.endpoint_url: {}", error.detail())))?;
        let fits = |header: &Secret| {
            let text = header.expose();
            (1..=LONGEST_HEADER).contains(&text.len())
                && HeaderValue::try_from(text).is_ok_and(|value| value.to_str().is_ok())
        };
        if self.authorization_header.as_ref().is_some_and(|header| !fits(header)) {
            return Err(Error::bad_request(
                "delivery.authorization_header: use 1 to 4096 visible characters",
            ));
        }
        let authorization_header = self.authorization_header.map(Authorization::Given);
        Ok(Delivery::Push { endpoint_url, authorization_header })
    }
}

fn checked(wanted: Wanted) -> Result<Wanted> {
    let events = &wanted.events_requested;
    if events.len() > MOST_EVENTS || events.iter().any(|event| event.len() > LONGEST_EVENT) {
        return Err(Error::bad_request(format!(
            "events_requested: give at most {MOST_EVENTS}, each of at most {LONGEST_EVENT} bytes"
        )));
    }
    if wanted.description.as_ref().is_some_and(|text| text.chars().count() > LONGEST_DESCRIPTION) {
        return Err(Error::bad_request(format!("description: use at most {LONGEST_DESCRIPTION} characters")));
    }
    Ok(wanted)
}
