//! A transaction begins with its first statement and ends with its last, in the same flights.

use svc_core::{Error, Result};

use super::flight::{Flight, head};
use super::pool::{Lease, Lost, Pool};
use crate::call::{Answer, Call};

/// A transaction that may write.
pub(crate) struct Transaction {
    pool: Pool,
    head: [Call; 2],
    stage: Stage,
}

enum Stage {
    /// Nothing was sent: no connection is taken.
    Unsent,
    Open(Box<Lease>),
    /// A statement failed, and with it the transaction.
    Failed,
}

/// Reads, each flight in a transaction of its own: between two of them others may commit, as under `READ COMMITTED`.
pub(crate) struct Reader {
    pool: Pool,
    head: [Call; 2],
}

impl Transaction {
    pub fn new(pool: Pool, scope: &str) -> Self {
        Self { pool, head: head("BEGIN", scope), stage: Stage::Unsent }
    }

    /// Reads one state with all statements.
    pub fn snapshot(pool: Pool, scope: &str) -> Self {
        let head = head("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", scope);
        Self { pool, head, stage: Stage::Unsent }
    }

    /// Runs statements in one flight.
    pub async fn run(&mut self, calls: &[Call]) -> Result<Vec<Answer>> {
        let outcome = match &mut self.stage {
            Stage::Failed => return Err(has_failed()),
            Stage::Open(lease) => {
                let flight = Flight { head: &[], calls, tail: None };
                lease.fly(&flight).await.map_err(Lost::into_error)
            }
            Stage::Unsent => match first(&self.pool, &self.head, calls).await {
                Ok((lease, answers)) => {
                    self.stage = Stage::Open(lease);
                    Ok(answers)
                }
                Err(error) => Err(error),
            },
        };
        if outcome.is_err() {
            // A dropped lease rolls back.
            self.stage = Stage::Failed;
        }
        outcome
    }

    /// Runs the last statements and commits, in one flight.
    pub async fn commit(self, calls: &[Call]) -> Result<Vec<Answer>> {
        let tail = Some("COMMIT");
        let answers = match self.stage {
            Stage::Failed => return Err(has_failed()),
            Stage::Unsent if calls.is_empty() => return Ok(Vec::new()),
            Stage::Unsent => {
                // Not tried twice: whether a commit has arrived cannot be known.
                let flight = Flight { head: &self.head, calls, tail };
                self.pool.lease().await?.fly(&flight).await
            }
            Stage::Open(mut lease) => lease.fly(&Flight { head: &[], calls, tail }).await,
        };
        let answers = answers.map_err(Lost::into_error)?;
        self.pool.counters().commit();
        Ok(answers)
    }

    /// Gives up what was done and waits until the server has.
    pub async fn rollback(self) -> Result<()> {
        let Stage::Open(mut lease) = self.stage else { return Ok(()) };
        let flight = Flight { head: &[], calls: &[], tail: Some("ROLLBACK") };
        lease.fly(&flight).await.map(drop).map_err(Lost::into_error)
    }
}

/// Begins and runs the first statements. A connection that broke while it rested is replaced once: nothing was committed.
async fn first(pool: &Pool, head: &[Call], calls: &[Call]) -> Result<(Box<Lease>, Vec<Answer>)> {
    let flight = Flight { head, calls, tail: None };
    let mut lease = Box::new(pool.lease().await?);
    match lease.fly(&flight).await {
        Ok(answers) => Ok((lease, answers)),
        Err(Lost::Statement(error)) => Err(error),
        Err(Lost::Connection(_)) => {
            drop(lease);
            let mut lease = Box::new(pool.lease().await?);
            let answers = lease.fly(&flight).await.map_err(Lost::into_error)?;
            Ok((lease, answers))
        }
    }
}

impl Reader {
    pub fn new(pool: Pool, scope: &str) -> Self {
        Self { pool, head: head("BEGIN READ ONLY", scope) }
    }

    /// Begins, reads and ends in one flight; a connection that broke while it rested is replaced once.
    pub async fn run(&self, calls: &[Call]) -> Result<Vec<Answer>> {
        let flight = Flight { head: &self.head, calls, tail: Some("COMMIT") };
        match self.pool.lease().await?.fly(&flight).await {
            Ok(answers) => Ok(answers),
            Err(Lost::Statement(error)) => Err(error),
            Err(Lost::Connection(_)) => self.pool.lease().await?.fly(&flight).await.map_err(Lost::into_error),
        }
    }
}

fn has_failed() -> Error {
    Error::internal("a statement of this transaction has failed, so nothing more can run in it")
}
