//! Access tokens: what they say, and which of them no longer count; and keys that open the management API without one.

pub mod access_token;
pub mod api_keys;
pub mod revocations;

use svc_core::{Seconds, Timestamp};

/// Uses within this time of a noted one are not noted.
const NOTED_EVERY: Seconds = Seconds(60);

/// Whether a use of what was last used then is to be noted now.
pub(crate) fn is_use_to_note(last_used_at: Option<Timestamp>, now: Timestamp) -> bool {
    last_used_at.is_none_or(|last| last + NOTED_EVERY <= now)
}
