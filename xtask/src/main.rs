//! `cargo xtask`: the whole check, the benchmark, faults, fuzzing, packages and a private PostgreSQL, for people and for continuous
//! integration.
#![expect(clippy::print_stdout, reason = "a command line tool reports on standard output")]
#![cfg_attr(not(feature = "bench"), expect(dead_code, reason = "some is there for the benchmark only"))]

mod advisories;
mod bench;
mod dist;
mod elsewhere;
mod faults;
mod fuzz;
mod guides;
mod launch;
mod modules;
mod packaging;
mod page;
mod postgres;
mod previous;
mod process;
mod sdks;
mod server;
mod steps;
mod test;
mod tools;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

/// What a task returns; the text is the last line that a person reads.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Build, test and measure the service")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check: format, lints, tests on both engines, documentation, licences, clients, browser
    Test(test::Options),
    /// Look at every hosted page in Chromium, light, dark, on a phone, from right to left and enlarged, and keep a picture of each
    Screenshots {
        /// Where the pictures go
        #[arg(default_value = "target/screenshots")]
        folder: PathBuf,
    },
    /// Measure the release binary, a peer, and the bare cost of its parts
    Bench(bench::Options),
    /// Feed every reader of foreign input with what libFuzzer makes up, for a bounded time
    Fuzz(fuzz::Options),
    /// Make faults on purpose, many times, and count what they do
    Faults(faults::Options),
    /// Build the optimised program as an archive, a Debian package and a container context, with an SBOM and checksums
    Dist,
    /// Client packages
    #[command(subcommand)]
    Sdks(sdks::Task),
    /// Start a private PostgreSQL, run a command with its address in the environment, stop it
    Postgres {
        /// The command and its arguments, after `--`
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// The empty reply that signs once, for the benchmark's floor
    #[cfg(feature = "bench")]
    #[command(hide = true)]
    Floor,
}

fn main() -> ExitCode {
    let outcome = process::watch_signals().and_then(|()| run(Arguments::parse().task));
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    println!("xtask: {error}");
    if process::interrupted() { ExitCode::from(130) } else { ExitCode::FAILURE }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Test(options) => test::run(&options),
        Task::Screenshots { folder } => test::run(&test::Options::screenshots(folder)),
        Task::Bench(options) => bench::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Faults(options) => faults::run(&options),
        Task::Dist => dist::run(),
        Task::Sdks(task) => sdks::run_task(&task),
        Task::Postgres { command } => with_postgres(&command),
        #[cfg(feature = "bench")]
        Task::Floor => bench::floor::serve(),
    }
}

fn with_postgres(command: &[String]) -> Result<()> {
    let (program, arguments) = command.split_first().ok_or("no command given")?;
    let postgres = postgres::Postgres::start(postgres::Durability::None)?;
    let url = postgres.url("svc");
    process::run(
        Command::new(program).args(arguments).env("DATABASE_URL", &url).env("SVC_TEST_DATABASE_URL", &url),
    )
}
