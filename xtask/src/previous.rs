//! The program of the version before: built in a folder of its own from the latest commit whose schema this one continues.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, launch, process};

/// Where the migrations are.
const MIGRATIONS: &str = "crates/domain/migrations/";

/// Builds the program of a revision, or of the latest one with fewer migrations, none of which has changed since.
pub fn program(revision: Option<&str>) -> Result<PathBuf> {
    let commit = match revision {
        Some(revision) => commit(revision)?,
        None => before_the_latest_migrations()?,
    };
    let folder = launch::work_dir("previous")?;
    let trees = folder.join("trees");
    let tree = trees.join(&commit);
    if !tree.exists() {
        // Cargo takes the crates of two trees for the same, and the older files for built ones: there is one tree at a time.
        let _ = fs::remove_dir_all(&trees);
        println!("The version before is {}.", git(&["log", "-1", "--format=%h %s", &commit])?);
        unpack(&commit, &tree)?;
    }
    // Not the build folder of this tree: the crates of both have the same names, and would be taken for each other.
    let target = folder.join("target");
    let mut build = launch::cargo();
    build.args(["build", "--locked", "--package", "svc-runtime"]).current_dir(&tree);
    process::run(build.env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("debug/svc-runtime"))
}

fn before_the_latest_migrations() -> Result<String> {
    let present = migrations("HEAD")?;
    let changes = git(&["log", "--first-parent", "--format=%H^", "--", MIGRATIONS])?;
    for revision in changes.lines() {
        let past = migrations(revision)?;
        if past.len() < present.len() && present.starts_with(&past) {
            return commit(revision);
        }
    }
    Err("no commit has a schema that this one continues; name one with --previous".into())
}

/// The files of the migrations of a revision in their order, each with the digest of its text.
fn migrations(revision: &str) -> Result<Vec<String>> {
    let listed = git(&["ls-tree", "--format=%(path) %(objectname)", revision, MIGRATIONS])?;
    Ok(listed.lines().map(str::to_owned).collect())
}

fn unpack(commit: &str, tree: &Path) -> Result<()> {
    let unfinished = tree.with_extension("unfinished");
    // What an interrupted run has left.
    let _ = fs::remove_dir_all(&unfinished);
    fs::create_dir_all(&unfinished)?;
    let archive = tree.with_extension("tar");
    git(&["archive", "--output", &archive.to_string_lossy(), commit])?;
    process::run(Command::new("tar").arg("-xmf").arg(&archive).arg("-C").arg(&unfinished))?;
    fs::remove_file(archive)?;
    Ok(fs::rename(unfinished, tree)?)
}

fn commit(revision: &str) -> Result<String> {
    git(&["rev-parse", "--verify", &format!("{revision}^{{commit}}")])
}

fn git(arguments: &[&str]) -> Result<String> {
    let said = process::output(Command::new("git").args(arguments).current_dir(launch::root()))?;
    Ok(said.trim().to_owned())
}
