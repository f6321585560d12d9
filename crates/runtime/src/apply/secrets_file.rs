//! The file that generated client secrets go to: new, and readable by its owner only.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::Generated;
use crate::failure::Failure;

/// A file that was made for the secrets of one run.
pub struct SecretsFile {
    file: File,
    path: PathBuf,
}

impl SecretsFile {
    /// Makes the file; one that exists is not touched.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let file =
            made.map_err(|error| Failure::new(format!("--secrets-file {}: {error}", path.display())))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Writes them as a JSON object of handles and secrets.
    pub fn write(mut self, secrets: &[Generated]) -> Result<(), Failure> {
        let pairs = secrets.iter().map(|made| (made.application.as_str(), made.secret.as_str()));
        let text = serde_json::to_string_pretty(&pairs.collect::<std::collections::BTreeMap<_, _>>());
        let written = text.map_err(std::io::Error::other).and_then(|text| writeln!(self.file, "{text}"));
        written.map_err(|error| Failure::new(format!("--secrets-file {}: {error}", self.path.display())))
    }
}
