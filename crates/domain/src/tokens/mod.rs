//! Access tokens: what they say, and which of them no longer count; and keys that open the management API without one.

pub mod access_token;
pub mod api_keys;
pub mod revocations;
