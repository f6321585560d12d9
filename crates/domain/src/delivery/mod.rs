//! What is sent to others: one queue of deliveries, and its payloads.

mod earlier;
mod lengths;
pub mod logouts;
pub mod mails;
mod queue;
mod schedule;
pub mod signals;
pub mod webhooks;
mod worker;

pub use self::earlier::{adopt, tenants_with_earlier};
pub use self::lengths::{QueueLength, lengths};
pub use self::queue::{Delivery, New, Order, Queue, enqueue};
pub(crate) use self::queue::{acknowledge, count, forget, reschedule, waiting};
pub use self::schedule::{Outcome, Schedule};
pub use self::worker::{claim, settle};
