//! The file: who may read it, and how a connection to it is set up.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use svc_core::{Error, Result};

use crate::engine::PoolSettings;
use crate::error::OrSqlite as _;

/// The page cache of the writer (`cache_size`, where a negative number is in KiB). It is large because tokens are looked up by digest:
/// successive look-ups read distant pages.
const CACHE_KIB: i64 = -16_384;
/// Pages in the log before they are copied into the file: a page that many commits write is copied once.
const PAGES_OF_LOG: i64 = 4_000;

pub(crate) struct File {
    place: Place,
    busy: Duration,
    statements: usize,
}

enum Place {
    Disk(PathBuf),
    /// Lives as long as its writing connection; for trials.
    Memory(String),
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading an existing file.
    Read,
    /// Writing an existing file.
    Write,
    /// Writing, and creating the file if there is none.
    Create,
}

static MEMORIES: AtomicU64 = AtomicU64::new(0);

impl File {
    /// Reads `sqlite:path`, `sqlite://path` or `sqlite::memory:`.
    pub fn at(url: &str, settings: &PoolSettings) -> Result<Self> {
        let path = url.strip_prefix("sqlite:").unwrap_or(url);
        let path = path.strip_prefix("//").unwrap_or(path);
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let place = match (path, query) {
            (":memory:", "") | (_, "mode=memory") => {
                let number = MEMORIES.fetch_add(1, Ordering::Relaxed);
                Place::Memory(format!("file:svc-{number}?mode=memory&cache=shared"))
            }
            (path, "" | "mode=rwc" | "mode=rw") if !path.is_empty() => Place::Disk(path.into()),
            _ => return Err(Error::bad_request("the SQLite URL must be sqlite:path/to/file.db")),
        };
        Ok(Self { place, busy: settings.connect_timeout, statements: settings.statement_cache_capacity })
    }

    /// Whether there is something to read; a database in memory begins with its first use.
    pub fn exists(&self) -> bool {
        match &self.place {
            Place::Disk(path) => path.exists(),
            Place::Memory(_) => true,
        }
    }

    /// Opens a connection; waits for the disk.
    pub fn open(&self, access: Access) -> Result<Connection> {
        let access_flags = match access {
            Access::Read | Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        let flags = access_flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match &self.place {
            Place::Disk(path) => {
                if access == Access::Create && !path.exists() {
                    private(path).map_err(|error| Error::unavailable(error))?;
                }
                Connection::open_with_flags(path, flags)
            }
            Place::Memory(name) => Connection::open_with_flags(
                name,
                flags | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_URI,
            ),
        };
        let connection = connection.or_sqlite()?;
        self.set_up(&connection, access).or_sqlite()?;
        Ok(connection)
    }

    fn set_up(&self, connection: &Connection, access: Access) -> rusqlite::Result<()> {
        connection.busy_timeout(self.busy)?;
        connection.set_prepared_statement_cache_capacity(self.statements.max(16));
        connection.pragma_update(None, "foreign_keys", true)?;
        match (&self.place, access) {
            (Place::Memory(_), Access::Read) => connection.pragma_update(None, "read_uncommitted", true)?,
            (Place::Memory(_), _) => {}
            (Place::Disk(_), Access::Read) => {
                connection.pragma_update(None, "query_only", true)?;
                // What a statement gathers on its way is small, and a file for each such table costs more than most statements.
                // The writer keeps files: it may change many pages at once, and notes there what they were.
                connection.pragma_update(None, "temp_store", "MEMORY")?;
            }
            (Place::Disk(_), _) => {
                if access == Access::Create {
                    // Settled with the first table: unused pages can be given back.
                    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
                }
                connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
                // NORMAL would lose acknowledged single use on power loss.
                connection.pragma_update(None, "synchronous", "FULL")?;
                connection.pragma_update(None, "cache_size", CACHE_KIB)?;
                connection.pragma_update(None, "wal_autocheckpoint", PAGES_OF_LOG)?;
            }
        }
        Ok(())
    }
}

/// The same where another process may have been faster: its file is as good.
fn private(path: &Path) -> io::Result<()> {
    match create_private(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Creates an empty file that only its owner may use. SQLite gives its neighbours (`-wal`, `-shm`) the same mode.
pub(super) fn create_private(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_process_has_just_made_is_taken_and_a_copy_needs_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.db");
        private(&path).unwrap();
        private(&path).unwrap();
        assert_eq!(create_private(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }
}
