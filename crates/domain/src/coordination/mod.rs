//! What nodes have to agree on about requests: counted guesses and repeated writes.

pub mod attempts;
pub mod clock;
pub mod idempotency;
pub mod processes;
