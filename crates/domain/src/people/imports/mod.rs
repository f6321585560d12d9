//! Imports: people brought from another system, in chunks of lines. A chunk counts once, and a bad line stops no other.
//!
//! A tenant never vouches for an account of the deployment. A person whose address no account has gets one that the tenant manages,
//! with the old password and an address that is not proven: it opens this tenant and no other, and the person who proves the address by
//! mail chooses a password of their own. Second factors, passkeys, numbers and identities go the same way: they count in this tenant
//! alone, and end with the password. Where an account has the address, the import adds a membership that waits for its owner's
//! own sign-in, and touches nothing of the account.

mod bringing;
mod brought;
mod kept;
mod lines;
mod moved;
mod passwords;
mod progress;

pub use self::bringing::{Bringing, Line, bring, whose_claims};
pub use self::brought::ImportedIdentity;
pub(crate) use self::kept::forget;
pub use self::kept::{Known, list as list_known, list_ambiguous};
pub(crate) use self::lines::GUEST;
pub use self::lines::{InitialStatus, PersonLine};
pub use self::moved::moved;
pub use self::passwords::{Format, OldPassword};
pub use self::progress::{
    ChunkOutcome, Configuration, Counts, Failure, Fault, Import, OnConflict, Outcome, begin, find,
    find_chunk, list, note_chunk, take_turn,
};

/// Most lines of a chunk: what one transaction holds.
pub const MOST_LINES: usize = 200;
/// Most bytes of a chunk.
pub const LARGEST_CHUNK: usize = 1024 * 1024;
