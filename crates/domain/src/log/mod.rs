//! The record of what happened: audit entries, events, and the journal of tokens that are counted in memory.

pub mod audit;
mod journal;
pub mod outbox;

pub use journal::Journal;
