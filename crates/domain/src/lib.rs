//! The records of the service and their rules. A file has the type of one record, its states, its SQL and its operations; other
//! crates call the operations and never see SQL.
//!
//! A folder may use the folders below it; `ORDER` in `runtime/tests/it/folders.rs` says which those are.

pub mod access;
pub mod apis;
pub mod app_deletion;
pub mod apps;
pub mod archive;
mod checks;
pub mod claims;
pub mod coordination;
pub mod deletion;
pub mod delivery;
mod document;
pub mod domain_name;
pub mod federation;
pub mod generations;
pub mod grants;
pub mod hooks;
pub mod keys;
pub mod lists;
pub mod log;
pub mod memory;
mod migrations;
mod names;
pub mod organizations;
pub mod overlap;
pub mod people;
pub mod policies;
pub mod proofs;
pub mod scim;
mod sealed_secret;
mod services;
pub mod sweep;
pub mod tenancy;
pub mod tokens;
mod web_uri;

pub use log::Journal;
pub use migrations::MIGRATIONS;
pub use services::{Services, is_remembered};
