//! Files and disks: who may read what is secret, and how much room is left.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::statvfs;

use super::Patient;
use super::finding::Finding;

const MODES: &str = "file modes";
const DISK: &str = "disk";

/// A secret is for its owner, and at most for a group.
const OTHERS: u32 = 0o007;
/// Less is too little for the next hours of a busy service.
const LEAST: u64 = 100 << 20;
/// Less should be looked at.
const LITTLE: u64 = 1 << 30;

/// Looks at what the configuration names.
pub fn examine(patient: &Patient) -> Vec<Finding> {
    let mut findings: Vec<_> = secrets(patient).iter().filter_map(|path| exposed(path)).collect();
    if findings.is_empty() {
        findings.push(Finding::ok(MODES, "no other user can read what is secret"));
    }
    findings.extend(room(patient));
    findings
}

/// The files that hold secrets.
fn secrets(patient: &Patient) -> Vec<PathBuf> {
    let config = &patient.config;
    let database = database_file(patient);
    let next_to_it =
        |suffix| database.as_ref().map(|file| PathBuf::from(format!("{}{suffix}", file.display())));
    [
        patient.file.clone().filter(|_| config.has_secrets_in_file()),
        database.clone(),
        next_to_it("-wal"),
        config.keyring_path(),
        config.server.tls.key_pem_path.clone(),
        config.kms.client_private_key_path.clone(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn exposed(path: &Path) -> Option<Finding> {
    let mode = path.metadata().ok()?.permissions().mode() & 0o777;
    let shown = path.display();
    (mode & OTHERS != 0).then(|| {
        Finding::fault(
            MODES,
            format!("other users may read {shown} (mode {mode:o})"),
            format!("chmod 600 {shown}"),
        )
    })
}

/// The `SQLite` file.
pub fn database_file(patient: &Patient) -> Option<PathBuf> {
    patient.config.database_url(patient.config.plane)?.file().map(PathBuf::from)
}

fn room(patient: &Patient) -> Option<Finding> {
    let place = database_file(patient).or_else(|| patient.file.clone())?;
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let disk = statvfs(folder).ok()?;
    Some(judged(folder, disk.f_bavail.saturating_mul(disk.f_frsize), disk.f_favail))
}

fn judged(folder: &Path, bytes: u64, files: u64) -> Finding {
    let (folder, mib) = (folder.display(), bytes >> 20);
    let fix = "make room: what is full first is the database, and then every change is refused";
    if bytes < LEAST || files == 0 {
        return Finding::fault(DISK, format!("{folder} has {mib} MiB and {files} files left"), fix);
    }
    if bytes < LITTLE {
        return Finding::warning(DISK, format!("{folder} has {mib} MiB left"), fix);
    }
    Finding::ok(DISK, format!("{folder} has {} GiB left", mib >> 10))
}

#[cfg(test)]
mod tests {
    use super::super::finding::State;
    use super::*;

    #[test]
    fn a_disk_is_judged_by_its_bytes_and_by_its_files() {
        let state = |bytes, files| judged(Path::new("/var"), bytes, files).state;
        assert_eq!(state(LITTLE, 1), State::Ok);
        assert_eq!(state(LITTLE - 1, 1), State::Warning);
        assert_eq!(state(LEAST - 1, 1), State::Fault);
        assert_eq!(state(LITTLE, 0), State::Fault);
    }
}
