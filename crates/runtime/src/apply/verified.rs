//! Passwords that are known to fit the hash in the database, so that a restart need not compute Argon2 to learn it again.
//!
//! INVARIANT: kept in a file only for passwords that stand in clear beside it, as those of `dev` do. A fast digest of
//! any other password would be a gift to whoever gets hold of the file.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use svc_core::Secret;

/// What is known, as digests over password and hash: another hash in the database, or another password, fits none.
#[derive(Debug, Default)]
pub struct Verified(Mutex<BTreeSet<String>>);

impl Verified {
    /// What a file tells; nothing is known without it, and everything is verified again.
    pub fn kept_in(file: &Path) -> Self {
        let text = std::fs::read(file).unwrap_or_default();
        Self(Mutex::new(serde_json::from_slice(&text).unwrap_or_default()))
    }

    /// Keeps what was found out, for the next start.
    pub fn keep_in(&self, file: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec(&*self.lock())?;
        if std::fs::read(file).is_ok_and(|present| present == text) {
            return Ok(());
        }
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file)?.write_all(&text)
    }

    /// Whether the password is known to fit the hash.
    pub(super) fn fits(&self, password: &Secret, phc: &str) -> bool {
        self.lock().contains(&digest(password, phc))
    }

    /// Takes note that the password fits the hash.
    pub(super) fn note(&self, password: &Secret, phc: &str) {
        self.lock().insert(digest(password, phc));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A hash has no line break, so that the pair can be read in one way only.
fn digest(password: &Secret, phc: &str) -> String {
    svc_keys::base64url(svc_keys::sha256(format!("{phc}\n{}", password.expose()).as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_was_verified_is_known_after_a_restart_for_this_password_and_this_hash_only() {
        let file = tempfile::tempdir().unwrap();
        let file = file.path().join("verified.json");
        let (password, other) = (Secret::new("moth"), Secret::new("relay"));
        let first = Verified::kept_in(&file);
        assert!(!first.fits(&password, "$argon2id$1"));
        first.note(&password, "$argon2id$1");
        first.keep_in(&file).unwrap();
        let second = Verified::kept_in(&file);
        assert!(second.fits(&password, "$argon2id$1"));
        assert!(!second.fits(&password, "$argon2id$2"), "the password was changed in the service");
        assert!(!second.fits(&other, "$argon2id$1"), "the password was changed in the file");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_cannot_be_read_tells_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("verified.json");
        std::fs::write(&file, "[\"trunc").unwrap();
        assert!(!Verified::kept_in(&file).fits(&Secret::new("moth"), "$argon2id$1"));
    }
}
