//! The time by which expired records may be deleted. It does not follow a clock that jumps ahead.
//!
//! A revocation or a used assertion is only known as long as its record is there. If the clock jumped ahead and expired records were
//! deleted at once, revoked tokens would be valid again as soon as the clock is corrected. So records are deleted by the latest time
//! that the clock has confirmed for longer than any such record matters.

use std::sync::{Mutex, PoisonError};

use crate::{Seconds, Timestamp};

/// The most that the clock moves on between two readings. More than that is taken for a jump; it may also be an outage, which cannot
/// be distinguished from one.
pub const STEP: Seconds = Seconds(300);
/// How long the clock must run after a jump before it is trusted: longer than the lifetime of an access token or an assertion.
pub const BOUND: Seconds = Seconds(86_400);

/// Follows the clock, and knows which of its times can be trusted.
#[derive(Debug)]
pub struct Settled(Mutex<State>);

#[derive(Debug)]
struct State {
    seen: Timestamp,
    /// How far the clock is ahead of the time that is trusted, in microseconds.
    ahead: i64,
    /// When the clock landed after its last jump ahead.
    landed: Timestamp,
    /// How long it has run since, in microseconds.
    held: i64,
}

/// Decides which expired records may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expired {
    /// Records that expired by this time may be deleted.
    pub settled: Timestamp,
    /// When the clock last jumped. A record that expires later was made after the jump, and may be deleted once it has expired.
    pub landed: Timestamp,
    /// The present.
    pub now: Timestamp,
}

impl Settled {
    /// Starts at `now`. `settled` is the trusted time that was stored last; without one, `now` is trusted.
    pub fn starting(now: Timestamp, settled: Option<Timestamp>) -> Self {
        let start = State { seen: settled.unwrap_or(now).min(now), ahead: 0, landed: now, held: 0 };
        let clock = Self(Mutex::new(start));
        clock.look(now);
        clock
    }

    /// Takes a reading of the clock. Every deletion of expired records does so first, so that no jump is missed.
    pub fn look(&self, now: Timestamp) -> Expired {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.see(now);
        let settled = Timestamp::from_micros(now.as_micros().saturating_sub(state.ahead));
        Expired { settled, landed: state.landed, now }
    }
}

impl State {
    fn see(&mut self, now: Timestamp) {
        let moved = now.as_micros().saturating_sub(self.seen.as_micros());
        self.seen = now;
        if moved > micros(STEP) {
            self.ahead = self.ahead.saturating_add(moved);
            (self.landed, self.held) = (now, 0);
        } else if moved < 0 {
            self.ahead = self.ahead.saturating_add(moved).max(0);
        } else {
            self.held = self.held.saturating_add(moved);
        }
        if self.ahead == 0 || self.held >= micros(BOUND) {
            (self.ahead, self.landed) = (0, now);
        }
    }
}

impl Expired {
    /// What has expired by a clock that never jumped.
    pub fn at(now: Timestamp) -> Self {
        Self { settled: now, landed: now, now }
    }

    /// Whether a record that expires then may be deleted.
    pub fn covers(&self, expires_at: Timestamp) -> bool {
        expires_at <= self.settled || (expires_at > self.landed && expires_at <= self.now)
    }
}

fn micros(span: Seconds) -> i64 {
    span.0.saturating_mul(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_secs(1_800_000_000);
    /// A minute less than a jump is waited for.
    const ALMOST: Seconds = Seconds(BOUND.0 - 60);
    const YEARS: Seconds = Seconds(10 * 365 * 86_400);

    /// Looks every minute for so long, and returns what the last look says.
    fn pass(clock: &Settled, from: Timestamp, span: Seconds) -> Expired {
        (0..=span.0 / 60).map(|minute| clock.look(from + Seconds(60 * minute))).last().unwrap()
    }

    #[test]
    fn a_clock_that_goes_on_is_believed() {
        let clock = Settled::starting(START, None);
        let later = START + Seconds(7 * 86_400);
        assert_eq!(pass(&clock, START, later - START), Expired::at(later));
    }

    #[test]
    fn a_jump_ahead_is_believed_after_a_day_and_forgotten_when_the_clock_is_set_right() {
        let clock = Settled::starting(START, None);
        let ahead = START + YEARS;
        assert_eq!(clock.look(ahead), Expired { settled: START, landed: ahead, now: ahead });
        let hour = Seconds(3600);
        let later = pass(&clock, ahead, hour);
        assert_eq!((later.settled, later.landed), (START + hour, ahead));
        assert_eq!(clock.look(START + hour), Expired::at(START + hour));
        assert_eq!(clock.look(ahead).settled, START + hour);
        assert_eq!(pass(&clock, ahead, ALMOST).settled, START + hour + ALMOST);
        assert_eq!(clock.look(ahead + BOUND), Expired::at(ahead + BOUND));
    }

    #[test]
    fn a_second_jump_is_waited_for_as_long_as_the_first() {
        let clock = Settled::starting(START, None);
        let first = START + YEARS;
        pass(&clock, first, ALMOST);
        let second = first + YEARS;
        assert_eq!(pass(&clock, second, Seconds(3600)).settled, START + ALMOST + Seconds(3600));
    }

    #[test]
    fn a_start_long_after_the_last_look_is_a_jump_and_a_quick_one_is_none() {
        let stored = Some(START);
        let late = START + YEARS;
        assert_eq!(Settled::starting(late, stored).look(late).settled, START);
        let soon = START + STEP;
        assert_eq!(Settled::starting(soon, stored).look(soon), Expired::at(soon));
        assert_eq!(
            Settled::starting(START, Some(late)).look(START),
            Expired::at(START),
            "the clock is set right"
        );
    }

    #[test]
    fn what_is_made_after_a_jump_expires_as_it_says() {
        let clock = Settled::starting(START, None);
        let ahead = START + YEARS;
        clock.look(ahead);
        let expired = clock.look(ahead + Seconds(100));
        for (expires_at, is_covered) in [
            (START, true),
            (START + Seconds(100), true),
            (START + Seconds(101), false),
            (ahead, false),
            (ahead + Seconds(60), true),
            (ahead + Seconds(101), false),
        ] {
            assert_eq!(expired.covers(expires_at), is_covered, "{expires_at}");
        }
    }
}
