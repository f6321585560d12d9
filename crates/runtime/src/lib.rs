//! The program: reads the configuration, chooses planes, composes them and serves; also migrates, applies declarative
//! files, and runs a whole deployment for development.

pub mod admin;
pub mod apply;
mod backup;
mod cli;
pub mod compose;
mod config_file;
mod database;
pub mod dev;
mod failure;
mod keyring;
mod logging;
mod migrate;
mod preflight;
mod serve;
mod signing;
mod terminal;

pub use cli::{command_line, run};
pub use failure::Failure;
