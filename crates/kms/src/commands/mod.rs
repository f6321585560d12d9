//! The commands on the sealed file, and the one that asks a running process.

mod asking;
mod copies;
mod making;
mod meant;
mod resealing;
mod root;
mod secrets;

pub use asking::{health, verify};
pub use copies::{backup, restore};
pub use making::{CLIENT_PRIVATE_KEY, SERVER_PUBLIC_KEY, adopt, init};
pub use resealing::reseal;
pub use root::rotate;
pub use secrets::{NamedSecret, provision};
