//! How many transactions have written to a database, counted from outside the server.

use std::fs;
use std::path::PathBuf;

use crate::postgres::Postgres;
use crate::{Result, process};

/// Where a server keeps its rows.
pub enum Store<'a> {
    /// A database file.
    Sqlite(PathBuf),
    /// A database of a private PostgreSQL.
    Postgres(&'a Postgres, &'static str),
}

impl Store<'_> {
    /// The transactions that have written something so far; only the difference of two counts means anything.
    pub fn written(&self) -> Result<u64> {
        match self {
            Self::Sqlite(file) => wal_changes(&fs::read(file.with_extension("db-shm"))?),
            // An id is given to a transaction with its first write, and never to one that only reads.
            Self::Postgres(postgres, database) => {
                let select = "SELECT pg_snapshot_xmax(pg_current_snapshot())";
                let said = process::output(postgres.client("psql", database).args(["-XqAtc", select]))?;
                Ok(said.trim().parse()?)
            }
        }
    }
}

/// The counter of committed writes in the header of the WAL index (`iChange`, section 2.1 of SQLite's WAL format).
fn wal_changes(index: &[u8]) -> Result<u64> {
    let counter = index.get(8..12).ok_or("the WAL index has no header")?;
    Ok(u32::from_ne_bytes(counter.try_into()?).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_is_the_third_word_of_the_index() {
        let index: Vec<u8> = [3_007_000_u32, 0, 41, 1].iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(wal_changes(&index).unwrap(), 41);
        assert!(wal_changes(&index[..8]).is_err());
    }
}
