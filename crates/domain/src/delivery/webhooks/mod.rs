//! Webhooks: a tenant's subscriptions to its events, and how each event gets to them.
//!
//! A subscription knows the [position](crate::log::positions) up to which its events have become deliveries. Few of them wait at a
//! time, so that what a receiver does not take stands once in the log of events, however long that log gets.

mod fan_out;
mod filter;
mod health;
mod history;
mod notice;
mod payload;
mod replay;
pub(super) mod secret;
mod subscriptions;

use svc_core::Seconds;

pub use self::fan_out::{Led, fan_out, tenants_behind};
pub use self::health::{Attempted, Noted, hold, note};
pub use self::history::{
    AttemptRecord, DeliveryRecord, DeliveryState, HistoryFilter, delivery, forget_old, history,
};
pub use self::notice::{tell_owners, tenants_with_owners_to_tell};
pub use self::payload::{Target, WebhookDelivery, target, test};
pub use self::replay::{replay, replay_range};
pub(crate) use self::secret::{check as check_secret, made as made_secret};
pub use self::secret::{holds as holds_secret, replace as replace_secret, rotate};
pub use self::subscriptions::{Configuration, NewWebhook, Webhook, create, delete, find, list, update};

/// Most subscriptions of one tenant.
pub const MOST_SUBSCRIPTIONS: i64 = 1_000;
/// Most deliveries that wait for one receiver; further events wait in the log.
pub const MOST_WAITING: i64 = 256;
/// Most of them that could go out as soon as there is a place.
pub const MOST_READY: i64 = 64;
/// Most deliveries to one receiver that are on their way at once.
pub const AT_ONCE: i64 = 8;
/// How many seconds a signature counts. It goes with the suite: the history says it of every attempt.
pub const MAX_AGE: Seconds = Seconds(300);
/// The least time between two tests of a subscription: a test is no means to send requests to strangers.
pub const TEST_INTERVAL: Seconds = Seconds(10);
/// Most bytes of an answer that are kept.
pub const MOST_ANSWER: usize = 64 * 1024;
/// The headers of an answer that are kept: what they say helps to understand it, and none of them carries a credential.
pub const ANSWER_HEADERS: [&str; 6] =
    ["content-type", "location", "retry-after", "server", "www-authenticate", "x-request-id"];
/// Most characters of the value of such a header.
pub const MOST_HEADER: usize = 256;
