//! The directory of a deployment: it gets the name of its configuration file last, and is emptied where that never happens.

use std::cell::Cell;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, chown};
use std::path::{Path, PathBuf};

use svc_keys::owner_only;

use crate::failure::Failure;

/// The directory; what this run has put into it goes where it is dropped before `finish`.
pub struct Folder {
    path: PathBuf,
    was_there: bool,
    user: Option<User>,
    is_finished: Cell<bool>,
}

const CONFIGURATION: &str = "svc.toml";
const UNFINISHED: &str = "svc.toml.unfinished";
const WORLD_READABLE: u32 = 0o644;

/// Where `svc-kms` listens.
pub const SOCKET: &str = "kms/kms.sock";
/// Most bytes of a path at which a socket can be bound (unix(7)).
const LONGEST_SOCKET: usize = 107;

impl Folder {
    /// Takes an empty directory, or makes it, to be given to a user at the end. What is there already stays as it is.
    pub fn begin(path: &Path, user: Option<&str>) -> Result<Self, Failure> {
        let failed = |error: io::Error| unusable(path, &error);
        let user = user.map(User::named).transpose()?;
        let was_there = path.exists();
        if was_there {
            refuse_used(path)?;
        } else {
            DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
        }
        let path = fs::canonicalize(path).map_err(failed)?;
        let folder = Self { path, was_there, user, is_finished: Cell::new(false) };
        folder.can_have_a_socket()?;
        folder.can_be_given()?;
        Ok(folder)
    }

    /// Otherwise only the start of `svc-kms` would find it.
    fn can_have_a_socket(&self) -> Result<(), Failure> {
        let length = self.at(SOCKET).as_os_str().len();
        if length > LONGEST_SOCKET {
            return Err(Failure::new(format!(
                "--dir: the path of the socket {SOCKET} in it would have {length} bytes, and {LONGEST_SOCKET} are the most; name a \
                 directory with a shorter path"
            )));
        }
        Ok(())
    }

    /// Before anything is made: what its user cannot get in the end would leave a database behind whose keys are gone.
    fn can_be_given(&self) -> Result<(), Failure> {
        let Some(user) = &self.user else { return Ok(()) };
        let tried = fs::metadata(&self.path).and_then(|present| {
            chown(&self.path, Some(user.uid), Some(user.gid))?;
            chown(&self.path, Some(present.uid()), Some(present.gid()))
        });
        tried.map_err(|error| {
            let (dir, name) = (self.path.display(), &user.name);
            Failure::new(format!(
                "--user: {dir} cannot be given to {name}: {error}; run this as root, or as {name}"
            ))
        })
    }

    /// A path in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where the configuration will be.
    pub fn configuration(&self) -> PathBuf {
        self.at(CONFIGURATION)
    }

    /// The name of the user who will own it, where the machine knows one.
    pub fn owner(&self) -> Option<String> {
        if let Some(user) = &self.user {
            return Some(user.name.clone());
        }
        let uid = fs::metadata(&self.path).ok()?.uid();
        users().into_iter().find(|user| user.uid == uid).map(|user| user.name)
    }

    /// Makes a directory in it, for its owner only.
    pub fn make(&self, name: &str) -> Result<(), Failure> {
        DirBuilder::new().mode(0o700).create(self.at(name)).map_err(|error| unusable(&self.at(name), &error))
    }

    /// Writes a file for its owner only.
    pub fn put_secret(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.at(name);
        owner_only::create(&path, text).map_err(|error| unusable(&path, &error))?;
        Ok(path)
    }

    /// Writes a file that all users may read.
    pub fn put(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.at(name);
        let file = fs::OpenOptions::new().write(true).create_new(true).mode(WORLD_READABLE).open(&path);
        file.and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
            .map_err(|error| unusable(&path, &error))?;
        Ok(path)
    }

    /// Writes the configuration under a name that no process reads.
    pub fn write_configuration(&self, text: &str) -> Result<(), Failure> {
        self.put_secret(UNFINISHED, text).map(drop)
    }

    /// Gives everything to the user of the service, and the configuration its name.
    pub fn finish(self) -> Result<(), Failure> {
        if let Some(user) = &self.user {
            give(&self.path, user).map_err(|error| unusable(&self.path, &error))?;
        }
        let path = self.configuration();
        fs::rename(self.at(UNFINISHED), &path).map_err(|error| unusable(&path, &error))?;
        self.is_finished.set(true);
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_finished.get() {
            return;
        }
        // The directory was empty: everything in it is of this run. What cannot be removed is refused by the next one.
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
        if !self.was_there {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

fn refuse_used(path: &Path) -> Result<(), Failure> {
    let (dir, configuration) = (path.display(), path.join(CONFIGURATION));
    if configuration.exists() {
        let file = configuration.display();
        return Err(Failure::new(format!(
            "{dir} has a deployment already, which stays as it is; look at it with `svc-runtime doctor --config {file}`, or \
             name another directory"
        )));
    }
    let mut entries = fs::read_dir(path).map_err(|error| unusable(path, &error))?;
    if entries.next().is_some() {
        return Err(Failure::new(format!(
            "{dir} is not empty, and has no {CONFIGURATION}; if an interrupted run has left it, remove it, or name another \
             directory"
        )));
    }
    Ok(())
}

/// A line of `/etc/passwd`.
struct User {
    name: String,
    uid: u32,
    gid: u32,
}

impl User {
    fn named(name: &str) -> Result<Self, Failure> {
        let found = users().into_iter().find(|known| known.name == name);
        found.ok_or_else(|| Failure::new(format!("--user: /etc/passwd has no user {name}")))
    }
}

fn users() -> Vec<User> {
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let user = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        Some(User { name, uid: fields.nth(1)?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    };
    passwd.lines().filter_map(user).collect()
}

fn give(path: &Path, user: &User) -> io::Result<()> {
    chown(path, Some(user.uid), Some(user.gid))?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            give(&entry?.path(), user)?;
        }
    }
    Ok(())
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{} cannot be used: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn what_is_not_finished_is_gone_and_what_was_there_stays() {
        let place = tempfile::tempdir().unwrap();
        let (absent, present) = (place.path().join("absent/svc"), place.path().join("present"));
        fs::create_dir(&present).unwrap();
        for path in [&absent, &present] {
            let folder = Folder::begin(path, None).unwrap();
            folder.make("tls").unwrap();
            folder.put_secret("tls/key.pem", "key").unwrap();
            folder.write_configuration("a = 1").unwrap();
            drop(folder);
        }
        assert!(!absent.exists() && names(&present).is_empty());
    }

    #[test]
    fn a_directory_with_a_deployment_or_its_remains_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::begin(place.path(), None).unwrap();
        folder.write_configuration("a = 1").unwrap();
        let refusal = |path: &Path| Folder::begin(path, None).err().unwrap().to_string();
        assert!(refusal(place.path()).contains("is not empty, and has no svc.toml"));
        folder.finish().unwrap();
        assert_eq!(names(place.path()), ["svc.toml"]);
        assert!(refusal(place.path()).contains("has a deployment already"));
    }

    #[test]
    fn a_directory_in_which_no_socket_can_be_bound_is_refused_and_not_left_behind() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("d".repeat(LONGEST_SOCKET));
        let refused = Folder::begin(&path, None).err().unwrap().to_string();
        assert!(refused.starts_with("--dir: ") && refused.contains("107 are the most"), "{refused}");
        assert!(!path.exists());
    }

    #[test]
    fn a_user_that_the_machine_does_not_have_is_refused_before_anything_is_made() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("svc");
        let refused = Folder::begin(&path, Some("no-such-user")).err().unwrap().to_string();
        assert!(refused.starts_with("--user: ") && !path.exists(), "{refused}");
    }

    #[test]
    fn a_directory_that_cannot_be_given_to_its_user_is_refused_before_anything_is_made() {
        let place = tempfile::tempdir().unwrap();
        let (path, own) = (place.path().join("svc"), fs::metadata(place.path()).unwrap().uid());
        let other = users().into_iter().find(|user| user.uid != own).unwrap();
        match Folder::begin(&path, Some(&other.name)) {
            // Root may give it away, and does so in the end.
            Ok(folder) => {
                assert_eq!((own, fs::metadata(&path).unwrap().uid()), (0, 0));
                drop(folder);
            }
            Err(refused) => {
                let refused = refused.to_string();
                assert!(refused.starts_with("--user: ") && refused.contains("run this as root"), "{refused}");
            }
        }
        assert!(!path.exists());
    }
}
