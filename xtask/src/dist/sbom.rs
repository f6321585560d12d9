//! The bill of materials: every crate in the program with version, licence and checksum (`CycloneDX` 1.5, JSON).

use std::fs;
use std::process::Command;

use super::Release;
use crate::{Result, launch, process, tools};

const CARGO_CYCLONEDX: &str = "0.5.9";

/// Writes `svc-VERSION.cdx.json` and returns its name.
pub fn write(release: &Release) -> Result<String> {
    let program = tools::cargo_tool("cargo-cyclonedx", CARGO_CYCLONEDX)?;
    let package = launch::root().join("crates/runtime");
    let mut make = Command::new(program);
    make.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--override-filename", "svc"])
        .args(["--target", &release.target, "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .env("SOURCE_DATE_EPOCH", &release.time)
        .current_dir(launch::root());
    process::run(&mut make)?;
    let file = format!("svc-{}.cdx.json", release.version);
    // One document per workspace member is written next to its manifest; only the program's is kept.
    for written in fs::read_dir(launch::root().join("crates"))?.chain(fs::read_dir(launch::root())?) {
        let document = written?.path().join("svc.json");
        if document == package.join("svc.json") {
            fs::copy(&document, release.folder.join(&file))?;
        }
        if document.exists() {
            fs::remove_file(document)?;
        }
    }
    Ok(file)
}
