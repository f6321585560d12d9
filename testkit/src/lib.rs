//! What tests of several crates start from: a database of the engine that the run tests, and a world with a clock that
//! stands still, seeded randomness, tenants, people and applications.
//!
//! For tests alone; no crate links it otherwise. It ends below the web kit, so that the unit tests of every crate above
//! `domain` can use it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a world that cannot be made fails the test")]

pub mod database;
mod world;

pub use database::Database;
pub use world::{Act, START, World, config, rules};
