//! The file that generated client secrets go to: new, and readable by its owner only.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file that was made for the secrets of one run. One that nothing was written to goes again, so that the next run can make it.
pub struct SecretsFile {
    file: File,
    path: PathBuf,
    is_written: bool,
}

impl SecretsFile {
    /// Makes the file; one that exists is not touched.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let file = made.map_err(|error| {
            let shown = path.display();
            Failure::new(match error.kind() {
                ErrorKind::AlreadyExists => {
                    format!("--secrets-file: {shown} exists already; name a new file")
                }
                _ => format!("--secrets-file {shown}: {error}"),
            })
        })?;
        Ok(Self { file, path: path.to_owned(), is_written: false })
    }

    /// Writes them as a JSON object of names and secrets.
    pub fn write(mut self, secrets: &BTreeMap<String, &str>) -> Result<(), Failure> {
        // Also where only a part of it gets there: the secrets are nowhere else.
        self.is_written = true;
        let text = serde_json::to_string_pretty(secrets);
        let written = text.map_err(std::io::Error::other).and_then(|text| writeln!(self.file, "{text}"));
        written.map_err(|error| {
            Failure::new(format!(
                "--secrets-file {}: {error}; the tenants are as the file says, but these secrets are lost: {}; give others by \
                 secret_env, and apply the file again",
                self.path.display(),
                secrets.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
            ))
        })
    }
}

impl Drop for SecretsFile {
    fn drop(&mut self) {
        if !self.is_written {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_got_no_secrets_is_gone_again_and_one_that_was_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets.json");
        drop(SecretsFile::create(&path).unwrap());
        assert!(!path.exists());
        SecretsFile::create(&path).unwrap().write(&BTreeMap::new()).unwrap();
        let refused = SecretsFile::create(&path).err().unwrap().to_string();
        assert!(refused.contains("exists already; name a new file"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
    }

    #[test]
    fn secrets_that_the_disk_does_not_hold_are_named_with_a_way_to_others() {
        let path = PathBuf::from("/dev/full");
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        let full = SecretsFile { file, path, is_written: false };
        let secrets = BTreeMap::from([("backend".to_owned(), "svc_cs_secret")]);
        let refused = full.write(&secrets).unwrap_err().to_string();
        assert!(refused.contains("these secrets are lost: backend; give others by secret_env"), "{refused}");
        assert!(!refused.contains("svc_cs_secret"), "{refused}");
    }
}
