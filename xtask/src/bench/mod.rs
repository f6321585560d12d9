//! `cargo xtask bench`: requests per second, time and memory of the release binary, a peer and the bare cost.

#[cfg(feature = "bench")]
mod admin;
#[cfg(feature = "bench")]
mod browser;
#[cfg(feature = "bench")]
mod copies;
#[cfg(feature = "bench")]
mod deliveries;
#[cfg(feature = "bench")]
mod deployments;
#[cfg(feature = "bench")]
pub mod floor;
#[cfg(feature = "bench")]
mod flows;
#[cfg(feature = "bench")]
mod form;
#[cfg(feature = "bench")]
mod hash;
#[cfg(feature = "bench")]
mod http;
#[cfg(feature = "bench")]
mod idle;
#[cfg(feature = "bench")]
mod key;
#[cfg(feature = "bench")]
mod large;
#[cfg(feature = "bench")]
mod load;
#[cfg(feature = "bench")]
mod management;
#[cfg(feature = "bench")]
mod meter;
#[cfg(feature = "bench")]
mod peer;
#[cfg(feature = "bench")]
mod pending;
#[cfg(feature = "bench")]
mod report;
#[cfg(feature = "bench")]
mod seed;
#[cfg(feature = "bench")]
mod subject;
#[cfg(feature = "bench")]
mod suite;
#[cfg(feature = "bench")]
mod target;
#[cfg(feature = "bench")]
mod wire;
#[cfg(feature = "bench")]
mod workload;
#[cfg(feature = "bench")]
mod writes;

use clap::Args;

use crate::test::Engine;
use crate::{Result, launch, process};

/// What to measure, and how long.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Options {
    /// One short round each: shows that everything works, not how fast it is
    #[arg(long)]
    pub quick: bool,
    /// Rounds of each workload, of which the one with the median rate counts
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    pub rounds: u8,
    /// The databases to measure on
    #[arg(long, value_enum, default_value = "both")]
    pub engine: Engine,
    /// Only the workloads whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Only the servers whose name contains this text: `svc, SQLite`, `svc, PostgreSQL`, `oidc-provider, memory`
    #[arg(long, value_name = "TEXT")]
    pub server: Option<String>,
    /// With 10,000 tenants, a million people and ten million entries of the audit log (a tenth of both on `SQLite`): start, memory,
    /// idle work, first and later tokens, pages, filters, searches
    #[arg(long, conflicts_with = "only")]
    pub large: bool,
    /// Several runtimes on one PostgreSQL, row-level security, TLS, and the memory of sessions and connections
    #[arg(long, conflicts_with_all = ["only", "large", "engine", "server"])]
    pub deployments: bool,
    /// Events that wait for receivers, and receivers that hang
    #[arg(long, conflicts_with_all = ["only", "large", "deployments", "server"])]
    pub deliveries: bool,
    /// Put the tables into docs/benchmarks.md
    #[arg(long)]
    pub write: bool,
}

/// Measures, in an optimised build of this program: a slow load generator would measure itself.
pub fn run(options: &Options) -> Result<()> {
    #[cfg(feature = "bench")]
    if !cfg!(debug_assertions) {
        return suite::run(options);
    }
    let _ = options;
    let again = ["run", "--profile", "dist", "--quiet", "--package", "xtask", "--features", "bench", "--"];
    process::run(launch::cargo_to_ship()?.args(again).args(std::env::args_os().skip(1)))
}
