//! How long a receiver wants to be left alone (RFC 9110 §10.2.3).

use std::str::FromStr as _;
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use svc_core::{Seconds, Timestamp};

/// The wait that an answer asks for, in either of its forms; one that is over or makes no sense is none.
pub(super) fn of(headers: &HeaderMap, now: Timestamp) -> Option<Seconds> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = match text.parse::<i64>() {
        Ok(seconds) => seconds,
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => i64::MAX,
        Err(_) => {
            let date = httpdate::HttpDate::from_str(text).ok()?;
            let since = SystemTime::from(date).duration_since(UNIX_EPOCH).ok()?;
            i64::try_from(since.as_secs()).ok()? - now.as_secs()
        }
    };
    (seconds > 0).then_some(Seconds(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_in_seconds_or_as_a_date() {
        // Sun, 06 Nov 1994 08:48:37 GMT
        let now = Timestamp::from_secs(784_111_717);
        let of = |value: &'static str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, value.parse().unwrap())]);
            of(&headers, now).map(|seconds| seconds.0)
        };
        assert_eq!(of(" 120 "), Some(120));
        assert_eq!(of("Sun, 06 Nov 1994 08:49:37 GMT"), Some(60));
        assert_eq!(of("Sunday, 06-Nov-94 08:49:37 GMT"), Some(60));
        assert_eq!(of("99999999999999999999"), Some(i64::MAX));
        for none in ["0", "-1", "", "soon", "1.5", "Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(super::of(&HeaderMap::new(), now), None);
    }
}
