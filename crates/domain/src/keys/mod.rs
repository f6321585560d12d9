//! The keys that sign for the deployment and their rotation, those that seal for tenants, and the keyring that the database is
//! sealed under.

pub mod former;
pub mod keyrings;
mod settling;
pub mod signing_keys;
mod standing;
mod stored_keys;
pub mod tenant_keys;
mod unwrapping;
mod withdrawal;
