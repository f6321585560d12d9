//! The package against the vectors, an issuer of the test's own, and a running server.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by a panic")]

mod canaries;
mod clocks;
mod devices;
mod grants;
mod guard;
mod guide;
mod id_tokens;
mod issuer;
mod keys;
mod live;
mod management;
mod notes;
mod openapi;
mod person;
mod proofs;
mod reference;
mod sending;
mod vectors;
