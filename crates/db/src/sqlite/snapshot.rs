//! One state of the file, read by statements that follow each other: for what is too large for one flight.

use std::sync::Arc;

use rusqlite::Connection;
use svc_core::{Error, Result};

use super::file::{Access, File};
use super::run::run_all;
use super::{Answers, Shared, apart};
use crate::call::Call;
use crate::error::OrSqlite as _;

/// A connection with a reading transaction, from its first statement on. It is closed with the last.
pub(crate) struct Snapshot {
    file: Arc<File>,
    shared: Arc<Shared>,
    has_begun: bool,
    /// There until a statement fails, after which another one would see another state.
    connection: Option<Connection>,
}

impl Snapshot {
    pub(super) fn new(file: Arc<File>, shared: Arc<Shared>) -> Self {
        Self { file, shared, has_begun: false, connection: None }
    }

    /// Reads with all statements what the first one of the snapshot found.
    pub async fn run(&mut self, calls: Vec<Call>) -> Result<Answers> {
        self.shared.must_be_open()?;
        self.shared.counters.flight(calls.len());
        let (held, file) = (self.connection.take(), Arc::clone(&self.file));
        if std::mem::replace(&mut self.has_begun, true) && held.is_none() {
            return Err(Error::internal(
                "a statement of this snapshot has failed, so nothing more can be read in it",
            ));
        }
        let work = move || {
            let connection = match held {
                Some(connection) => connection,
                None => begun(&file)?,
            };
            let answers = run_all(&connection, &calls)?;
            Ok((connection, answers))
        };
        let (connection, answers) = apart(work).await?;
        self.connection = Some(connection);
        Ok(answers)
    }
}

fn begun(file: &File) -> Result<Connection> {
    let connection = file.open(Access::Read)?;
    connection.execute_batch("BEGIN").or_sqlite()?;
    Ok(connection)
}
