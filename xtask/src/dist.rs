//! `cargo xtask dist`: the optimised program as an archive, a Debian package and the context of a container image, with
//! a bill of materials and checksums.
//!
//! Two runs on one commit and compiler give the same bytes: every time stamp is the commit's.

mod archive;
mod debian;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{self, Need};
use crate::{Result, launch, process};

/// The most that the program may weigh, in MiB.
const MOST_MIB: u64 = 35;

/// What every package is made of.
struct Release {
    /// `svc-runtime`, optimised and stripped.
    program: PathBuf,
    /// Where the packages are written.
    folder: PathBuf,
    version: &'static str,
    /// As rustc names it, for example `x86_64-unknown-linux-gnu`.
    target: String,
    /// The commit's time in seconds since the epoch.
    time: String,
}

/// Builds the program and every package, and prints what there is.
pub fn run() -> Result<()> {
    tools::ensure(&[Need::DebianTools])?;
    let release = build()?;
    let files =
        [archive::write(&release)?, debian::write(&release)?, container(&release)?, sbom::write(&release)?];
    checksums(&release.folder, &files)?;
    println!("\n{}", release.folder.display());
    for file in &files {
        println!("  {:>6.1} MiB  {}", mib(&release.folder.join(file))?, file);
    }
    println!("  SHA256SUMS");
    Ok(())
}

fn build() -> Result<Release> {
    println!("building the optimised program; this takes several minutes");
    let time =
        process::output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(launch::root()));
    let time = time.map_or_else(|_| "0".to_owned(), |time| time.trim().to_owned());
    process::run(
        launch::cargo()
            .args(["build", "--profile", "dist", "--locked", "--package", "svc-runtime"])
            .env("SOURCE_DATE_EPOCH", &time),
    )?;
    let program = launch::target_dir()?.join("dist/svc-runtime");
    let size = fs::metadata(&program)?.len();
    if size > MOST_MIB << 20 {
        return Err(format!("{} has {size} bytes, more than {MOST_MIB} MiB", program.display()).into());
    }
    let folder = launch::target_dir()?.join("xtask/dist");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(Release { program, folder, version: env!("CARGO_PKG_VERSION"), target: launch::host()?, time })
}

/// Lays out what `podman build` or `docker build` takes, as an archive.
fn container(release: &Release) -> Result<String> {
    let name = format!("svc-{}-container", release.version);
    let stage = release.folder.join(&name);
    fs::create_dir_all(&stage)?;
    let root = launch::root();
    fs::copy(&release.program, stage.join("svc-runtime"))?;
    fs::copy(root.join("LICENSE"), stage.join("LICENSE"))?;
    fs::copy(root.join("packaging/Containerfile"), stage.join("Containerfile"))?;
    archive::pack(release, &name)
}

/// Writes `SHA256SUMS`, as `sha256sum --check` reads it.
fn checksums(folder: &Path, files: &[String]) -> Result<()> {
    let sums = process::output(Command::new("sha256sum").args(files).current_dir(folder))?;
    Ok(fs::write(folder.join("SHA256SUMS"), sums)?)
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn mib(file: &Path) -> Result<f64> {
    Ok(fs::metadata(file)?.len() as f64 / f64::from(1 << 20))
}
