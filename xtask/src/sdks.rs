//! The client packages in `sdks`: each against its own units and the vectors that the server's tests make.

use std::process::Command;

use crate::process::run;
use crate::steps::Steps;
use crate::tools;
use crate::{Result, launch};

/// Runs the checks of every package whose toolchain is at hand.
pub fn check(steps: &mut Steps) -> Result<()> {
    steps.step("TypeScript packages", typescript)?;
    if tools::is_installed("go") {
        steps.step("Go package", go)?;
    } else {
        steps.skip("Go package", "no Go toolchain here; install the package golang-go");
    }
    steps.step("Elixir package", elixir)
}

/// Types, units, vectors and the sizes of what an application ships.
fn typescript() -> Result<()> {
    tools::node_packages(&launch::root().join("sdks/typescript"))?;
    run(&mut within("npm", &["test"], "typescript"))
}

fn go() -> Result<()> {
    run(&mut within("go", &["vet", "./..."], "go"))?;
    run(&mut within("go", &["test", "-count=1", "./..."], "go"))
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
