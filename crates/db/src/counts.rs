//! What a database was asked to do: statements, flights and commits, so that a test can bound what a decision costs.

use std::sync::atomic::{AtomicU64, Ordering};

/// Totals since the database was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Statements of operations, without those that begin and end a transaction.
    pub statements: u64,
    /// Times that an operation waited for the engine: on PostgreSQL the round trips, without those that prepare a statement for the
    /// first time on a connection.
    pub flights: u64,
    /// Transactions that were made durable.
    pub commits: u64,
}

/// The connections of a pool at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// Those that wait for use.
    pub idle: usize,
    /// Those in use.
    pub used: usize,
    /// Most that may be in use; `None` where there is no limit.
    pub most: Option<usize>,
}

#[derive(Default)]
pub(crate) struct Counters {
    statements: AtomicU64,
    flights: AtomicU64,
    commits: AtomicU64,
}

impl Counters {
    pub fn flight(&self, statements: usize) {
        self.statements.fetch_add(statements as u64, Ordering::Relaxed);
        self.flights.fetch_add(1, Ordering::Relaxed);
    }

    pub fn commit(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    pub fn totals(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            statements: read(&self.statements),
            flights: read(&self.flights),
            commits: read(&self.commits),
        }
    }
}
