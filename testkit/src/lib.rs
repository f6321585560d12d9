//! What tests of several crates start from: a database of the engine that the run tests, and a world with a clock that
//! stands still, seeded randomness, tenants, people and applications; servers that a test starts and stops.
//!
//! For tests alone; no crate links it otherwise. It ends below the web kit, so that the unit tests of every crate above
//! `domain` can use it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a world that cannot be made fails the test")]

mod authenticator;
pub mod cluster;
pub mod database;
pub mod hang;
mod keyring;
mod meanwhile;
mod port;
pub mod replica;
pub mod servers;
pub mod soft_hsm;
mod wallet;
mod world;

pub use authenticator::Authenticator;
pub use database::Database;
pub use keyring::keyring;
pub use meanwhile::{meanwhile, meanwhile_then};
pub use port::unused_port;
pub use wallet::Wallet;
pub use world::{Act, START, World, config, rules};
