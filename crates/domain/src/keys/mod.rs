//! The keys that sign for the deployment, and their rotation.

pub mod signing_keys;
