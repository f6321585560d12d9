//! Reading connections: each flight takes one and gives it back, so that a reader holds nothing while it computes.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use svc_core::{Class, Result};

use super::file::{Access, File};
use super::run::run_all;
use super::snapshot::Snapshot;
use super::{Answers, Place, Shared, apart};
use crate::call::Call;
use crate::error::OrSqlite as _;

/// More than this many rest unused only after a rush.
const KEPT: usize = 4;

#[derive(Clone)]
pub(crate) struct Readers {
    file: Arc<File>,
    idle: Arc<Mutex<Vec<Connection>>>,
    shared: Arc<Shared>,
}

impl Readers {
    pub(super) fn new(file: Arc<File>, shared: Arc<Shared>) -> Self {
        Self { file, idle: Arc::default(), shared }
    }

    /// How many connections rest.
    pub fn resting(&self) -> usize {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// A connection of its own that reads one state for as long as it is there.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(Arc::clone(&self.file), Arc::clone(&self.shared))
    }

    /// Reads one consistent state with all statements.
    pub async fn run(&self, calls: Vec<Call>, place: Place) -> Result<Answers> {
        self.shared.must_be_open()?;
        self.shared.counters.flight(calls.len());
        let rested = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match (rested, place) {
            (Some(connection), Place::Here) => self.run_on(connection, &calls),
            (rested, _) => {
                let readers = self.clone();
                apart(move || {
                    let connection = rested.map_or_else(|| readers.file.open(Access::Read), Ok)?;
                    readers.run_on(connection, &calls)
                })
                .await
            }
        }
    }

    fn run_on(&self, connection: Connection, calls: &[Call]) -> Result<Answers> {
        let answers = read(&connection, calls);
        // A connection that failed on its file is closed, so that nothing of the failure lives on in it.
        let is_sound =
            answers.as_ref().err().is_none_or(|error| error.class() != Class::TemporarilyUnavailable);
        if is_sound && connection.is_autocommit() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < KEPT {
                idle.push(connection);
            }
        }
        answers
    }

    pub(super) fn close(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// One statement is consistent by itself; several read in one transaction.
fn read(connection: &Connection, calls: &[Call]) -> Result<Answers> {
    if calls.len() < 2 {
        return run_all(connection, calls);
    }
    connection.execute_batch("BEGIN").or_sqlite()?;
    let answers = run_all(connection, calls);
    let end = connection.execute_batch("COMMIT").or_sqlite();
    answers.and_then(|answers| end.map(|()| answers))
}
