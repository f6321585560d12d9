//! Attempts that failed shortly before.

use svc_core::Seconds;

use super::{Seen, Signal};

pub(super) const SIGNAL: Signal = Signal {
    name: "many_failures",
    points: 35,
    about: "Several attempts to sign in had failed within a day.",
    is_seen,
};

/// How many are many.
pub const MANY: usize = 5;
/// The time over which they are counted.
pub const WINDOW: Seconds = Seconds(86_400);

fn is_seen(seen: &Seen<'_>) -> bool {
    seen.failures >= MANY
}
