//! Proofs of domains are checked again and again. This decides when a domain lapses whose proof is missing.

use svc_core::{Seconds, Timestamp};

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The proof.
    Proof,
    /// Answers, and no proof in them.
    Nothing,
    /// No answer. It may be our fault or theirs, and is not counted.
    NoAnswer,
}

/// How long a proof may be missing until its domain lapses.
const GRACE: Seconds = Seconds(7 * 86_400);
/// How often in a row it must have been missing then.
const MOST_FAILURES: i64 = 3;

/// Since when a proof was not found, and how often in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) since: Option<Timestamp>,
    pub(crate) failures: i64,
}

impl Missing {
    /// The state after one more check, and whether the proof has been missing for too long.
    pub(crate) fn after(self, found: Found, now: Timestamp) -> (Self, bool) {
        let missing = match found {
            Found::Proof => Self::default(),
            Found::Nothing => Self { since: self.since.or(Some(now)), failures: self.failures + 1 },
            Found::NoAnswer => self,
        };
        let is_long = missing.since.is_some_and(|since| now - since >= GRACE);
        (missing, is_long && found == Found::Nothing && missing.failures >= MOST_FAILURES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_missing_for_too_long_after_a_week_and_three_looks_that_found_none() {
        let day = |count: i64| Timestamp::from_secs(count * 86_400);
        let (first, is_over) = Missing::default().after(Found::Nothing, day(1));
        assert_eq!((first, is_over), (Missing { since: Some(day(1)), failures: 1 }, false));
        let (second, is_over) = first.after(Found::Nothing, day(9));
        assert!(!is_over && second.failures == 2, "a week, but not often enough");
        assert_eq!(second.after(Found::NoAnswer, day(10)), (second, false));
        assert!(second.after(Found::Nothing, day(10)).1);
        assert_eq!(second.after(Found::Proof, day(10)), (Missing::default(), false));
        let quick = Missing { since: Some(day(1)), failures: 9 };
        assert!(!quick.after(Found::Nothing, day(7)).1, "often, but not for a week");
    }
}
