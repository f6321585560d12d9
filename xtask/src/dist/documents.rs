//! What the archive and the Debian package bring to read, laid out as in the repository, so that links from page to page lead somewhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Result, launch, process};

/// Pages, and what they lead to; the list of changes leads to those of the client packages.
const DOCUMENTS: [&str; 13] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "docs",
    "packaging",
    "sdks/elixir/CHANGELOG.md",
    "sdks/go/CHANGELOG.md",
    "sdks/rust/CHANGELOG.md",
    "sdks/typescript/CHANGELOG.md",
    "svc.example.toml",
];

/// Copies them into a folder, for everyone to read.
pub fn copy(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut copy = Command::new("cp");
    copy.args(["-r", "--parents"]).args(DOCUMENTS).arg(folder).current_dir(launch::root());
    process::run(&mut copy)?;
    process::run(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(folder))
}
