//! The record of what happened: audit entries, events, and the journal of tokens that are counted in memory.

mod actions;
pub mod audit;
pub mod chain;
mod change;
mod changes;
mod declaration;
mod journal;
mod outbox;
pub mod positions;
pub mod search;
mod together;

pub use actions::Action;
pub use change::{
    Log, Meaning, change, change_across, change_later, change_one, check_version, record, target_of,
};
pub use journal::Journal;
pub(crate) use outbox::envelope;
