//! Driver errors in the service's words.

use rusqlite::ffi;
use svc_core::{Error, Result};

use crate::pg::Refusal;

/// A failure of PostgreSQL: duplicates conflict, lost connections are temporary, everything else is a fault of ours.
#[track_caller]
fn of_pg(error: tokio_postgres::Error) -> Error {
    // Without an SQLSTATE it is the connection that failed.
    let state = error.code().map_or(String::new(), |state| state.code().to_owned());
    of_state(&state, error)
}

/// The same, as the server said it.
#[track_caller]
pub(crate) fn of_refusal(refusal: Refusal) -> Error {
    of_state(&refusal.code.clone(), refusal)
}

#[track_caller]
fn of_state(state: &str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    match state {
        "23505" => exists().caused_by(error),
        "23503" => is_used().caused_by(error),
        state if state.is_empty() || is_passing(state) => Error::unavailable(error),
        _ => Error::internal(error),
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

/// Turns an error of the driver into ours, located at the caller. (`map_err` with one of the functions above would locate every
/// error in the standard library.)
pub(crate) trait OrPg<T> {
    /// The value, or the failure of PostgreSQL in the service's words.
    fn or_pg(self) -> Result<T>;
}

impl<T> OrPg<T> for std::result::Result<T, tokio_postgres::Error> {
    #[track_caller]
    fn or_pg(self) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(of_pg(error)),
        }
    }
}

/// The same for SQLite.
pub(crate) trait OrSqlite<T> {
    /// The value, or the failure of SQLite in the service's words.
    fn or_sqlite(self) -> Result<T>;
}

impl<T> OrSqlite<T> for std::result::Result<T, rusqlite::Error> {
    #[track_caller]
    fn or_sqlite(self) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(of_sqlite(error)),
        }
    }
}

/// Whether SQLite failed on its file or on a lock, rather than on the statement.
fn is_of_the_file(code: i32) -> bool {
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
/// down, 25006 read-only, 55P03 lock not available. 08P01 says that a statement was given the wrong number of arguments.
fn is_passing(code: &str) -> bool {
    let is_of = |class: &&str| code.starts_with(*class);
    (code != "08P01" && ["08", "40", "53", "57"].iter().any(is_of)) || matches!(code, "25006" | "55P03")
}

#[cfg(test)]
mod tests {
    use svc_core::Class;

    use super::of_state;

    #[test]
    fn what_passes_is_to_be_tried_again_and_everything_else_is_not() {
        let again = (Class::TemporarilyUnavailable, Some(1));
        let (taken, ours) = ((Class::Conflict, None), (Class::ServerError, None));
        for (state, expected) in [
            ("", again),
            ("08006", again),
            ("25006", again),
            ("40001", again),
            ("40P01", again),
            ("53300", again),
            ("55P03", again),
            ("57P01", again),
            ("23503", taken),
            ("23505", taken),
            ("08P01", ours),
            ("42P01", ours),
        ] {
            let error = of_state(state, std::fmt::Error);
            assert_eq!((error.class(), error.wait()), expected, "{state}");
        }
    }
}
