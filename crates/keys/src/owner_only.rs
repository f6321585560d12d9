//! Files of secrets: for their owner only, read whole, and replaced in one step.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown};
use std::path::Path;

use zeroize::Zeroizing;

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

/// Writes a new file; one that is there already stays as it is, and is an error.
pub fn create(path: &Path, text: &str) -> Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(path)?;
    file.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        file.write_all(b"\n")?;
    }
    file.sync_all()
}

/// Gives a file the owner of what it stands for: an administrator who works as root takes nothing from the service.
pub fn belong(path: &Path, model: &Metadata) -> Result<()> {
    let made = std::fs::metadata(path)?;
    if (made.uid(), made.gid()) == (model.uid(), model.gid()) {
        return Ok(());
    }
    chown(path, Some(model.uid()), Some(model.gid()))
}

/// Puts a file in the place of the one that is there: a reader sees the one or the other.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let mut next = path.as_os_str().to_owned();
    next.push(".new");
    let next = Path::new(&next);
    // What an interrupted attempt left behind.
    let _ = std::fs::remove_file(next);
    create(next, text)?;
    if let Ok(present) = std::fs::metadata(path) {
        belong(next, &present)?;
    }
    std::fs::rename(next, path)?;
    // The new name has to survive a crash as well as the content.
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
