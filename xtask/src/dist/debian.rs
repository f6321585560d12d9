//! The Debian package: the programs, a hardened unit of systemd for each, the documentation.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::{Release, documents};
use crate::{Result, launch, process};

/// Writes `svc_VERSION_ARCH.deb` and returns its name.
pub fn write(release: &Release) -> Result<String> {
    let architecture = process::output(Command::new("dpkg").arg("--print-architecture"))?.trim().to_owned();
    let stage = release.folder.join("debian");
    lay_out(release, &stage)?;
    let control = stage.join("DEBIAN");
    fs::create_dir_all(&control)?;
    let library = c_library(&stage.join("usr/bin"))?;
    let kib = installed_kib(&stage)?;
    put(control.join("control"), 0o644, &manifest(release, &architecture, &library, kib))?;
    for script in ["postinst", "prerm", "postrm"] {
        let text = fs::read_to_string(launch::root().join("packaging/debian").join(script))?;
        put(control.join(script), 0o755, &text)?;
    }
    let file = format!("svc_{}_{architecture}.deb", release.version);
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--build", "debian", &file]);
    process::run(build.env("SOURCE_DATE_EPOCH", &release.time).current_dir(&release.folder))?;
    fs::remove_dir_all(stage)?;
    Ok(file)
}

fn lay_out(release: &Release, stage: &Path) -> Result<()> {
    let root = launch::root();
    let put = |from: &Path, to: &str, mode: u32| -> Result<()> {
        let to = stage.join(to);
        fs::create_dir_all(to.parent().ok_or("a file lies in a folder")?)?;
        fs::copy(from, &to)?;
        Ok(fs::set_permissions(&to, fs::Permissions::from_mode(mode))?)
    };
    release.copy_programs(&stage.join("usr/bin"))?;
    for unit in ["svc.service", "svc-kms.service"] {
        put(&root.join("packaging/systemd").join(unit), &format!("lib/systemd/system/{unit}"), 0o644)?;
    }
    documents::copy(&stage.join("usr/share/doc/svc"))?;
    put(&root.join("LICENSE"), "usr/share/doc/svc/copyright", 0o644)
}

fn manifest(release: &Release, architecture: &str, library: &str, kib: u64) -> String {
    format!(
        "Package: svc\nVersion: {}\nArchitecture: {architecture}\nInstalled-Size: {kib}\nSection: net\n\
         Priority: optional\nMaintainer: The svc maintainers <maintainers@localhost>\n\
         Depends: libc6 (>= {library}), libgcc-s1, passwd\nRecommends: ca-certificates\n\
         Description: OAuth 2.0 and OpenID Connect provider for many tenants\n \
         An identity service with hosted sign-in pages, on SQLite or PostgreSQL, and svc-kms, which holds its keys.\n",
        release.version
    )
}

/// The version of the C library that the programs in a folder need: it depends on where they were built.
fn c_library(programs: &Path) -> Result<String> {
    let mut newest = OLDEST;
    for program in fs::read_dir(programs)? {
        newest = asked_for(&fs::read(program?.path())?).fold(newest, u32::max);
    }
    Ok(format!("2.{newest}"))
}

/// The first version with threads in the library itself, which every program of Rust's needs.
const OLDEST: u32 = 34;

/// The versions of the symbols that a program names, such as `GLIBC_2.36`.
fn asked_for(program: &[u8]) -> impl Iterator<Item = u32> {
    const NAME: &[u8] = b"GLIBC_2.";
    let named = program.windows(NAME.len()).enumerate().filter(|(_, part)| *part == NAME);
    named.filter_map(|(at, _)| {
        let rest = program.get(at + NAME.len()..)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).map(|byte| char::from(*byte));
        digits.collect::<String>().parse().ok()
    })
}

fn installed_kib(stage: &Path) -> Result<u64> {
    let shown = process::output(Command::new("du").args(["-sk"]).arg(stage))?;
    Ok(shown.split_whitespace().next().ok_or("du printed nothing")?.parse()?)
}

fn put(path: impl AsRef<Path>, mode: u32, text: &str) -> Result<()> {
    fs::write(&path, text)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(mode))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_asks_for_the_newest_c_library_that_a_program_asks_for() {
        let folder = tempfile::tempdir().unwrap();
        let needs = |program: &[u8]| {
            fs::write(folder.path().join("svc-kms"), program).unwrap();
            c_library(folder.path()).unwrap()
        };
        fs::write(folder.path().join("svc-runtime"), b"\0GLIBC_2.2.5\0GLIBC_2.35\0GLIBC_PRIVATE\0").unwrap();
        assert_eq!(needs(b"#!/bin/sh\n"), "2.35");
        assert_eq!(needs(b"\0GLIBC_2.17\0GLIBC_2.41"), "2.41");
        fs::write(folder.path().join("svc-runtime"), b"\0GLIBC_2.2.5\0").unwrap();
        assert_eq!(needs(b""), "2.34");
    }
}
