//! The file of a keyring.

use std::io::ErrorKind;
use std::path::Path;

use svc_core::{Error, Result};

use super::Versions;
use crate::owner_only;

/// Reads a keyring; nothing where there is no such file.
pub fn read(path: &Path) -> Result<Option<Versions>> {
    let text = owner_only::read(path).map_err(|error| unusable(path, &error))?;
    let read = |text: &str| Versions::from_text(text).map_err(|error| unusable(path, &error.detail()));
    text.map(|text| read(&text)).transpose()
}

/// Writes a new keyring; one that is there already stays as it is, and is an error.
pub fn create(path: &Path, versions: &Versions) -> Result<()> {
    owner_only::create(path, &versions.to_text()?).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::conflict(format!(
            "the keyring {} exists already; `svc-runtime keyring rotate` adds a version to it",
            path.display()
        )),
        _ => unusable(path, &error),
    })
}

/// Puts a keyring in the place of the one that is there, in one step: a reader sees the one or the other.
pub fn replace(path: &Path, versions: &Versions) -> Result<()> {
    owner_only::replace(path, &versions.to_text()?).map_err(|error| unusable(path, &error))
}

/// Changes the keyring that is there; nothing where there is none. Of two changes at once the second sees the first.
pub fn change(path: &Path, change: impl FnOnce(&Versions) -> Result<Versions>) -> Result<Option<Versions>> {
    let _lock = owner_only::lock(path).map_err(|error| unusable(path, &error))?;
    let Some(present) = read(path)? else { return Ok(None) };
    let changed = change(&present)?;
    replace(path, &changed)?;
    Ok(Some(changed))
}

#[track_caller]
fn unusable(path: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error::bad_request(format!("the keyring {} cannot be used: {reason}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use svc_core::{Seconds, SeededEntropy};

    use super::super::tests::NOW;
    use super::*;
    use crate::SystemEntropy;

    fn first() -> Versions {
        Versions::first(&SeededEntropy::new(1), NOW)
    }

    #[test]
    fn a_keyring_is_read_as_it_was_written_and_belongs_to_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyring.json");
        assert!(read(&path).unwrap().is_none());
        create(&path, &first()).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(create(&path, &first()).unwrap_err().detail().contains("exists already"));
        let second = first().rotated(&SeededEntropy::new(2), NOW, NOW + Seconds(5)).unwrap();
        replace(&path, &second).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().fingerprints(), second.fingerprints());
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn of_two_changes_at_once_the_second_sees_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyring.json");
        let rotated = |versions: &Versions| versions.rotated(&SystemEntropy, NOW, NOW);
        assert!(change(&path, rotated).unwrap().is_none(), "there is none");
        create(&path, &first()).unwrap();
        std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| change(&path, rotated).unwrap());
            }
        });
        assert_eq!(read(&path).unwrap().unwrap().fingerprints().len(), 9);
    }

    #[test]
    fn a_file_that_others_may_read_or_that_is_no_keyring_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyring.json");
        create(&path, &first()).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let error = read(&path).unwrap_err();
        assert!(
            error.detail().ends_with("other users may read it (mode 644); run `chmod 600` on it"),
            "{error:?}"
        );
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert!(read(&path).is_ok(), "a group may read it");
        std::fs::write(&path, "{}").unwrap();
        assert!(read(&path).unwrap_err().detail().contains("keyring.json cannot be used: the file is not"));
    }
}
