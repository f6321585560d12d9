//! Streams of the audit log: the entries of a tenant on their way to a webhook, a syslog receiver (RFC 5424) or storage that speaks S3.
//!
//! A stream knows the [position](crate::log::chain) up to which its receiver has the log. The next batch is taken from there, by one
//! worker at a time, and the position moves when the receiver has acknowledged it: each entry arrives at least once, in order. What a
//! batch has is decided once, so that one which is repeated is the same.

mod batch;
mod destination;
mod health;
mod notice;
mod store;

use svc_core::Seconds;
use svc_db::coordination::NODE_SKEW;

pub use self::batch::{Batch, Lag, claim, lag};
pub use self::destination::{Destination, S3, Syslog, Webhook};
pub use self::health::{Sent, settle};
pub use self::notice::{tell_owners, tenants_with_owners_to_tell};
pub use self::store::{
    AuditStream, Begin, Configuration, NewStream, Update, check, create, delete, find, holds_secret, list,
    test, update,
};

/// Most entries of a batch.
pub const MOST_ENTRIES: u32 = 1_000;
/// Most bytes of a batch, unless its first entry alone is longer.
pub const MOST_BYTES: usize = 1024 * 1024;
/// How long a worker has a stream for itself: longer than one batch may take, by the clock of whichever node looks.
pub const CLAIM: Seconds = Seconds(60 + NODE_SKEW.0);
/// The least time between two tests of a stream: a test is no means to send requests to strangers.
pub const TEST_INTERVAL: Seconds = Seconds(10);
