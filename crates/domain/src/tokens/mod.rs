//! Access tokens: what they say, and which of them no longer count.

pub mod access_token;
pub mod revocations;
