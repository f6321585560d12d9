//! Time as the service sees it: microseconds since the Unix epoch, read through a port.

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::atomic::{AtomicI64, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time in microseconds since 1970-01-01T00:00:00Z; in JSON an RFC 3339 string in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A span of whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seconds(pub i64);

impl Timestamp {
    /// From seconds since the epoch, as JWT claims carry them.
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// From microseconds since the epoch, as the database carries them.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Whole seconds since the epoch (`NumericDate` of RFC 7519 §2).
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Milliseconds since the epoch.
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// Microseconds since the epoch.
    pub const fn as_micros(self) -> i64 {
        self.0
    }
}

impl Seconds {
    /// So many minutes.
    pub fn from_mins(minutes: impl Into<i64>) -> Self {
        Self(minutes.into() * 60)
    }

    /// So many hours.
    pub fn from_hours(hours: impl Into<i64>) -> Self {
        Self(hours.into() * 3_600)
    }

    /// So many days.
    pub fn from_days(days: impl Into<i64>) -> Self {
        Self(days.into() * 86_400)
    }
}

impl From<Seconds> for i64 {
    fn from(span: Seconds) -> Self {
        span.0
    }
}

impl Add<Seconds> for Timestamp {
    type Output = Self;
    fn add(self, span: Seconds) -> Self {
        Self(self.0.saturating_add(span.0.saturating_mul(1_000_000)))
    }
}

impl Sub<Seconds> for Timestamp {
    type Output = Self;
    fn sub(self, span: Seconds) -> Self {
        Self(self.0.saturating_sub(span.0.saturating_mul(1_000_000)))
    }
}

impl Sub for Timestamp {
    type Output = Seconds;
    fn sub(self, earlier: Self) -> Seconds {
        Seconds(self.0.saturating_sub(earlier.0).div_euclid(1_000_000))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(time) => time.fmt(f),
            Err(_) => write!(f, "@{}us", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // The last day is left out by the calendar, so that each of its times can be written with every offset from UTC.
        let misfit = if text.starts_with("9999-12-3") {
            "expected a time up to 9999-12-30T22:00:00Z"
        } else {
            "expected a time of RFC 3339, such as 2027-01-15T08:00:00Z"
        };
        let time: jiff::Timestamp =
            text.parse().map_err(|_| <D::Error as serde::de::Error>::custom(misfit))?;
        Ok(Self(time.as_microsecond()))
    }
}

/// Where time comes from; read once per request so that all checks of a request agree.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_microsecond())
    }
}

/// A clock that moves only when a test moves it.
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Frozen at `start`.
    pub fn new(start: Timestamp) -> Self {
        Self(AtomicI64::new(start.0))
    }

    /// Moves the clock; a negative span moves it back.
    pub fn advance(&self, span: Seconds) {
        self.0.fetch_add(span.0.saturating_mul(1_000_000), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_rfc_3339_in_utc() {
        let time = Timestamp::from_secs(1_700_000_000);
        assert_eq!(serde_json::to_string(&time).unwrap(), "\"2023-11-14T22:13:20Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>("\"2023-11-14T22:13:20Z\"").unwrap(), time);
    }

    #[test]
    fn a_time_beyond_the_calendar_is_refused_with_the_last_one() {
        let read = |text: &str| serde_json::from_value::<Timestamp>(text.into());
        assert!(read("9999-12-30T22:00:00Z").is_ok());
        let refused = read("9999-12-31T23:59:59Z").unwrap_err().to_string();
        assert_eq!(refused, "expected a time up to 9999-12-30T22:00:00Z");
    }

    #[test]
    fn arithmetic_is_in_whole_seconds_and_never_overflows() {
        let time = Timestamp::from_secs(100);
        assert_eq!((time + Seconds(5)) - time, Seconds(5));
        assert_eq!((Timestamp::from_micros(i64::MAX) + Seconds(1)).as_micros(), i64::MAX);
    }
}
