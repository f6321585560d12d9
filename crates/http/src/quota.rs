//! What a client learns of the limits that its request was counted by: `RateLimit-Policy` and `RateLimit`
//! (draft-ietf-httpapi-ratelimit-headers-10 §3, §4), lists of structured fields (RFC 9651).

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use svc_core::{Error, Result, Seconds, Timestamp};
use svc_db::coordination::Count;

/// What is allowed in a window.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// What of it is left.
pub(crate) const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// About as many bytes as one limit takes in a header.
const LONGEST: usize = 32;

/// A limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quota {
    /// Its name in the headers.
    pub policy: &'static str,
    /// What is counted, as a refusal says it.
    pub counted: &'static str,
    /// Most requests in a window.
    pub most: i64,
    /// The window.
    pub window: Seconds,
}

/// The limits that a request was counted by, and where it stands.
#[derive(Debug, Default)]
pub(crate) struct Quotas(Mutex<Vec<Standing>>);

#[derive(Debug)]
struct Standing {
    quota: Quota,
    left: i64,
    /// Seconds until counting starts again.
    wait: u32,
}

impl Quotas {
    /// Notes where the request stands; refuses what is over the limit.
    #[track_caller]
    pub fn hold(&self, quota: Quota, count: Count, now: Timestamp) -> Result<()> {
        let micros = count.resets_at.as_micros().saturating_sub(now.as_micros());
        let wait = u32::try_from(micros.saturating_add(999_999) / 1_000_000).unwrap_or(1).max(1);
        let left = quota.most.saturating_sub(count.count).max(0);
        let mut standings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        standings.push(Standing { quota, left, wait });
        if count.count <= quota.most {
            return Ok(());
        }
        let detail = format!("too many requests {}; wait before the next", quota.counted);
        Err(Error::rate_limited(detail).retry_after(wait))
    }

    /// Adds the headers.
    pub fn tell(&self, headers: &mut HeaderMap) {
        let standings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if standings.is_empty() {
            return;
        }
        let room = standings.len() * LONGEST;
        let (mut policies, mut left) = (String::with_capacity(room), String::with_capacity(room));
        for standing in standings.iter() {
            let comma = if policies.is_empty() { "" } else { ", " };
            let Quota { policy, most, window, .. } = standing.quota;
            let _ = write!(policies, "{comma}\"{policy}\";q={most};w={}", window.0);
            let _ = write!(left, "{comma}\"{policy}\";r={};t={}", standing.left, standing.wait);
        }
        for (name, text) in [(POLICY, policies), (LEFT, left)] {
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_000);

    #[test]
    fn each_limit_is_told_with_what_is_left_of_it() {
        let quotas = Quotas::default();
        let mut headers = HeaderMap::new();
        quotas.tell(&mut headers);
        assert!(headers.is_empty());

        let quota = |policy, most| Quota { policy, counted: "from here", most, window: Seconds(60) };
        let count = |count| Count { count, resets_at: Timestamp::from_micros(1_030_000_001) };
        quotas.hold(quota("address", 10), count(10), NOW).unwrap();
        let refused = quotas.hold(quota("tenant", 10), count(12), NOW).unwrap_err();
        assert_eq!(refused.detail(), "too many requests from here; wait before the next");
        assert_eq!(refused.wait(), Some(31));
        quotas.tell(&mut headers);
        assert_eq!(headers[POLICY], "\"address\";q=10;w=60, \"tenant\";q=10;w=60");
        assert_eq!(headers[LEFT], "\"address\";r=0;t=31, \"tenant\";r=0;t=31");
    }
}
