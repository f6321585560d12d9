//! `x-request-id`: a well-formed incoming one is kept, so that logs of several services join up.

use axum::http::{HeaderMap, HeaderName};
use svc_core::{Entropy, RequestId, Timestamp};

/// The header's name.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const LONGEST: usize = 128;

/// The caller's id if it is one word of harmless characters, else a fresh one.
pub(super) fn of(headers: &HeaderMap, now: Timestamp, entropy: &dyn Entropy) -> String {
    let given =
        headers.get(X_REQUEST_ID).and_then(|value| value.to_str().ok()).filter(|id| is_well_formed(id));
    given.map_or_else(|| RequestId::new(now, entropy).to_string(), str::to_owned)
}

fn is_well_formed(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=LONGEST).contains(&id.len()) && id.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_harmless_word_is_kept() {
        assert!(is_well_formed("req-1.A_b"));
        for bad in ["", "a b", "ä", "<script>", "a\"b", &"x".repeat(LONGEST + 1)] {
            assert!(!is_well_formed(bad), "{bad}");
        }
    }
}
