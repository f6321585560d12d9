//! Driver errors in the service's words.

use rusqlite::ffi;
use svc_core::Error;
use tokio_postgres::error::SqlState;

/// A failure of PostgreSQL: duplicates conflict, lost connections are temporary, everything else is a fault of ours.
#[track_caller]
pub(crate) fn of_pg(error: tokio_postgres::Error) -> Error {
    match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => exists().caused_by(error),
        Some(&SqlState::FOREIGN_KEY_VIOLATION) => is_used().caused_by(error),
        Some(state) if !is_passing(state.code()) => Error::internal(error),
        // Without an SQLSTATE it is the connection that failed.
        _ => Error::unavailable(error),
    }
}

/// A failure of SQLite, in the same words.
#[track_caller]
pub(crate) fn of_sqlite(error: rusqlite::Error) -> Error {
    match error.sqlite_error().map(|failure| failure.extended_code) {
        Some(ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => exists().caused_by(error),
        Some(ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => is_used().caused_by(error),
        Some(code) if is_of_the_file(code) => Error::unavailable(error),
        _ => Error::internal(error),
    }
}

/// Whether SQLite failed on its file or on a lock, rather than on the statement.
pub(crate) fn is_of_the_file(code: i32) -> bool {
    let passing = [
        ffi::SQLITE_BUSY,
        ffi::SQLITE_LOCKED,
        ffi::SQLITE_READONLY,
        ffi::SQLITE_IOERR,
        ffi::SQLITE_FULL,
        ffi::SQLITE_CANTOPEN,
    ];
    passing.contains(&(code & 0xFF))
}

#[track_caller]
fn exists() -> Error {
    Error::conflict("this already exists")
}

#[track_caller]
fn is_used() -> Error {
    Error::conflict("something else refers to this")
}

/// SQLSTATE classes that say "not now": 08 connection, 40 serialization and deadlock, 53 resources, 57 cancelled or shutting
/// down, 25006 read-only, 55P03 lock not available.
fn is_passing(code: &str) -> bool {
    ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class)) || matches!(code, "25006" | "55P03")
}
