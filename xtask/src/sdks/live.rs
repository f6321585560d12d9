//! The packages for servers against a running server: tokens, sign-in as a person with a browser, renewal, exchange, revocation,
//! management; and the examples of the packages for browsers and frameworks in Chromium.

use std::path::Path;
use std::process::Command;

use clap::Args;

use super::{rust, within};
use crate::postgres::{Durability, Postgres};
use crate::process::run as run_command;
use crate::server::{Server, Setting};
use crate::steps::Steps;
use crate::test::{Engine, IMPATIENT};
use crate::tools::{self, Need};
use crate::{Result, launch};

/// What to run against.
#[derive(Args)]
pub struct Options {
    /// The databases of the server
    #[arg(long, value_enum, default_value = "both")]
    engine: Engine,
}

/// How much of the examples to drive in Chromium.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// One flow of each family.
    Brief,
    /// Every flow of every example.
    Whole,
}

/// Builds the server, starts some on each engine and runs every package and every example against them.
pub fn run(options: &Options) -> Result<()> {
    tools::ensure(&[Need::Elixir, Need::Node, Need::Chromium])?;
    run_command(launch::cargo().args(["build", "--locked", "--package", "svc-runtime"]))?;
    let program = launch::target_dir()?.join("debug/svc-runtime");
    let mut steps = Steps::new(None);
    if options.engine.has_sqlite() {
        steps.step("client packages on SQLite", || with_server(&program, None, against))?;
        steps.step("browser examples on SQLite", || with_server(&program, None, every_example))?;
    }
    if options.engine.has_postgres() {
        tools::ensure(&[Need::Postgres])?;
        let postgres = Postgres::start(Durability::None)?;
        let url = |database| postgres.create(database).map(|()| postgres.url(database));
        let (packages, examples) = (url("svc_packages")?, url("svc_examples")?);
        steps.step("client packages on PostgreSQL", || with_server(&program, Some(&packages), against))?;
        steps.step("browser examples on PostgreSQL", || {
            with_server(&program, Some(&examples), every_example)
        })?;
    }
    steps.close()
}

fn with_server(
    program: &Path,
    database_url: Option<&str>,
    test: impl FnOnce(&Server) -> Result<()>,
) -> Result<()> {
    let folder = launch::passing_folder("svc-dev-")?;
    let setting =
        Setting { program, data_dir: folder.path(), database_url, seed: None, environment: IMPATIENT };
    let server = Server::start(&setting)?;
    test(&server).map_err(|error| format!("{error}; the server's log ends:\n{}", server.log_tail()).into())
}

/// Runs every package whose toolchain is at hand against this server.
pub fn against(server: &Server) -> Result<()> {
    let ready = server.ready.to_string();
    let live = |command: &mut Command| run_command(command.env("SVC_DEV", &ready));
    if tools::is_installed("go") {
        let mut go = tools::go(&launch::root().join("sdks/go"));
        live(go.args(["test", "-count=1", "-run", "^TestLive", "./..."]))?;
    } else {
        println!("the package for Go is left out: {}", tools::NO_GO);
    }
    live(rust::cargo()?.args(["test", "--locked", "--test", "it", "live::"]))?;
    live(within("mix", &["test", "--only", "dev"], "elixir").env("MIX_ENV", "test"))
}

fn every_example(server: &Server) -> Result<()> {
    examples(server, Extent::Whole)
}

/// Builds the packages and drives their examples in Chromium.
pub fn examples(server: &Server, extent: Extent) -> Result<()> {
    tools::node_packages(&launch::root().join("sdks/typescript"))?;
    let mut tests = within("npm", &["run", "--silent", "test:server"], "typescript");
    if extent == Extent::Brief {
        tests.args(["--", "--brief"]);
    } else {
        // Expo brings as many packages as all else together, and is not one of the workspace.
        tools::node_packages(&launch::root().join("sdks/typescript/examples/expo"))?;
    }
    tests.env("SVC_CHROMIUM", tools::chromium().ok_or("Chromium is missing")?);
    run_command(tests.env("SVC_DEV", server.ready.to_string()))
}
