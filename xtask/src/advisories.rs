//! The advisory database for `cargo deny check advisories`, from a copy on this machine: many machines cannot fetch it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, launch, process};

/// A folder next to the checkout that may hold the database as a `.tar.gz` archive.
const BESIDE: &str = "../shared/advisories";
/// What cargo-deny calls the checkout of the database inside its `db-path`.
const CHECKOUT: &str = "advisory-db-3157b0e258782691";

/// Returns the cargo-deny configuration that finds a copy of the database, or nothing where there is no copy.
///
/// `cargo deny fetch` leaves one in cargo's home; an archive next to the checkout is unpacked into the build folder.
pub fn copy() -> Result<Option<PathBuf>> {
    let ours = launch::root().join("deny.toml");
    if let Some(archive) = newest_archive(&launch::root().join(BESIDE)) {
        let folder = launch::work_dir("advisories")?;
        unpack(&archive, &folder.join(CHECKOUT))?;
        return configure(&ours, &folder).map(Some);
    }
    Ok(has_fetched().then_some(ours))
}

fn newest_archive(folder: &Path) -> Option<PathBuf> {
    let files = folder.read_dir().ok()?.filter_map(|file| Some(file.ok()?.path()));
    files.filter(|file| file.to_string_lossy().ends_with(".tar.gz")).max()
}

fn has_fetched() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let copies = home.and_then(|home| home.join("advisory-dbs").read_dir().ok());
    copies.is_some_and(|mut copies| copies.next().is_some())
}

/// Unpacks the archive into a git repository, which cargo-deny insists on; does nothing when that is done.
fn unpack(archive: &Path, checkout: &Path) -> Result<()> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stamp = checkout.with_extension("unpacked-from");
    if fs::read_to_string(&stamp).is_ok_and(|unpacked| unpacked == name) {
        return Ok(());
    }
    if checkout.exists() {
        fs::remove_dir_all(checkout)?;
    }
    fs::create_dir_all(checkout)?;
    process::run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(checkout))?;
    let git = |arguments: &[&str]| process::run(Command::new("git").args(arguments).current_dir(checkout));
    git(&["init", "--quiet"])?;
    git(&["add", "--all"])?;
    let author = ["-c", "user.name=svc", "-c", "user.email=svc@localhost"];
    git(&[&author[..], &["commit", "--quiet", "--message", "Advisories"]].concat())?;
    // cargo-deny takes the time of the last fetch from this file.
    fs::copy(checkout.join(".git/HEAD"), checkout.join(".git/FETCH_HEAD"))?;
    Ok(fs::write(stamp, name)?)
}

/// Writes the repository's configuration with the database's folder added.
fn configure(ours: &Path, folder: &Path) -> Result<PathBuf> {
    let section = "[advisories]\n";
    let path = folder.join("deny.toml");
    let text = fs::read_to_string(ours)?;
    let added = format!("{section}db-path = {:?}\n", folder.to_string_lossy());
    fs::write(&path, text.replacen(section, &added, 1))?;
    Ok(path)
}
