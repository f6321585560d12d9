//! `cargo xtask sdks pack`: the archive of every package that is published, each looked at, installed into a fresh project and used
//! there.

mod archive;
mod elixir;
mod go;
mod rust;

use std::path::PathBuf;
use std::process::Command;

pub use archive::check;
pub use elixir::ELIXIR;
pub use go::GO;
pub use rust::RUST;

use crate::tools::{self, Need};
use crate::{Result, launch, process};

/// Makes the archives in cargo's build folder and says where they are.
pub fn run() -> Result<()> {
    tools::ensure(&[Need::Node, Need::Elixir])?;
    let mut folders = vec![npm()?];
    if tools::is_installed("go") {
        folders.push(check(&GO)?);
    } else {
        println!("the package for Go is left out: {}", tools::NO_GO);
    }
    folders.extend([check(&RUST)?, check(&ELIXIR)?]);
    println!();
    for folder in folders {
        println!("{}", folder.display());
    }
    Ok(())
}

fn npm() -> Result<PathBuf> {
    let workspace = launch::root().join("sdks/typescript");
    let folder = archive::folder("npm")?;
    tools::node_packages(&workspace)?;
    process::run(Command::new("npm").args(["run", "--silent", "build"]).current_dir(&workspace))?;
    let mut pack = Command::new("node");
    pack.args(["scripts/pack.mjs", "--install"]).arg(&folder).current_dir(&workspace);
    process::run(&mut pack)?;
    process::run(Command::new("npm").args(["run", "--silent", "sizes"]).current_dir(&workspace))?;
    Ok(folder)
}
