//! What stands in `sdks`: client packages, against their units and the vectors that the server's tests make, and the Terraform
//! provider.

mod bench;
mod live;
mod pack;
mod resources;
mod rust;

use std::process::Command;

use clap::Subcommand;

pub use live::{Extent, against as against_server, examples};

use crate::process::run;
use crate::steps::Steps;
use crate::tools;
use crate::{Result, launch};

/// What to do with the client packages.
#[derive(Subcommand)]
pub enum Task {
    /// Run the packages for Go, Rust and Elixir, and every example in Chromium, against servers of our own, on both engines
    Test(live::Options),
    /// Make the archive of every package that is published, and install each into a fresh project
    Pack,
    /// Measure how many access tokens a core judges in Go and Rust, and fail below the floors
    Bench,
    /// Name the collections of the management API in the packages for Go, Rust and Elixir, from docs/openapi.json
    Resources,
}

/// Does it.
pub fn run_task(task: &Task) -> Result<()> {
    match task {
        Task::Test(options) => live::run(options),
        Task::Pack => pack::run(),
        Task::Bench => bench::run(),
        Task::Resources => resources::write(),
    }
}

/// Runs the checks of every package whose toolchain is at hand.
pub fn check(steps: &mut Steps) -> Result<()> {
    steps.step("TypeScript packages", typescript)?;
    // The provider's attributes are held against the OpenAPI document.
    for (name, folder) in [("Terraform provider and OpenAPI document", "terraform"), ("Go package", "go")] {
        if tools::is_installed("go") {
            steps.step(name, || go(folder))?;
        } else {
            steps.skip(name, tools::NO_GO);
        }
    }
    steps.step("names of the management API", resources::check)?;
    steps.step("Rust package", rust::check)?;
    steps.step("Elixir package", elixir)?;
    if tools::is_installed("go") {
        steps.step("Go archive", || pack::check(&pack::GO).map(drop))?;
    }
    steps.step("Rust archive", || pack::check(&pack::RUST).map(drop))?;
    steps.step("Elixir archive", || pack::check(&pack::ELIXIR).map(drop))
}

/// Types, units, vectors, the sizes of what an application ships, and the archives.
fn typescript() -> Result<()> {
    tools::node_packages(&launch::root().join("sdks/typescript"))?;
    run(&mut within("npm", &["test"], "typescript"))?;
    run(&mut within("node", &["scripts/pack.mjs"], "typescript"))
}

fn go(folder: &str) -> Result<()> {
    let folder = launch::root().join("sdks").join(folder);
    run(tools::go(&folder).args(["vet", "./..."]))?;
    run(tools::go(&folder).args(["test", "-count=1", "./..."]))
}

fn elixir() -> Result<()> {
    run(&mut within("mix", &["format", "--check-formatted"], "elixir"))?;
    run(&mut within("mix", &["test", "--warnings-as-errors"], "elixir"))
}

fn within(program: &str, arguments: &[&str], folder: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(launch::root().join("sdks").join(folder)).env_remove("SVC_DEV");
    command
}
