//! The module for Go, as a module proxy serves it: the folder is one, by its `file:` address.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::{self, Package};
use crate::{Result, launch, process, tools};

const MODULE: &str = "svc.example/go";

/// The package for Go.
pub const GO: Package =
    Package { language: "Go", folder: "go", contents: &["go.mod", "*.go"], make, unpack, build };

/// A module is what version control has of its folder, tests included: so the proxies of others make it too.
fn make(into: &Path, version: &str) -> Result<PathBuf> {
    let sources = archive::sources("go");
    let mut files = Command::new("git");
    files.args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(&sources);
    let mut files: Vec<String> = process::output(&mut files)?.lines().map(str::to_owned).collect();
    files.sort();
    let folder = into.join(MODULE).join("@v");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("list"), format!("v{version}\n"))?;
    fs::write(folder.join(format!("v{version}.info")), format!("{{\"Version\":\"v{version}\"}}\n"))?;
    fs::copy(sources.join("go.mod"), folder.join(format!("v{version}.mod")))?;
    let archive = folder.join(format!("v{version}.zip"));
    let mut zip = tools::go(&sources);
    zip.arg("run").arg(launch::root().join("xtask/src/sdks/pack/zip.go"));
    process::run(zip.arg(&archive).arg(format!("{MODULE}@v{version}/")).args(files))?;
    Ok(archive)
}

/// The toolchain refuses what is no module.
fn unpack(archive: &Path, place: &Path, version: &str) -> Result<PathBuf> {
    process::output(from_archive(archive, place)?.args([
        "mod",
        "download",
        &format!("{MODULE}@v{version}"),
    ]))?;
    Ok(place.join("modules").join(format!("{MODULE}@v{version}")))
}

fn build(archive: &Path, project: &Path, version: &str) -> Result<()> {
    let manifest = fs::read_to_string(archive::sources("go").join("go.mod"))?;
    fs::write(project.join("go.mod"), manifest.replace(MODULE, "fresh.example"))?;
    fs::copy(archive::sources("go").join("notes_test.go"), project.join("notes_test.go"))?;
    process::output(from_archive(archive, project)?.args(["get", &format!("{MODULE}@v{version}")]))?;
    process::run(from_archive(archive, project)?.args(["vet", "./..."]))
}

/// Go in a folder, with the archive in place of every other source of modules, and modules of its own.
fn from_archive(archive: &Path, folder: &Path) -> Result<Command> {
    let proxy = archive.ancestors().nth(4).ok_or("the archive is not in a module proxy")?;
    let mut go = tools::go(folder);
    go.env("GOPROXY", format!("file://{}", proxy.display())).env("GONOSUMDB", MODULE);
    go.env("GOMODCACHE", folder.join("modules")).env("GOFLAGS", "-modcacherw").env("GOTOOLCHAIN", "local");
    Ok(go)
}
