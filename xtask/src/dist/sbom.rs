//! The bills of materials: every crate in a program with version, licence and checksum (`CycloneDX` 1.5, JSON).

use std::fs;
use std::process::Command;

use super::Release;
use crate::{Result, launch, process, tools};

const CARGO_CYCLONEDX: &str = "0.5.9";

/// The packages of the programs, and the documents about them.
const DOCUMENTS: [(&str, &str); 2] = [("runtime", "svc-runtime"), ("kms", "svc-kms")];

/// Writes `PROGRAM-VERSION.cdx.json` for each program, and returns their names.
pub fn write(release: &Release) -> Result<Vec<String>> {
    let program = tools::cargo_tool("cargo-cyclonedx", CARGO_CYCLONEDX)?;
    let packages = launch::root().join("crates");
    let mut files = Vec::new();
    for (package, name) in DOCUMENTS {
        let mut make = Command::new(&program);
        make.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--override-filename", "svc"])
            .args(["--target", &release.target, "--manifest-path"])
            .arg(packages.join(package).join("Cargo.toml"))
            .env("SOURCE_DATE_EPOCH", &release.time)
            .current_dir(launch::root());
        process::run(&mut make)?;
        let file = format!("{name}-{}.cdx.json", release.version);
        fs::copy(packages.join(package).join("svc.json"), release.folder.join(&file))?;
        files.push(file);
        remove_documents()?;
    }
    Ok(files)
}

/// A document is written next to the manifest of every member of the workspace.
fn remove_documents() -> Result<()> {
    let root = launch::root();
    for member in fs::read_dir(root.join("crates"))?.chain(fs::read_dir(&root)?) {
        let document = member?.path().join("svc.json");
        if document.exists() {
            fs::remove_file(document)?;
        }
    }
    Ok(())
}
