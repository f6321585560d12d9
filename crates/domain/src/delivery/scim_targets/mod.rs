//! SCIM targets: applications to which a tenant's people and groups are pushed (RFC 7644), and their accounts there.
//!
//! A target is led along the [log of events](crate::log::positions), and each event that may concern a person raises the number of
//! reasons to look at the link of that person. One delivery at a time waits for a link, so that many changes are one look: it
//! compares what the person is now with what was last pushed.

mod choices;
mod chosen;
mod configuration;
mod deactivation;
mod fan_out;
mod health;
mod links;
mod look;
mod marks;
mod notice;
mod outcomes;
mod people;
mod pushed;
mod queueing;
mod settling;
mod store;

use svc_core::Seconds;

pub use self::choices::{OnRemoval, Pushed, UpdateWith, UserName};
pub use self::chosen::PushedPeople;
pub use self::configuration::{ClientCredentials, Configuration};
pub use self::fan_out::{lead, tenants_with_work};
pub use self::links::{Counts, Link, LinkKind, LinkState, Status, links, status};
pub use self::look::{Look, Remote, ScimLook, Step, look};
pub use self::notice::{tell_owners, tenants_with_owners_to_tell};
pub use self::pushed::{Document, Fingerprint};
pub use self::settling::{Looked, PushOutcome, hold, note};
pub use self::store::{
    Access, NewTarget, ScimTarget, Update, access, check, create, delete, find, list, note_test, sync, update,
};

/// Most targets of one tenant.
pub const MOST_TARGETS: i64 = 100;
/// Most deliveries that wait for one target; further links wait for their turn.
pub const MOST_WAITING: i64 = 256;
/// Most looks at people of one target that are on their way at once.
pub const AT_ONCE: i64 = 4;
/// Most members of a group that is pushed.
pub const MOST_MEMBERS: u32 = 10_000;
/// The least time between two tests of a target, and between two requests to push everyone again.
pub const TEST_INTERVAL: Seconds = Seconds(10);
