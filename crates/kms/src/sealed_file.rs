//! The one file of `svc-kms`: what it holds, sealed, and in clear only how it is opened.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_core::Timestamp;
use svc_keys::{SecretBytes, SystemEntropy, owner_only};
use zeroize::Zeroizing;

use crate::content::Content;
use crate::failure::Failure;
use crate::opening::{OpenedBy, Opener};

/// The file in its directory.
#[derive(Clone, Debug)]
pub struct SealedFile {
    folder: PathBuf,
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    about: String,
    format: u32,
    opened_by: OpenedBy,
    sealed: SecretBytes,
}

/// What changes whenever the file does, or who may read it: one that was refused for its mode is read when that was mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(u64, i64, i64, u64);

const ABOUT: &str = "The sealed keys of an svc deployment. Keep what opens it apart from it, and a copy of both with every backup of the database.";
const FORMAT: u32 = 1;
const CONTEXT: &[u8] = b"svc-kms file 1";

impl SealedFile {
    /// The file of a directory.
    pub fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), path: folder.join("keys.sealed") }
    }

    /// A copy of one, elsewhere.
    pub fn at(path: &Path) -> Self {
        Self { folder: path.parent().unwrap_or_else(|| Path::new(".")).to_owned(), path: path.to_owned() }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the directory, for its owner only; one that others may enter is refused.
    pub fn make_folder(&self) -> Result<(), Failure> {
        private_folder(&self.folder)
    }

    /// Refuses where the file is there already.
    pub fn is_to_be_made(&self) -> Result<(), Failure> {
        if self.path.exists() {
            return Err(Failure::new(format!("{} exists already, and stays as it is", self.path.display())));
        }
        Ok(())
    }

    /// Opens it.
    pub fn open(&self, opener: &Opener) -> Result<Content, Failure> {
        let text = owner_only::read(&self.path).map_err(|error| self.unusable(&error))?;
        // A new root opens nothing of a deployment that has lost its file: what brings that back is said too.
        let text = text.ok_or_else(|| {
            Failure::new(format!(
                "there is no {}; `svc-kms init` makes one for a new deployment, `svc-kms restore FILE` puts back the copy of \
                 another",
                self.path.display()
            ))
        })?;
        let form: Form = serde_json::from_str(&text).map_err(|error| self.unusable(&error))?;
        if form.format != FORMAT {
            return Err(self.unusable(&format!("its format is {}, this svc-kms knows {FORMAT}", form.format)));
        }
        let key = opener.opens(&form.opened_by)?;
        let plain = key.open(CONTEXT, &form.sealed).map(Zeroizing::new);
        let plain = plain.ok_or_else(|| {
            self.unusable(&"the passphrase is not the one that it was sealed with, or the file was changed")
        })?;
        serde_json::from_slice(&plain).map_err(|error| self.unusable(&error))
    }

    /// Seals a new file; one that is there already stays as it is, and is an error.
    pub fn create(&self, content: &Content, opener: &Opener) -> Result<(), Failure> {
        let text = sealed(content, opener)?;
        owner_only::create(&self.path, &text).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Failure::new(format!("{} exists already, and stays as it is", self.path.display()))
            }
            _ => self.unusable(&error),
        })?;
        owner_only::belong_with_folder(&self.path);
        Ok(())
    }

    /// Changes what it holds. Of two changes at once the second sees the first.
    pub fn change<T>(
        &self,
        opener: &Opener,
        change: impl FnOnce(&mut Content) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let _lock = self.lock()?;
        let mut content = self.open(opener)?;
        let changed = change(&mut content)?;
        let text = sealed(&content, opener)?;
        owner_only::replace(&self.path, &text).map_err(|error| self.unusable(&error))?;
        Ok(changed)
    }

    /// Seals what it holds for another opener.
    pub fn reseal(&self, opener: &Opener, next: &Opener) -> Result<(), Failure> {
        let _lock = self.lock()?;
        let text = sealed(&self.open(opener)?, next)?;
        owner_only::replace(&self.path, &text).map_err(|error| self.unusable(&error))
    }

    /// Puts a text in its place; returns where the file that was there is kept.
    pub fn put(&self, text: &str, now: Timestamp) -> Result<Option<PathBuf>, Failure> {
        let _lock = self.lock()?;
        let kept = self.path.exists().then(|| self.keep(now)).transpose()?;
        owner_only::replace(&self.path, text).map_err(|error| self.unusable(&error))?;
        Ok(kept)
    }

    /// Gives the present file a second name that says when, under which it outlives being replaced; another passphrase may open it.
    fn keep(&self, now: Timestamp) -> Result<PathBuf, Failure> {
        let mut kept = self.path.as_os_str().to_owned();
        kept.push(format!(".replaced-{}", now.to_string().replace([':', '-'], "")));
        let kept = PathBuf::from(kept);
        let close = || fs::set_permissions(&kept, Permissions::from_mode(0o600));
        fs::hard_link(&self.path, &kept).and_then(|()| close()).map_err(|error| {
            Failure::new(format!(
                "{} cannot be kept as {}, and stays as it is: {error}",
                self.path.display(),
                kept.display()
            ))
        })?;
        Ok(kept)
    }

    /// Held as long as the value lives.
    fn lock(&self) -> Result<File, Failure> {
        let path = self.folder.join(".lock");
        let lock = File::create(&path).map_err(|error| self.unusable(&error))?;
        let belongs = fs::metadata(&self.folder).and_then(|folder| owner_only::belong(&path, &folder));
        belongs.map_err(|error| self.unusable(&error))?;
        lock.lock().map_err(|error| self.unusable(&error))?;
        Ok(lock)
    }

    /// Looks whether it has changed.
    pub fn stamp(&self) -> Option<Stamp> {
        let met = fs::metadata(&self.path).ok()?;
        Some(Stamp(met.ino(), met.ctime(), met.ctime_nsec(), met.len()))
    }

    fn unusable(&self, reason: &dyn std::fmt::Display) -> Failure {
        Failure::new(format!("{} cannot be used: {reason}", self.path.display()))
    }
}

/// Makes a directory for its owner only.
pub fn private_folder(folder: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("the directory {} cannot be used: {error}", folder.display()))
    };
    if !folder.exists() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    }
    let mode = fs::metadata(folder).map_err(failed)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let reason = format!("other users may enter it (mode {mode:o}); run `chmod 700` on it");
        return Err(failed(std::io::Error::other(reason)));
    }
    Ok(())
}

/// The text of a file with this content; a fresh key each time.
fn sealed(content: &Content, opener: &Opener) -> Result<Zeroizing<String>, Failure> {
    let unwritten = |error: serde_json::Error| Failure::new(error.to_string());
    let plain = Zeroizing::new(serde_json::to_vec(content).map_err(unwritten)?);
    let (key, opened_by) = opener.seals()?;
    let sealed = key.seal(CONTEXT, &plain, &SystemEntropy)?;
    let form = Form { about: ABOUT.to_owned(), format: FORMAT, opened_by, sealed: sealed.into() };
    serde_json::to_string_pretty(&form).map(Zeroizing::new).map_err(unwritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_whose_mode_was_mended_is_another_one_to_look_at() {
        let folder = tempfile::tempdir().unwrap();
        let file = SealedFile::of(folder.path());
        fs::write(file.path(), "sealed").unwrap();
        fs::set_permissions(file.path(), Permissions::from_mode(0o644)).unwrap();
        let refused = file.stamp();
        assert!(refused.is_some() && file.stamp() == refused);
        // The clock of a file system has coarse steps.
        let is_seen = (0..1_000_000).any(|_| {
            fs::set_permissions(file.path(), Permissions::from_mode(0o600)).unwrap();
            file.stamp() != refused
        });
        assert!(is_seen);
    }
}
