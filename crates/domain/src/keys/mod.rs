//! The keys that sign for the deployment and their rotation, and the keyring that the database is sealed under.

pub mod keyrings;
pub mod signing_keys;
