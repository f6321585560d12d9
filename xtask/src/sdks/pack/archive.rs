//! One archive of a package for servers: the same bytes from the same files, nothing in it that its users do not need, and a new
//! project that is built with it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, launch};

/// What every archive holds in addition to the package itself.
const PAPERS: [&str; 3] = ["CHANGELOG.md", "LICENSE", "README.md"];
/// In bytes: the most that an archive may weigh; the largest has 60 KB.
const BOUND: u64 = 128 << 10;

/// A package for servers and how its archive is made and used.
pub struct Package {
    /// The name of its language.
    pub language: &'static str,
    /// Its folder in `sdks`, and that of its archive.
    pub folder: &'static str,
    /// What belongs to the package: a file, a folder (`src/`) or the ending of files next to the manifest (`*.go`).
    pub contents: &'static [&'static str],
    /// Writes the archive of this version into a folder.
    pub make: fn(&Path, &str) -> Result<PathBuf>,
    /// Unpacks an archive of this version below a folder, as its users do.
    pub unpack: fn(&Path, &Path, &str) -> Result<PathBuf>,
    /// Builds the code of the package's page in a new folder, with the archive in place of the sources here.
    pub build: fn(&Path, &Path, &str) -> Result<()>,
}

/// Makes the archive of a package, looks at it and uses it; returns the folder that it is in.
pub fn check(package: &Package) -> Result<PathBuf> {
    let version = version(package)?;
    let into = folder(package.folder)?;
    let archive = (package.make)(&into, &version)?;
    let place = tempfile::tempdir()?;
    let again = (package.make)(&place.path().join("again"), &version)?;
    if fs::read(&archive)? != fs::read(again)? {
        return Err(format!("{}: two archives of the same files differ", package.language).into());
    }
    let unpacked = (package.unpack)(&archive, place.path(), &version)?;
    let size = fs::metadata(&archive)?.len();
    let faults = faults(package, size, &names(&unpacked)?);
    if !faults.is_empty() {
        let name = archive.display();
        return Err(format!("{name}, the archive for {}, {}", package.language, faults.join(", ")).into());
    }
    let project = place.path().join("fresh");
    fs::create_dir(&project)?;
    (package.build)(&archive, &project, &version)?;
    println!("packed the package for {}: {} KB", package.language, size.div_ceil(1 << 10));
    Ok(into)
}

/// An empty folder for archives in cargo's build folder: what an earlier version left is none of these.
pub fn folder(name: &str) -> Result<PathBuf> {
    let folder = launch::target_dir()?.join("packages").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The folder of the package's sources.
pub fn sources(folder: &str) -> PathBuf {
    launch::root().join("sdks").join(folder)
}

/// The version that its list of changes begins with.
fn version(package: &Package) -> Result<String> {
    let changes = fs::read_to_string(sources(package.folder).join("CHANGELOG.md"))?;
    let version = changes.lines().find_map(|line| line.strip_prefix("## "));
    Ok(version.ok_or_else(|| format!("{}: CHANGELOG.md names no version", package.language))?.to_owned())
}

/// The files below a folder, by their paths in it.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                names.push(path.strip_prefix(folder)?.to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    Ok(names)
}

/// What is wrong with the weight and the files of an archive.
fn faults(package: &Package, size: u64, names: &[String]) -> Vec<String> {
    let heavy = (size > BOUND).then(|| format!("weighs {size} bytes, and {BOUND} is the bound"));
    let wanted = PAPERS.iter().chain(package.contents);
    let missing = wanted.filter(|pattern| !names.iter().any(|name| is_of(pattern, name)));
    let missing = missing.map(|pattern| format!("has no {pattern}"));
    let is_known = |name: &&String| PAPERS.iter().chain(package.contents).any(|pattern| is_of(pattern, name));
    let unwanted = names.iter().filter(|name| !is_known(name)).map(|name| format!("ships {name}"));
    heavy.into_iter().chain(missing).chain(unwanted).collect()
}

fn is_of(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(ending) => name.ends_with(ending) && !name.contains('/'),
        None if pattern.ends_with('/') => name.starts_with(pattern),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ELIXIR, GO, RUST};
    use super::*;

    fn found(package: &Package, names: &[&str]) -> Vec<String> {
        let names: Vec<String> = PAPERS.iter().chain(names).map(|&name| name.to_owned()).collect();
        faults(package, BOUND, &names)
    }

    #[test]
    fn an_archive_holds_the_package_and_its_papers_and_nothing_else() {
        let rust = ["Cargo.lock", "Cargo.toml", "Cargo.toml.orig", ".cargo_vcs_info.json", "src/lib.rs"];
        assert!(found(&RUST, &rust).is_empty());
        assert!(found(&GO, &["go.mod", "client.go"]).is_empty());
        assert!(found(&ELIXIR, &["mix.exs", ".formatter.exs", "lib/svc.ex"]).is_empty());

        assert_eq!(found(&GO, &["go.mod", "client.go", "sub/main.go"]), ["ships sub/main.go"]);
        assert_eq!(
            found(&ELIXIR, &["mix.exs", ".formatter.exs", "_build/dev/a", "test/a.exs"]),
            ["has no lib/", "ships _build/dev/a", "ships test/a.exs"]
        );
        assert_eq!(
            faults(&GO, BOUND + 1, &["go.mod".into(), "a.go".into(), "LICENSE".into()]),
            ["weighs 131073 bytes, and 131072 is the bound", "has no CHANGELOG.md", "has no README.md"]
        );
    }

    #[test]
    fn every_package_names_the_version_of_its_changes() {
        for (package, manifest, line) in
            [(&RUST, "Cargo.toml", "version ="), (&ELIXIR, "mix.exs", "@version")]
        {
            let text = fs::read_to_string(sources(package.folder).join(manifest)).unwrap();
            let line = format!("{line} \"{}\"", version(package).unwrap());
            assert!(text.lines().any(|each| each.trim() == line), "{manifest} has no {line}");
        }
        assert_eq!(version(&GO).unwrap(), version(&RUST).unwrap());
    }
}
