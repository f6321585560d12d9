//! The one writer. Transactions that wait for it share a commit: each is a savepoint, and none is answered before the commit that
//! contains it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use svc_core::{Class, Error, OrInternal as _, Result};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::time::{Instant, sleep, timeout};

use super::file::{Access, File};
use super::run::run_all;
use super::{Answers, Place, Shared, apart};
use crate::call::Call;
use crate::error::{OrSqlite as _, of_sqlite};

/// Between two attempts to begin while another process writes.
const AGAIN: Duration = Duration::from_millis(2);

/// Turns are given in the order in which they were asked for.
#[derive(Clone)]
pub(crate) struct Writer {
    file: Arc<File>,
    shared: Arc<Shared>,
    turn: Arc<Mutex<Seat>>,
}

type Waiting = oneshot::Sender<Result<()>>;

/// The writing connection and the transactions whose commit is still to come.
#[derive(Default)]
pub(crate) struct Seat {
    connection: Option<Connection>,
    group: Vec<Waiting>,
}

/// A transaction, which takes its turn with its first statement. Dropping it gives up what it did.
pub(crate) struct Transaction {
    writer: Writer,
    place: Place,
    has_begun: bool,
    // INVARIANT: there from the beginning until the transaction has ended or broken.
    seat: Option<OwnedMutexGuard<Seat>>,
    has_failed: bool,
}

impl Writer {
    pub(super) fn new(file: Arc<File>, shared: Arc<Shared>) -> Self {
        Self { file, shared, turn: Arc::default() }
    }

    /// A transaction that has not begun.
    pub fn transaction(&self, place: Place) -> Transaction {
        Transaction { writer: self.clone(), place, has_begun: false, seat: None, has_failed: false }
    }

    /// Waits for the turn and begins.
    async fn begin(&self) -> Result<OwnedMutexGuard<Seat>> {
        let mut seat = self.seat(Access::Write).await?;
        self.begin_group(&mut seat).await?;
        let savepoint =
            seat.connection()?.prepare_cached("SAVEPOINT svc").and_then(|mut text| text.raw_execute());
        if let Err(error) = savepoint {
            return Err(self.give_up(&mut seat, of_sqlite(error)));
        }
        Ok(seat)
    }

    /// Lends the writing connection, with no transaction open, for what needs a file of its own.
    pub async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut seat = self.seat(Access::Create).await?;
        let writer = self.clone();
        apart(move || {
            writer.commit_group(&mut seat);
            let outcome = work(seat.connection.as_mut().ok_or_else(is_closed)?);
            if outcome.is_err() {
                seat.connection = None;
            }
            outcome
        })
        .await
    }

    pub(super) fn is_ailing(&self) -> bool {
        self.shared.ailing.load(Ordering::Relaxed)
    }

    /// Writes something harmless, to see whether the file can be written again.
    pub(super) async fn try_out(&self) -> Result<()> {
        let mut trial = self.transaction(Place::Apart);
        let text = "UPDATE schema_migrations SET name = name";
        trial.run(vec![Call { text, args: Vec::new() }]).await?;
        trial.commit(Vec::new()).await.map(drop)
    }

    pub(super) async fn close(&self) {
        let mut seat = Arc::clone(&self.turn).lock_owned().await;
        let writer = self.clone();
        let _ = apart(move || {
            writer.commit_group(&mut seat);
            seat.connection = None;
            writer.shared.closed.store(true, Ordering::Relaxed);
            Ok(())
        })
        .await;
    }

    /// Waits for the turn; the connection is open then.
    async fn seat(&self, access: Access) -> Result<OwnedMutexGuard<Seat>> {
        let turn = timeout(self.shared.patience, Arc::clone(&self.turn).lock_owned());
        let mut seat = turn.await.map_err(|_| Error::unavailable("the writer of SQLite is busy"))?;
        self.shared.must_be_open()?;
        if seat.connection.is_none() {
            let file = Arc::clone(&self.file);
            let opened = apart(move || file.open(access)).await;
            seat.connection = Some(opened.inspect_err(|_| self.shared.ails())?);
        }
        Ok(seat)
    }

    /// Begins what the group will commit, unless an earlier member has. Another process may hold the lock for a while.
    async fn begin_group(&self, seat: &mut Seat) -> Result<()> {
        if !seat.connection()?.is_autocommit() {
            return Ok(());
        }
        let until = Instant::now() + self.shared.patience;
        loop {
            let connection = seat.connection()?;
            connection.busy_timeout(Duration::ZERO).or_sqlite()?;
            // A deferred transaction that reads and then writes can fail at once, and no waiting helps it.
            match connection.prepare_cached("BEGIN IMMEDIATE").and_then(|mut text| text.raw_execute()) {
                Ok(_) => return Ok(()),
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && Instant::now() < until =>
                {
                    sleep(AGAIN).await;
                }
                Err(error) => return Err(self.give_up(seat, of_sqlite(error))),
            }
        }
    }

    /// Commits when it is this task's turn, behind those who wait now: they join the group.
    async fn commit_in_turn(self) {
        let mut seat = Arc::clone(&self.turn).lock_owned().await;
        if seat.group.is_empty() {
            return;
        }
        // Waits for the disk.
        let _ = apart(move || {
            self.commit_group(&mut seat);
            Ok(())
        })
        .await;
    }

    fn commit_group(&self, seat: &mut Seat) {
        if seat.group.is_empty() {
            return;
        }
        let committed = seat.connection().and_then(|connection| {
            connection.prepare_cached("COMMIT").and_then(|mut text| text.raw_execute()).or_sqlite()
        });
        match committed {
            Ok(_) => {
                self.shared.counters.commit();
                self.shared.recovers();
                for waiting in seat.group.drain(..) {
                    let _ = waiting.send(Ok(()));
                }
            }
            Err(error) => drop(self.give_up(seat, error)),
        }
    }

    /// Gives up what the transaction of this turn did, and no more.
    fn undo(&self, seat: &mut Seat) -> Result<()> {
        let text = if seat.group.is_empty() { "ROLLBACK" } else { "ROLLBACK TO svc; RELEASE svc" };
        let undone = seat.connection().and_then(|connection| connection.execute_batch(text).or_sqlite());
        undone.map_err(|error| self.give_up(seat, error))
    }

    /// Closes a connection whose state is unknown, which rolls back; all of the group have failed. The next turn opens another.
    fn give_up(&self, seat: &mut Seat, error: Error) -> Error {
        if error.class() == Class::TemporarilyUnavailable {
            self.shared.ails();
        }
        seat.connection = None;
        for waiting in seat.group.drain(..) {
            let _ = waiting.send(Err(Error::unavailable("the commit that contained this failed")));
        }
        error
    }
}

impl Seat {
    fn connection(&self) -> Result<&Connection> {
        self.connection.as_ref().ok_or_else(is_closed)
    }

    fn is_in_transaction(&self) -> bool {
        self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit())
    }
}

impl Transaction {
    /// Runs statements in order. After a failure only giving up is left, as on PostgreSQL.
    pub async fn run(&mut self, calls: Vec<Call>) -> Result<Answers> {
        if self.has_failed {
            return Err(has_failed());
        }
        let seat = self.turn().await?;
        self.writer.shared.counters.flight(calls.len());
        let (seat, answers) = match self.place {
            Place::Here => run_in(seat, &calls),
            // A caller that goes away leaves the seat to this thread, which gives it up in good order.
            Place::Apart => {
                let writer = self.writer.clone();
                let task = tokio::task::spawn_blocking(move || {
                    let (seat, answers) = run_in(seat, &calls);
                    let (place, has_begun, seat, has_failed) = (Place::Apart, true, Some(seat), false);
                    (Self { writer, place, has_begun, seat, has_failed }, answers)
                });
                let (mut transaction, answers) = task.await.or_internal()?;
                (transaction.seat.take().ok_or_else(has_failed)?, answers)
            }
        };
        self.seat = Some(seat);
        match answers {
            Ok(answers) => Ok(answers),
            Err(error) => Err(self.fail(error).await),
        }
    }

    /// The seat, which the first statement waits for.
    async fn turn(&mut self) -> Result<OwnedMutexGuard<Seat>> {
        if self.has_begun {
            return self.seat.take().ok_or_else(has_failed);
        }
        self.has_begun = true;
        let begun = Box::pin(self.writer.begin()).await;
        self.has_failed = begun.is_err();
        begun
    }

    /// Runs the last statements, leaves the turn to the next and waits for the commit.
    pub async fn commit(mut self, calls: Vec<Call>) -> Result<Answers> {
        if calls.is_empty() && !self.has_begun {
            return Ok(Vec::new());
        }
        let answers = if calls.is_empty() {
            self.writer.shared.counters.flight(0);
            Vec::new()
        } else {
            self.run(calls).await?
        };
        if self.has_failed {
            return Err(has_failed());
        }
        let mut seat = self.seat.take().ok_or_else(has_failed)?;
        let writer = self.writer.clone();
        let release =
            seat.connection()?.prepare_cached("RELEASE svc").and_then(|mut text| text.raw_execute());
        if let Err(error) = release {
            return Err(writer.give_up(&mut seat, of_sqlite(error)));
        }
        let (waiting, committed) = oneshot::channel();
        seat.group.push(waiting);
        if seat.group.len() == 1 {
            // A task of its own: a caller that hangs up must not take the others' commit along.
            tokio::spawn(writer.commit_in_turn());
        }
        drop(seat);
        committed.await.map_err(|error| Error::unavailable(error))??;
        Ok(answers)
    }

    /// Gives up what was done. What it read of its group is durable when this returns, so that it may be answered.
    pub async fn rollback(mut self) -> Result<()> {
        self.undo().await
    }

    async fn undo(&mut self) -> Result<()> {
        let Some(mut seat) = self.seat.take() else { return Ok(()) };
        self.writer.undo(&mut seat)?;
        if seat.group.is_empty() {
            return Ok(());
        }
        let (waiting, committed) = oneshot::channel();
        seat.group.push(waiting);
        drop(seat);
        committed.await.map_err(|error| Error::unavailable(error))?
    }

    /// Notes a failure and gives up. A conflict with a row of the group is reported when that row is durable, so that a reader then finds it.
    async fn fail(&mut self, error: Error) -> Error {
        self.has_failed = true;
        if error.class() == Class::TemporarilyUnavailable {
            self.writer.shared.ails();
        }
        // Some failures (a full disk) end the whole transaction, and with it what others of the group did.
        if let Some(mut seat) = self.seat.take_if(|seat| !seat.is_in_transaction()) {
            return self.writer.give_up(&mut seat, error);
        }
        self.undo().await.err().unwrap_or(error)
    }
}

fn run_in(seat: OwnedMutexGuard<Seat>, calls: &[Call]) -> (OwnedMutexGuard<Seat>, Result<Answers>) {
    let answers = seat.connection().and_then(|connection| run_all(connection, calls));
    (seat, answers)
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(mut seat) = self.seat.take() else { return };
        let _ = self.writer.undo(&mut seat);
    }
}

fn is_closed() -> Error {
    Error::unavailable("the writing connection of SQLite is closed")
}

fn has_failed() -> Error {
    Error::internal("a statement of this transaction has failed, so nothing more can run in it")
}
