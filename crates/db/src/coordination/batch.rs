//! Group commit of what is noted once: requests that come together share one transaction, and each gets its own answer.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use svc_core::{Error, Result, Timestamp};
use tokio::sync::oneshot;

use super::Once;
use super::database::call;
use crate::{Call, Db, args, quiet_system_sql};

/// What is to be noted.
pub(super) struct Note {
    key: String,
    until: Timestamp,
    now: Timestamp,
}

impl Note {
    pub fn of(once: &Once, now: Timestamp) -> Self {
        Self { key: once.key.clone(), until: once.until, now }
    }

    /// Stores the note unless it is there already: then nothing changes.
    pub fn call(&self) -> Call {
        let insert = quiet_system_sql!(
            "coordination of nodes is no tenant's business",
            "INSERT INTO coordination_entries (key, value, count, expires_at) VALUES ($1, '', 0, $2) \
             ON CONFLICT (key) DO UPDATE SET value = excluded.value, count = 0, expires_at = excluded.expires_at \
             WHERE coordination_entries.expires_at <= $3"
        );
        call(insert, args![&self.key, self.until, self.now])
    }
}

type Told = oneshot::Sender<Result<bool>>;

/// Notes that wait for the next transaction.
pub(super) struct Batch {
    db: Db,
    waiting: Mutex<Vec<(Note, Told)>>,
    turn: tokio::sync::Mutex<()>,
}

impl Batch {
    pub(super) fn new(db: Db) -> Self {
        Self { db, waiting: Mutex::default(), turn: tokio::sync::Mutex::new(()) }
    }

    /// Whether `note` was new. Only what has been committed counts.
    pub(super) async fn put(self: &Arc<Self>, note: Note) -> Result<bool> {
        let (told, answer) = oneshot::channel();
        if self.join(note, told) {
            // A task of its own: a caller that hangs up must not take the others' answers along.
            let batch = Arc::clone(self);
            tokio::spawn(async move { batch.write().await });
        }
        answer.await.map_err(|error| Error::unavailable(error))?
    }

    /// Adds to those who wait; whether this is the first of them.
    fn join(&self, note: Note, told: Told) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push((note, told));
        waiting.len() == 1
    }

    /// While one transaction is on its way the next one gathers.
    async fn write(&self) {
        let _turn = self.turn.lock().await;
        let mut gathered = mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        // Two nodes lock rows in one order, and so never wait for each other in a circle.
        gathered.sort_by(|(one, _), (other, _)| one.key.cmp(&other.key));
        match self.commit(&gathered).await {
            Ok(news) => {
                for ((_, told), is_new) in gathered.into_iter().zip(news) {
                    let _ = told.send(Ok(is_new));
                }
            }
            Err(cause) => {
                let cause = Arc::new(cause);
                for (_, told) in gathered {
                    let _ = told.send(Err(Error::unavailable(Arc::clone(&cause))));
                }
            }
        }
    }

    async fn commit(&self, gathered: &[(Note, Told)]) -> Result<Vec<bool>> {
        let tx = self.db.begin_system().await?;
        let notes = gathered.iter().map(|(note, _)| note.call());
        let stored = tx.commit_after_all(notes.collect()).await?;
        Ok(stored.into_iter().map(|rows| rows == 1).collect())
    }
}
