//! The program: reads the configuration, chooses planes, composes them and serves; also migrates, applies declarative
//! files, and runs a whole deployment for development.

pub mod admin;
pub mod apply;
pub mod archive;
mod audit;
mod backup;
mod cli;
pub mod compose;
mod config_file;
mod coordination;
mod database;
mod descriptors;
pub mod dev;
mod doctor;
mod failure;
mod hibp;
pub mod import;
mod init;
mod keyring;
mod kms;
mod listening;
mod logging;
mod migrate;
pub mod operators;
mod pages;
pub mod people;
mod preflight;
mod reload;
mod roles;
mod serve;
mod signing;
mod terminal;

pub use cli::{command_line, run};
pub use failure::Failure;
