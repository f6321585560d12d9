//! The Rust package, a workspace of its own: its users build nothing of the server.

use std::process::Command;

use crate::process::run;
use crate::{Result, launch};

/// Format, lints with and without the layers for tower, units, vectors and the code of its page.
pub fn check() -> Result<()> {
    run(cargo()?.args(["fmt", "--check"]))?;
    for lints in [&["--all-targets"][..], &["--lib", "--no-default-features"]] {
        run(cargo()?.args(["clippy", "--locked"]).args(lints).args(["--", "-D", "warnings"]))?;
    }
    run(cargo()?.args(["doc", "--locked", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    run(cargo()?.args(["test", "--locked", "--lib", "--test", "it"]))
}

/// `cargo` in its folder, with a build folder that stays and that is not the one whose lock we may hold.
pub fn cargo() -> Result<Command> {
    let mut command = launch::cargo();
    command.current_dir(launch::root().join("sdks/rust")).env_remove("SVC_DEV");
    command.env("CARGO_TARGET_DIR", launch::work_dir("sdks-rust")?);
    Ok(command)
}
