//! A copy of an SQLite database becomes the database: one file, and nothing of the one before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use svc_config::{Config, DatabaseUrl};
use svc_keys::owner_only;

use crate::failure::Failure;

/// What every SQLite file begins with (<https://www.sqlite.org/fileformat.html> §1.3.1).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// What SQLite keeps next to a database and would play into whatever file has its name.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// Where the database is to be; nothing of one before is there.
pub fn vacant(config: &Config) -> Result<PathBuf, Failure> {
    let url = config.database_url(config.plane).and_then(DatabaseUrl::file);
    let target = Path::new(url.ok_or_else(|| Failure::new("database.url: the database is not a file"))?);
    if target.exists() {
        return Err(exists_already(target));
    }
    if let Some(log) = LOGS.map(|log| next_to(target, log)).into_iter().find(|log| log.exists()) {
        return Err(Failure::new(format!(
            "{} is of the database before, and would change this one; move it away",
            log.display()
        )));
    }
    Ok(target.to_owned())
}

/// Makes the database of the copy as it is, readable by its owner only.
pub fn copy(file: &Path, target: &Path) -> Result<(), Failure> {
    let mut from = opened(file)?;
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(target);
    let mut to = made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists_already(target),
        _ => failed(target, &error),
    })?;
    if let Err(error) = io::copy(&mut from, &mut to).and_then(|_| to.sync_all()) {
        discard(target);
        return Err(failed(target, &error));
    }
    owner_only::belong_with_folder(target);
    Ok(())
}

fn exists_already(target: &Path) -> Failure {
    Failure::new(format!("{} exists already; move it away, with its -wal and -shm", target.display()))
}

/// Takes away what [`copy`] made.
pub fn discard(target: &Path) {
    for file in ["", "-wal", "-shm", "-journal"].map(|suffix| next_to(target, suffix)) {
        let _ = fs::remove_file(file);
    }
}

/// The copy, from its beginning.
fn opened(file: &Path) -> Result<File, Failure> {
    let mut from = File::open(file).map_err(|error| failed(file, &error))?;
    let mut first = Vec::new();
    let beginning = (&from).take(MAGIC.len() as u64).read_to_end(&mut first);
    beginning.and_then(|_| from.rewind()).map_err(|error| failed(file, &error))?;
    if first == MAGIC {
        return Ok(from);
    }
    Err(Failure::new(format!(
        "{} is no SQLite database; name a file that `svc-runtime backup` has made of one",
        file.display()
    )))
}

fn next_to(target: &Path, suffix: &str) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
