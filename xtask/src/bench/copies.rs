//! Rows that the database makes itself out of those of the demo, while no server runs.

use std::path::Path;
use std::process::Command;

use super::subject::DATABASE;
use crate::postgres::Postgres;
use crate::tools::{self, Need};
use crate::{Result, process};

/// The id that a copy has in place of an id of the demo: the last eight characters are the number.
pub fn id(id: &str, number: usize) -> String {
    format!("{}{number:08}", id.get(..id.len().saturating_sub(8)).unwrap_or_default())
}

/// Runs statements that both engines understand: in the file, or in PostgreSQL where there is one.
pub fn write(file: &Path, postgres: Option<&Postgres>, text: &str) -> Result<()> {
    let mut command = if let Some(postgres) = postgres {
        let mut psql = postgres.client("psql", DATABASE);
        // Row-level security binds every other role to one tenant.
        psql.env("PGUSER", "postgres").args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", text]);
        psql
    } else {
        tools::ensure(&[Need::Sqlite])?;
        let mut sqlite = Command::new("sqlite3");
        sqlite.arg("-bail").arg(file).arg(format!("PRAGMA synchronous = OFF; BEGIN; {text} COMMIT;"));
        sqlite
    };
    process::output(&mut command).map(drop)
}
