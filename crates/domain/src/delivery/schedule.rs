//! When a delivery that a receiver did not take is tried again, and when it is given up.

use svc_core::{Entropy, Seconds};

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver has taken it.
    Taken,
    /// The receiver is gone, or will never take it.
    Over,
    /// The receiver cannot take it now, and may have said for how long.
    Busy(Option<Seconds>),
    /// There was no answer in time.
    Silent,
}

impl Outcome {
    /// What metrics call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Taken => "sent",
            Self::Over => "given_up",
            Self::Busy(_) | Self::Silent => "failed",
        }
    }
}

/// Waits after each failed attempt, in seconds; after the last wait follows a last attempt.
#[derive(Clone, Copy, Debug)]
pub struct Schedule(&'static [i64]);

/// Longest that a receiver may put us off.
const LONGEST: Seconds = Seconds(86_400);
/// How far a wait varies to either side, in permille, so that what failed together does not come back together.
const JITTER: u64 = 200;

impl Schedule {
    /// For messages that are of use for about an hour, such as a link that expires.
    pub const HOURS: Self = Self(&[5, 30, 120, 900, 3_600]);
    /// For messages that have to arrive, however late.
    pub const DAYS: Self = Self(&[5, 30, 120, 900, 3_600, 14_400, 43_200, 86_400]);

    /// For messages that are never given up: the wait doubles with each failure, up to a quarter of an hour.
    pub const FOR_EVER: Self = Self(&[5, 10, 20, 40, 80, 160, 320, 640, 900]);

    /// How long to wait after so many failed attempts where the last wait repeats itself.
    pub(super) fn wait_again(self, failures: i64, asked: Option<Seconds>, entropy: &dyn Entropy) -> Seconds {
        let waits = i64::try_from(self.0.len()).unwrap_or(i64::MAX);
        self.wait(failures.clamp(1, waits), asked, entropy).unwrap_or(LONGEST)
    }

    /// How long to wait after so many failed attempts, at least as long as the receiver asked for; nothing when it is
    /// time to give up.
    pub(super) fn wait(
        self,
        failures: i64,
        asked: Option<Seconds>,
        entropy: &dyn Entropy,
    ) -> Option<Seconds> {
        let planned = usize::try_from(failures - 1).ok().and_then(|index| self.0.get(index))?;
        let asked = asked.unwrap_or(Seconds(0)).min(LONGEST);
        Some(Seconds(varied(*planned, entropy)).max(asked))
    }
}

fn varied(seconds: i64, entropy: &dyn Entropy) -> i64 {
    let mut random = [0; 8];
    entropy.fill(&mut random);
    let permille = 1_000 - JITTER + u64::from_be_bytes(random) % (2 * JITTER + 1);
    seconds.saturating_mul(i64::try_from(permille).unwrap_or(1_000)) / 1_000
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    #[test]
    fn waits_grow_from_seconds_to_hours_or_days_and_then_end() {
        let entropy = SeededEntropy::new(1);
        for (schedule, attempts) in [(Schedule::HOURS, 6), (Schedule::DAYS, 9)] {
            for (index, planned) in schedule.0.iter().enumerate() {
                let failures = i64::try_from(index).unwrap() + 1;
                for _ in 0..100 {
                    let Seconds(wait) = schedule.wait(failures, None, &entropy).unwrap();
                    assert!((planned * 4 / 5..=planned * 6 / 5).contains(&wait), "{failures}: {wait}");
                }
            }
            assert_eq!(schedule.wait(attempts, None, &entropy), None);
            assert_eq!(
                schedule.wait(attempts, Some(Seconds(1)), &entropy),
                None,
                "no receiver is tried for ever"
            );
        }
    }

    #[test]
    fn what_is_never_given_up_waits_for_a_quarter_of_an_hour_at_most() {
        let entropy = SeededEntropy::new(3);
        let wait = |failures| Schedule::FOR_EVER.wait_again(failures, None, &entropy).0;
        assert!((4..=6).contains(&wait(0)) && (4..=6).contains(&wait(1)));
        assert!((720..=1_080).contains(&wait(9)) && (720..=1_080).contains(&wait(1_000_000)));
    }

    #[test]
    fn a_receiver_can_put_us_off_for_a_day_and_never_hurry_us() {
        let entropy = SeededEntropy::new(2);
        let asked = |seconds| Schedule::DAYS.wait(1, Some(Seconds(seconds)), &entropy).unwrap().0;
        assert_eq!((asked(60), asked(1_000_000_000)), (60, 86_400));
        for hurry in [-1, 0, 1] {
            assert!((4..=6).contains(&asked(hurry)), "{hurry}");
        }
    }
}
