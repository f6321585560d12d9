//! `cargo xtask dist`: the optimised programs as an archive, a Debian package and the context of a container image, with
//! a bill of materials of each and checksums.
//!
//! Two runs on one commit and compiler give the same bytes: every time stamp is the commit's, and no folder of the machine is in a program.

mod archive;
mod debian;
mod documents;
#[cfg(test)]
mod links;
mod sbom;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{self, Need};
use crate::{Result, launch, process};

/// The programs, and the most that each may weigh in MiB.
const PROGRAMS: [(&str, u64); 2] = [("svc-runtime", 64), ("svc-kms", 12)];

/// What every package is made of.
struct Release {
    /// Where the programs are, optimised and stripped.
    programs: PathBuf,
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
    let mut files = vec![archive::write(&release)?, debian::write(&release)?, container(&release)?];
    files.extend(sbom::write(&release)?);
    checksums(&release.folder, &files)?;
    println!("\n{}", release.folder.display());
    for file in &files {
        println!("  {:>6.1} MiB  {}", mib(&release.folder.join(file))?, file);
    }
    println!("  SHA256SUMS");
    Ok(())
}

impl Release {
    /// Puts the programs into a folder.
    fn copy_programs(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        for (name, _) in PROGRAMS {
            fs::copy(self.programs.join(name), folder.join(name))?;
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    }
}

fn build() -> Result<Release> {
    println!("building the optimised programs; this takes several minutes");
    let time =
        process::output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(launch::root()));
    let time = time.map_or_else(|_| "0".to_owned(), |time| time.trim().to_owned());
    process::run(
        launch::cargo_to_ship()?
            .args([
                "build",
                "--profile",
                "dist",
                "--locked",
                "--package",
                "svc-runtime",
                "--package",
                "svc-kms",
            ])
            .env("SOURCE_DATE_EPOCH", &time),
    )?;
    let programs = launch::target_dir()?.join("dist");
    for (name, most) in PROGRAMS {
        let size = fs::metadata(programs.join(name))?.len();
        if size > most << 20 {
            return Err(format!("{name} has {size} bytes, more than {most} MiB").into());
        }
        names_no_folder(&programs.join(name), &launch::folders()?)?;
    }
    let folder = launch::target_dir()?.join("xtask/dist");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(Release { programs, folder, version: env!("CARGO_PKG_VERSION"), target: launch::host()?, time })
}

/// What rustc would have written into a program is not there: elsewhere it would be another one.
fn names_no_folder(program: &Path, folders: &[(PathBuf, &str)]) -> Result<()> {
    let bytes = fs::read(program)?;
    // Each of them alone could be part of other names.
    for (folder, within) in folders.iter().zip(["crates/", "dist/", "registry/"]) {
        let name = folder.0.join(within);
        let name = name.as_os_str().as_encoded_bytes();
        if bytes.windows(name.len()).any(|part| part == name) {
            let (program, name) = (program.display(), String::from_utf8_lossy(name));
            return Err(format!("{program} contains {name}, where it was built; map it in launch.rs").into());
        }
    }
    Ok(())
}

/// Lays out what `podman build` or `docker build` takes, as an archive.
fn container(release: &Release) -> Result<String> {
    let name = format!("svc-{}-container", release.version);
    let stage = release.folder.join(&name);
    release.copy_programs(&stage)?;
    let root = launch::root();
    fs::copy(root.join("LICENSE"), stage.join("LICENSE"))?;
    fs::copy(root.join("packaging/Containerfile"), stage.join("Containerfile"))?;
    // What the volume begins as, in a folder of its own.
    fs::create_dir_all(stage.join("data/svc"))?;
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A release of two programs that do nothing.
    fn release(folder: &Path) -> Release {
        let programs = folder.join("built");
        fs::create_dir_all(&programs).unwrap();
        for (name, _) in PROGRAMS {
            fs::write(programs.join(name), "#!/bin/sh\n").unwrap();
        }
        let target = "x86_64-unknown-linux-gnu".to_owned();
        Release {
            programs,
            folder: folder.to_owned(),
            version: "1.2.3",
            target,
            time: "1700000000".to_owned(),
        }
    }

    /// The files of a listing, as they are called below its root.
    fn listed(listing: &str) -> BTreeSet<String> {
        let files = listing.lines().filter_map(|line| line.split_whitespace().last());
        files
            .filter(|file| !file.ends_with('/'))
            .map(|file| file.trim_start_matches("./").to_owned())
            .collect()
    }

    fn contents(folder: &Path, file: &str) -> BTreeSet<String> {
        listed(&process::output(Command::new("tar").args(["-tf", file]).current_dir(folder)).unwrap())
    }

    /// The files of a folder, as they are called in it.
    fn below(folder: &str, files: &BTreeSet<String>) -> BTreeSet<String> {
        files.iter().filter_map(|file| file.strip_prefix(folder)).map(str::to_owned).collect()
    }

    /// The files of the archive.
    fn archived(release: &Release) -> BTreeSet<String> {
        let files = contents(&release.folder, &archive::write(release).unwrap());
        below("svc-1.2.3-x86_64-unknown-linux-gnu/", &files)
    }

    #[test]
    fn the_container_has_what_its_file_copies_and_two_runs_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let release = release(folder.path());
        let made = || fs::read(folder.path().join(container(&release).unwrap())).unwrap();
        assert_eq!(made(), made());
        let names = contents(folder.path(), "svc-1.2.3-container.tar.gz");
        let expected = ["Containerfile", "LICENSE", "svc-kms", "svc-runtime"];
        assert_eq!(names, expected.map(|name| format!("svc-1.2.3-container/{name}")).into());
        let mut list = Command::new("tar");
        list.args(["-tf", "svc-1.2.3-container.tar.gz"]).current_dir(folder.path());
        let listing = process::output(&mut list).unwrap();
        assert!(listing.lines().any(|name| name == "svc-1.2.3-container/data/svc/"), "{listing}");
        let text = fs::read_to_string(launch::root().join("packaging/Containerfile")).unwrap();
        for copied in ["--chmod=0755 svc-runtime svc-kms /usr/bin/\n", "--chmod=0700 data /var/lib/\n"] {
            assert!(text.contains(copied), "{text}");
        }
        let copies = text.lines().filter_map(|line| line.strip_prefix("COPY "));
        let words = copies.flat_map(|rest| rest.split(' ').filter(|word| !word.starts_with("--")));
        let known = ["svc-runtime", "svc-kms", "LICENSE", "data"];
        assert!(words.filter(|word| !word.starts_with('/')).all(|word| known.contains(&word)), "{text}");
    }

    #[test]
    fn a_program_that_says_where_it_was_built_is_not_shipped() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let folders = ["/home/ada/svc", "/home/ada/target", "/home/ada/.cargo"];
        let folders = folders.map(|folder| (PathBuf::from(folder), "elsewhere"));
        for (text, is_shipped) in [
            ("cargo/registry/src/a.rs svc/crates/b.rs /home/ada/notes", true),
            ("\0/home/ada/.cargo/registry/src/a.rs\0", false),
            ("\0/home/ada/target/dist/build/b.rs\0", false),
        ] {
            fs::write(&program, text).unwrap();
            assert_eq!(names_no_folder(&program, &folders).is_ok(), is_shipped, "{text}");
        }
    }

    #[test]
    fn the_archive_has_both_programs_and_what_they_are_run_with() {
        let folder = tempfile::tempdir().unwrap();
        let release = release(folder.path());
        let names = archived(&release);
        for name in ["svc-runtime", "svc-kms", "docs/deploy.md", "packaging/systemd/svc-kms.service"] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
        assert_eq!(links::dead(&names), BTreeSet::new());
    }

    #[test]
    fn the_debian_package_has_both_programs_and_both_units() {
        if !tools::is_installed("dpkg-deb") {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let release = release(folder.path());
        let file = debian::write(&release).unwrap();
        let mut list = Command::new("dpkg-deb");
        let listing = process::output(list.arg("--contents").arg(folder.path().join(file))).unwrap();
        let files = listed(&listing);
        let expected = [
            "lib/systemd/system/svc-kms.service",
            "lib/systemd/system/svc.service",
            "usr/bin/svc-kms",
            "usr/bin/svc-runtime",
        ];
        let others = files.iter().filter(|file| !file.starts_with("usr/share/doc/svc/"));
        assert_eq!(others.collect::<Vec<_>>(), expected);
        let documents = below("usr/share/doc/svc/", &files);
        assert_eq!(links::dead(&documents), BTreeSet::new());
        let is_program = |file: &String| PROGRAMS.iter().any(|(name, _)| name == file);
        let mut expected: BTreeSet<_> =
            archived(&release).into_iter().filter(|file| !is_program(file)).collect();
        expected.insert("copyright".to_owned());
        assert_eq!(documents, expected);
        let page = "usr/share/doc/svc/docs/deploy.md";
        let page = listing.lines().find(|line| line.ends_with(page)).unwrap();
        assert!(page.starts_with("-rw-r--r-- root/root"), "{page}");
        for line in listing.lines().filter(|line| line.ends_with("svc-kms") || line.ends_with("svc-runtime"))
        {
            assert!(line.starts_with("-rwxr-xr-x root/root"), "{line}");
        }
    }
}
