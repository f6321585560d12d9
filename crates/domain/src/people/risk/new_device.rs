//! A browser in which the person has not signed in before.

use super::{Seen, Signal};

pub(super) const SIGNAL: Signal = Signal {
    name: "new_device",
    points: 30,
    about: "The person had not signed in with this browser before.",
    is_seen,
};

fn is_seen(seen: &Seen<'_>) -> bool {
    !seen.is_known_device && !seen.before.is_empty()
}
