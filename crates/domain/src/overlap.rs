//! How long a secret that was replaced stays valid next to the new one, so that no deployment of its client has to happen in
//! one instant.

use svc_core::{Error, Result, Seconds, Timestamp};

/// A time that a caller chose; a day where it chose none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap(Seconds);

impl Overlap {
    const LONGEST: Seconds = Seconds(30 * 86_400);

    /// What the caller chose as `overlap_secs`. Refuses more than 30 days as `bad_request`.
    pub fn chosen(overlap_secs: Seconds) -> Result<Self> {
        if !(Seconds(0)..=Self::LONGEST).contains(&overlap_secs) {
            return Err(Error::bad_request(format!("overlap_secs: use 0 to {}", Self::LONGEST.0)));
        }
        Ok(Self(overlap_secs))
    }

    /// When the secret ends that is replaced now; `None` where it ends at once.
    pub fn end(self, now: Timestamp) -> Option<Timestamp> {
        (self.0 > Seconds(0)).then(|| now + self.0)
    }

    /// The same where the record ends at `expires_at`, and each of its secrets with it.
    pub(crate) fn end_within(self, now: Timestamp, expires_at: Timestamp) -> Option<Timestamp> {
        self.end(now).map(|end| end.min(expires_at))
    }

    /// The same where receivers may still use the secret that was replaced before: no more than two are valid at a time. `conflict` until
    /// that one has ended at `former`, unless both are to end at once.
    pub(crate) fn end_after(self, former: Option<Timestamp>, now: Timestamp) -> Result<Option<Timestamp>> {
        let end = self.end(now);
        match former {
            Some(until) if now < until && end.is_some() => Err(Error::conflict(format!(
                "overlap_secs: the secret before is valid until {until}; wait until then, or give 0 to end both at once"
            ))),
            _ => Ok(end),
        }
    }
}

impl Default for Overlap {
    fn default() -> Self {
        Self(Seconds(86_400))
    }
}
