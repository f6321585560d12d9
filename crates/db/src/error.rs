//! Driver errors in the service's words.

use svc_core::Error;

/// Maps a driver error: duplicates conflict, lost connections are temporary, everything else is a fault of ours.
#[track_caller]
pub(crate) fn translate(error: sqlx::Error) -> Error {
    use sqlx::error::ErrorKind;
    match &error {
        sqlx::Error::Database(database) => match database.kind() {
            ErrorKind::UniqueViolation => Error::conflict("this already exists").caused_by(error),
            ErrorKind::ForeignKeyViolation => {
                Error::conflict("something else refers to this").caused_by(error)
            }
            _ if is_passing(database.code().as_deref()) => Error::unavailable(error),
            _ => Error::internal(error),
        },
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed
        | sqlx::Error::Protocol(_) => Error::unavailable(error),
        _ => Error::internal(error),
    }
}

/// SQLSTATE classes (PostgreSQL) and result codes (SQLite) that say "not now".
fn is_passing(code: Option<&str>) -> bool {
    let Some(code) = code else { return false };
    // 08 connection, 40 serialization and deadlock, 53 resources, 57 cancelled or shutting down, 25006 read-only,
    // 55P03 lock not available; SQLite: 5 busy, 6 locked, 8 read-only, 10 I/O, 13 full, 14 cannot open, and extensions.
    let sqlite = code
        .parse::<i64>()
        .is_ok_and(|code| code < 10_000 && matches!(code & 0xFF, 5 | 6 | 8 | 10 | 13 | 14));
    let pg = code.len() == 5
        && (["08", "40", "53", "57"].iter().any(|class| code.starts_with(class))
            || matches!(code, "25006" | "55P03"));
    sqlite || pg
}
