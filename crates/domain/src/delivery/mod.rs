//! What is sent to others: one queue of deliveries, and its payloads.

pub mod audit_streams;
mod earlier;
pub mod lapsed_domains;
mod lengths;
pub mod logouts;
pub mod mails;
mod owners;
mod queue;
mod schedule;
pub mod scim_targets;
pub mod signals;
pub mod texts;
pub mod webhooks;
mod worker;

pub use self::earlier::{adopt, tenants_with_earlier};
pub use self::lengths::{QueueLength, lengths};
pub use self::queue::{Delivery, New, Order, Queue, enqueue};
pub(crate) use self::queue::{acknowledge, count, forget, reschedule, waiting};
pub use self::schedule::{Outcome, Schedule};
pub use self::worker::{Held, Room, claim, claim_within, settle, taken};
