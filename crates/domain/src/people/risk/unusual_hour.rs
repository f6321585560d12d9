//! An hour at which the person does not sign in, by their own history.

use svc_core::Timestamp;

use super::{Seen, Signal};

pub(super) const SIGNAL: Signal = Signal {
    name: "unusual_hour",
    points: 15,
    about: "The person does not sign in at this hour of the day.",
    is_seen,
};

/// Fewer sign-ins than that show no habit.
const FEWEST: usize = 10;
/// How far from each of them an hour is unusual.
const FAR: i64 = 3 * 3600;
const DAY: i64 = 86_400;

fn is_seen(seen: &Seen<'_>) -> bool {
    let is_near = |(at, _): &(Timestamp, String)| apart(seen.at, *at) <= FAR;
    seen.before.len() >= FEWEST && !seen.before.iter().any(is_near)
}

/// How far apart two times are on the clock, around midnight too.
fn apart(one: Timestamp, other: Timestamp) -> i64 {
    let apart = (one.as_secs() - other.as_secs()).rem_euclid(DAY);
    apart.min(DAY - apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_no_end_at_midnight() {
        let at = |hour: i64| Timestamp::from_secs(1_700_006_400 + hour * 3600);
        assert_eq!(apart(at(23), at(25)), 2 * 3600);
        assert_eq!(apart(at(1), at(23)), 2 * 3600);
        assert_eq!(apart(at(0), at(24 * 9)), 0);
    }

    #[test]
    fn a_few_sign_ins_show_no_habit() {
        let before: Vec<_> = (0..9).map(|day| (Timestamp::from_secs(day * DAY), String::new())).collect();
        let seen = Seen { at: Timestamp::from_secs(DAY / 2), before: &before, ..Seen::nothing() };
        assert!(!is_seen(&seen));
        let before: Vec<_> = (0..10).map(|day| (Timestamp::from_secs(day * DAY), String::new())).collect();
        assert!(is_seen(&Seen { before: &before, ..seen }));
    }
}
