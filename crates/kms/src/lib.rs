//! `svc-kms`: holds a deployment's root key and its named secrets in a process of their own, behind a Unix socket.
//!
//! It links the core and the keys of the product and nothing else: no database, no web. All that it holds is one sealed
//! file, so that each of many machines runs one with a copy of it.

mod cli;
mod commands;
mod content;
mod failure;
mod opening;
mod sealed_file;
mod server;
mod token;

pub use cli::{command_line, run};
