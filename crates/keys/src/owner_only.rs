//! Files of secrets: for their owner only, read whole, and replaced in one step.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::{SystemEntropy, token};

/// Others must not read it; a group may, because that is how some platforms hand out secrets.
const FORBIDDEN: u32 = 0o007;
const OWNER_ONLY: u32 = 0o600;

/// Reads a file; nothing where there is no such file. A file that other users may read is refused.
pub fn read(path: &Path) -> Result<Option<Zeroizing<String>>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mode = file.metadata()?.permissions().mode();
    if mode & FORBIDDEN != 0 {
        let reason = format!("other users may read it (mode {:o}); run `chmod 600` on it", mode & 0o777);
        return Err(Error::other(reason));
    }
    let mut text = Zeroizing::new(String::new());
    file.read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Writes a new file, of which a reader sees the whole or nothing; one that is there already stays as it is, and is an error.
pub fn create(path: &Path, text: &str) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let apart = with_suffix(path, &format!(".{}.new", token(&SystemEntropy)));
    write(&apart, text)?;
    // A rename would take the place of what another process has made since; a second name does not.
    let named = std::fs::hard_link(&apart, path);
    let _ = std::fs::remove_file(&apart);
    match named {
        Ok(()) => keep_name(path),
        // Some file systems give a file one name only.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::PermissionDenied) => {
            write(path, text)
        }
        Err(error) => Err(error),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(path)?;
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = [text, end].iter().try_for_each(|part| file.write_all(part.as_bytes()));
    whole_or_gone(path, written.and_then(|()| file.sync_all()))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The new name has to survive a crash as well as the content.
fn keep_name(path: &Path) -> Result<()> {
    File::open(folder_of(path))?.sync_all()
}

/// Takes a new file away that could not be written whole, where the disk is full: the next attempt would find it there already.
fn whole_or_gone(path: &Path, written: Result<()>) -> Result<()> {
    if written.is_err() {
        let _ = std::fs::remove_file(path);
    }
    written
}

/// Gives a file the owner of what it stands for: an administrator who works as root takes nothing from the service.
pub fn belong(path: &Path, model: &Metadata) -> Result<()> {
    let made = std::fs::metadata(path)?;
    if (made.uid(), made.gid()) == (model.uid(), model.gid()) {
        return Ok(());
    }
    chown(path, Some(model.uid()), Some(model.gid()))
}

/// The same for a new file, which has the owner of its folder. Where it is not root who works, it has that owner, or cannot get it.
pub fn belong_with_folder(path: &Path) {
    let _ = std::fs::metadata(folder_of(path)).and_then(|folder| belong(path, &folder));
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts a file in the place of the one that is there: a reader sees the one or the other.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let next = with_suffix(path, ".new");
    // What an interrupted attempt left behind.
    let _ = std::fs::remove_file(&next);
    write(&next, text)?;
    match std::fs::metadata(path) {
        Ok(present) => belong(&next, &present)?,
        Err(_) => belong_with_folder(&next),
    }
    std::fs::rename(&next, path)?;
    keep_name(path)
}

/// Keeps others from changing a file as long as the value lives; nothing where there is no such file. One who has waited holds the
/// file that is there by then.
pub fn lock(path: &Path) -> Result<Option<File>> {
    loop {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        file.lock()?;
        let held = file.metadata()?;
        match std::fs::metadata(path) {
            Ok(present) if (present.dev(), present.ino()) == (held.dev(), held.ino()) => {
                return Ok(Some(file));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_that_could_not_be_written_whole_is_not_there_for_the_next_attempt() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyring.json");
        File::create(&path).unwrap();
        let full = whole_or_gone(&path, Err(Error::from(ErrorKind::StorageFull))).unwrap_err();
        assert_eq!((full.kind(), path.exists()), (ErrorKind::StorageFull, false));
        create(&path, "whole").unwrap();
        assert_eq!(create(&path, "another").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(read(&path).unwrap().unwrap().as_str(), "whole\n");
    }

    #[test]
    fn of_several_that_make_a_file_at_once_one_does_and_the_others_read_all_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyring.json");
        let rest = "0123456789".repeat(100_000);
        let attempt = |number: u8| {
            let text = format!("{number}{rest}\n");
            let made = create(&path, &text);
            let found = read(&path).unwrap().unwrap();
            assert_eq!(found.len(), text.len());
            match made {
                Ok(()) => assert!(found.as_str() == text, "another has made it"),
                Err(error) => assert_eq!(error.kind(), ErrorKind::AlreadyExists),
            }
        };
        std::thread::scope(|threads| {
            for number in 0..8 {
                let attempt = &attempt;
                threads.spawn(move || attempt(number));
            }
        });
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }
}
