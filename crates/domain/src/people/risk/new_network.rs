//! A network from which the person has not signed in before.

use super::{Seen, Signal};

pub(super) const SIGNAL: Signal = Signal {
    name: "new_network",
    points: 25,
    about: "The person had not signed in from this network before.",
    is_seen,
};

fn is_seen(seen: &Seen<'_>) -> bool {
    let is_known = |(_, network): &(_, String)| network == seen.network;
    !seen.before.is_empty() && !seen.network.is_empty() && !seen.before.iter().any(is_known)
}
