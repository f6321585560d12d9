//! SQLite over rusqlite, in the calling thread: one writer that commits groups, and any number of readers.

mod file;
mod readers;
mod run;
mod snapshot;
mod upkeep;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use svc_core::{Error, OrInternal as _, Result};

use crate::call::{Answer, Call};
use crate::counts::Counters;
use crate::engine::PoolSettings;
use crate::error::OrSqlite as _;

pub(crate) use file::Access;
use file::File;
pub(crate) use readers::Readers;
pub(crate) use snapshot::Snapshot;
pub(crate) use writer::{Transaction, Writer};

/// An open file.
#[derive(Clone)]
pub(crate) struct Store {
    pub file: Arc<File>,
    pub readers: Readers,
    pub writer: Writer,
}

/// Where a statement runs. Statements of one tenant are short; those of workers may take their time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the task that asks.
    Here,
    /// On a thread where waiting is allowed.
    Apart,
}

/// What all connections to one file share.
pub(crate) struct Shared {
    pub counters: Arc<Counters>,
    /// How long to wait for the writer's turn, and for a lock of another process.
    pub patience: Duration,
    /// Whether the last write failed on the file, so that the next one may fail as well.
    pub ailing: AtomicBool,
    /// Whether the database was closed for good.
    pub closed: AtomicBool,
}

impl Store {
    pub fn open(url: &str, settings: &PoolSettings, counters: Arc<Counters>) -> Result<Self> {
        let file = Arc::new(File::at(url, settings)?);
        let shared = Arc::new(Shared {
            counters,
            patience: settings.connect_timeout,
            ailing: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        let readers = Readers::new(Arc::clone(&file), Arc::clone(&shared));
        let writer = Writer::new(Arc::clone(&file), shared);
        Ok(Self { file, readers, writer })
    }

    /// Whether the file can be read, and written if the last write failed.
    pub async fn ping(&self) -> Result<()> {
        let call = Call { text: "SELECT 1 AS one", args: Vec::new() };
        self.readers.run(vec![call], Place::Here).await?;
        if self.writer.is_ailing() { self.writer.try_out().await } else { Ok(()) }
    }

    /// Copies the live database into a new file that only its owner may read; a copy that fails leaves none.
    pub async fn backup(&self, target: &Path) -> Result<()> {
        file::create_private(target)
            .map_err(|error| Error::bad_request("the backup must be a new file").caused_by(error))?;
        let (file, name) = (Arc::clone(&self.file), target.to_string_lossy().into_owned());
        let copied = apart(move || {
            let connection = file.open(Access::Read)?;
            // The copy is written through the reading connection.
            connection.pragma_update(None, "query_only", false).or_sqlite()?;
            connection.execute("VACUUM INTO ?1", [name]).map(drop).or_sqlite()
        })
        .await;
        if copied.is_err() {
            let _ = std::fs::remove_file(target);
        }
        copied
    }

    /// Counts what plans rest on where that is worth it, and gives unused pages back.
    pub async fn optimize(&self, worth_counting: u32, most: u32) -> Result<u64> {
        self.writer.alone(move |connection| upkeep::run(connection, worth_counting, most).or_sqlite()).await
    }

    /// Commits what waits, and refuses everything from then on.
    pub async fn close(&self) {
        self.writer.close().await;
        self.readers.close();
    }
}

/// Runs what may wait for the disk on a thread where waiting is allowed.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.or_internal()?
}

impl Shared {
    pub fn must_be_open(&self) -> Result<()> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(Error::unavailable("the database is closed"));
        }
        Ok(())
    }

    pub fn ails(&self) {
        self.ailing.store(true, Ordering::Relaxed);
    }

    pub fn recovers(&self) {
        self.ailing.store(false, Ordering::Relaxed);
    }
}

/// The answers of several statements, in order.
pub(crate) type Answers = Vec<Answer>;
