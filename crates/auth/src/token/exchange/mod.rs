//! The parts of a token exchange (RFC 8693): who the subject is, who acts, and for what the new token may be.

pub(super) mod actor;
pub(super) mod assertion;
pub(super) mod issuer_keys;
pub(super) mod key;
pub(super) mod subject;
pub(super) mod target;
