//! The archive: the programs with their licence, the documentation, an example configuration and what runs them.

use std::fs;
use std::process::Command;

use super::{Release, documents};
use crate::{Result, process};

/// Writes `svc-VERSION-TARGET.tar.gz` and returns its name.
pub fn write(release: &Release) -> Result<String> {
    let name = format!("svc-{}-{}", release.version, release.target);
    let stage = release.folder.join(&name);
    release.copy_programs(&stage)?;
    documents::copy(&stage)?;
    pack(release, &name)
}

/// Packs the folder `name` of the release into `name.tar.gz` and removes the folder.
pub fn pack(release: &Release, name: &str) -> Result<String> {
    let file = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+w,go-w"])
        .arg(format!("--mtime=@{}", release.time))
        // Without its own time stamp, so that the same content gives the same archive.
        .args(["--use-compress-program=gzip --no-name", "-cf", &file, name])
        .current_dir(&release.folder);
    process::run(&mut tar)?;
    fs::remove_dir_all(release.folder.join(name))?;
    Ok(file)
}
