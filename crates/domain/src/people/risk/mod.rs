//! How unusual a sign-in is: points of signals, each with a reason that people and administrators can read.
//!
//! A signal is one file and one line of [`SIGNALS`]. Nothing is looked up here: what is known of the person comes in [`Seen`].

mod disposable_address;
mod impossible_travel;
mod many_failures;
mod new_device;
mod new_network;
mod place;
mod unusual_hour;

use serde::{Deserialize, Serialize};
use svc_core::Timestamp;
use utoipa::ToSchema;

pub use self::many_failures::{MANY, WINDOW as FAILURES_WINDOW};
pub use self::place::{Place, Visited};
use crate::tenancy::tenants::HIGHEST_SCORE;

/// What a sign-in is rated by.
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// When it is.
    pub at: Timestamp,
    /// The network that it comes from.
    pub network: &'a str,
    /// Whether the person has signed in in this browser before.
    pub is_known_device: bool,
    /// The address of the account.
    pub email: Option<&'a str>,
    /// When, and from which networks, the person signed in before, the latest first.
    pub before: &'a [(Timestamp, String)],
    /// Where the person signed in last and signs in now, where both are known.
    pub visited: Option<Visited>,
    /// How many attempts have failed lately, counted up to [`MANY`].
    pub failures: usize,
}

/// A sign by which a sign-in is unusual.
pub struct Signal {
    /// What it is called in answers and events.
    pub name: &'static str,
    /// What it adds to the score.
    pub points: u32,
    /// What it says, to administrators.
    pub about: &'static str,
    /// Whether it is seen.
    pub is_seen: fn(&Seen<'_>) -> bool,
}

/// Every signal.
pub const SIGNALS: &[Signal] = &[
    new_device::SIGNAL,
    new_network::SIGNAL,
    unusual_hour::SIGNAL,
    impossible_travel::SIGNAL,
    many_failures::SIGNAL,
    disposable_address::SIGNAL,
];

/// Why a sign-in has points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = LoginReason)]
pub struct Reason {
    /// The signal: `new_device`, `new_network`, `unusual_hour`, `impossible_travel`, `many_failures` or `disposable_address`.
    pub signal: String,
    /// What it adds to the score.
    pub points: u32,
}

/// How unusual a sign-in is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// From 0 to [`HIGHEST_SCORE`].
    pub score: u32,
    /// What it is made of.
    pub reasons: Vec<Reason>,
}

impl Rating {
    /// Whether a signal was seen.
    pub fn has(&self, signal: &str) -> bool {
        self.reasons.iter().any(|reason| reason.signal == signal)
    }

    /// Whether the browser is one in which the person has not signed in before.
    pub fn is_of_new_device(&self) -> bool {
        self.has(new_device::SIGNAL.name)
    }
}

/// Rates a sign-in.
pub fn rate(seen: &Seen<'_>) -> Rating {
    let signals = SIGNALS.iter().filter(|signal| (signal.is_seen)(seen));
    let reasons = signals.map(|signal| Reason { signal: signal.name.to_owned(), points: signal.points });
    let reasons: Vec<Reason> = reasons.collect();
    let score = reasons.iter().map(|reason| reason.points).sum::<u32>().min(HIGHEST_SCORE);
    Rating { score, reasons }
}

/// What a signal says; a newer version may have stored one that this one does not know.
pub fn about(signal: &str) -> Option<&'static str> {
    SIGNALS.iter().find(|known| known.name == signal).map(|known| known.about)
}

#[cfg(test)]
impl Seen<'_> {
    /// A sign-in of which nothing is known.
    fn nothing() -> Self {
        let at = Timestamp::from_secs(0);
        Self { at, network: "", is_known_device: false, email: None, before: &[], visited: None, failures: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_secs(1_700_000_000 - 1_700_000_000 % 86_400 + 12 * 3600);
    const HOME: &str = "203.0.113.0/24";
    const LONDON: Place = Place { latitude: 51.5, longitude: -0.1, radius_km: 10.0 };
    const SYDNEY: Place = Place { latitude: -33.9, longitude: 151.2, radius_km: 10.0 };

    fn history(count: i64) -> Vec<(Timestamp, String)> {
        let at = |day: i64| Timestamp::from_secs(NOON.as_secs() - day * 86_400);
        (1..=count).map(|day| (at(day), HOME.to_owned())).collect()
    }

    fn names(seen: &Seen<'_>) -> Vec<String> {
        rate(seen).reasons.into_iter().map(|reason| reason.signal).collect()
    }

    #[test]
    fn what_is_as_always_has_no_points() {
        let before = history(20);
        let seen =
            Seen { at: NOON, network: HOME, is_known_device: true, before: &before, ..Seen::nothing() };
        assert_eq!(rate(&seen), Rating::default());
    }

    #[test]
    fn the_first_sign_in_of_all_is_compared_with_nothing() {
        let seen = Seen { at: NOON, network: HOME, ..Seen::nothing() };
        assert_eq!(rate(&seen), Rating::default());
    }

    #[test]
    fn each_signal_adds_its_points_and_the_score_has_an_end() {
        let before = history(20);
        let night = Timestamp::from_secs(NOON.as_secs() + 12 * 3600);
        let seen = Seen {
            at: night,
            network: "198.51.100.0/24",
            is_known_device: false,
            email: Some("ada@mailinator.com"),
            before: &before,
            visited: Some(Visited { last: LONDON, here: SYDNEY, hours: 1.0 }),
            failures: MANY,
        };
        assert_eq!(names(&seen), SIGNALS.iter().map(|signal| signal.name).collect::<Vec<_>>());
        assert_eq!(rate(&seen).score, HIGHEST_SCORE);
        let elsewhere = Seen { at: NOON, email: None, failures: 0, visited: None, ..seen };
        assert_eq!(names(&elsewhere), ["new_device", "new_network"]);
        assert_eq!(rate(&elsewhere).score, 55);
    }

    #[test]
    fn no_signals_of_a_known_browser_reach_the_score_that_refuses_by_default() {
        let of_new_ones = ["new_device", "impossible_travel"];
        let others = SIGNALS.iter().filter(|signal| !of_new_ones.contains(&signal.name));
        assert!(others.map(|signal| signal.points).sum::<u32>() < 90);
    }

    #[test]
    fn every_signal_has_a_name_of_its_own_and_says_what_it_means() {
        for signal in SIGNALS {
            assert_eq!(SIGNALS.iter().filter(|other| other.name == signal.name).count(), 1);
            assert!(about(signal.name).is_some_and(|about| about.ends_with('.')));
        }
        assert_eq!(about("of_a_newer_version"), None);
    }
}
