//! The crate, as cargo packs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::rust::cargo;
use super::archive::{self, Package};
use crate::{Result, process};

/// The package for Rust.
pub const RUST: Package = Package {
    language: "Rust",
    folder: "rust",
    contents: &[".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig", "src/"],
    make,
    unpack,
    build,
};

fn make(into: &Path, version: &str) -> Result<PathBuf> {
    fs::create_dir_all(into)?;
    process::run(cargo()?.args(["fetch", "--locked", "--quiet"]))?;
    let mut package = cargo()?;
    // Built below, by a new project, with what the checks have compiled already.
    package.args(["package", "--locked", "--offline", "--quiet", "--no-verify", "--allow-dirty"]);
    process::output(package.arg("--target-dir").arg(into.join("made")))?;
    let name = format!("svc-sdk-{version}.crate");
    let archive = into.join(&name);
    fs::rename(into.join("made/package").join(&name), &archive)?;
    fs::remove_dir_all(into.join("made"))?;
    Ok(archive)
}

fn unpack(archive: &Path, place: &Path, version: &str) -> Result<PathBuf> {
    process::run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(place))?;
    Ok(place.join(format!("svc-sdk-{version}")))
}

/// The crates of others have the versions, features and profile that the package is tested with, so that they are compiled once.
fn build(archive: &Path, project: &Path, version: &str) -> Result<()> {
    let package = unpack(archive, project, version)?;
    let sources = archive::sources("rust");
    let manifest = fs::read_to_string(sources.join("Cargo.toml"))?;
    let others = after(&manifest, "[dev-dependencies]")?.split("[lints").next().unwrap_or_default();
    let profile = after(&manifest, "[profile.dev]")?;
    let fresh = format!(
        "[package]\nname = \"fresh\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n\
         [dependencies]\nsvc-sdk = {{ path = \"svc-sdk-{version}\" }}\nserde_json = \"1\"{others}\n[profile.dev]{profile}"
    );
    fs::write(project.join("Cargo.toml"), fresh)?;
    fs::copy(package.join("Cargo.lock"), project.join("Cargo.lock"))?;
    fs::create_dir(project.join("src"))?;
    fs::copy(sources.join("tests/it/notes.rs"), project.join("src/lib.rs"))?;
    process::run(cargo()?.args(["check", "--offline", "--quiet"]).current_dir(project))
}

/// What a manifest has after a heading.
fn after<'a>(manifest: &'a str, heading: &str) -> Result<&'a str> {
    let (_, rest) = manifest.split_once(heading).ok_or_else(|| format!("Cargo.toml has no {heading}"))?;
    Ok(rest)
}
