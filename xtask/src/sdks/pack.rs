//! `cargo xtask sdks pack`: the archive of every package that is published, each looked at, installed into a fresh project and used
//! there.

use std::process::Command;

use crate::tools::{self, Need};
use crate::{Result, launch, process};

/// Makes the archives in cargo's build folder and says where they are.
pub fn run() -> Result<()> {
    tools::ensure(&[Need::Node])?;
    let workspace = launch::root().join("sdks/typescript");
    let folder = launch::target_dir()?.join("packages/npm");
    tools::node_packages(&workspace)?;
    process::run(Command::new("npm").args(["run", "--silent", "build"]).current_dir(&workspace))?;
    let mut pack = Command::new("node");
    pack.args(["scripts/pack.mjs", "--install"]).arg(&folder).current_dir(&workspace);
    process::run(&mut pack)?;
    process::run(Command::new("npm").args(["run", "--silent", "sizes"]).current_dir(&workspace))?;
    println!("\n{}", folder.display());
    Ok(())
}
