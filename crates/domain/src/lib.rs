//! The aggregates: one file each, with its type, its states, its SQL and its operations. Exposes operations, never SQL.

pub mod access_token;
pub mod accounts;
pub mod apis;
pub mod apps;
pub mod attempts;
pub mod audit;
pub mod codes;
pub mod consents;
mod document;
pub mod grant;
pub mod idempotency;
mod journal;
pub mod links;
pub mod mails;
pub mod management;
mod migrations;
pub mod outbox;
pub mod passwords;
pub mod profile;
pub mod refresh;
pub mod revocations;
mod services;
pub mod sessions;
pub mod signing_keys;
pub mod sweep;
pub mod tenant_users;
pub mod tenants;

pub use journal::Journal;
pub use migrations::MIGRATIONS;
pub use services::Services;
