//! One statement on one connection.

use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, Value as Stored, ValueRef};
use rusqlite::{Connection, ToSql};
use svc_core::{Error, Result};

use crate::call::{Answer, Call};
use crate::error::OrSqlite as _;
use crate::row::{Row, SqliteRow};
use crate::value::Value;

/// Runs a statement to its end and reads its rows out.
pub(super) fn run(connection: &Connection, call: &Call) -> Result<Answer> {
    let mut statement = connection.prepare_cached(call.text).or_sqlite()?;
    for at in 1..=statement.parameter_count() {
        // SQLite numbers `$2` by where it first stands; the name says which argument is meant.
        let number = statement.parameter_name(at).and_then(|name| name.get(1..)?.parse().ok()).unwrap_or(at);
        let value = call.args.get(number - 1).ok_or_else(|| {
            Error::internal(format!("a statement has no argument for ${number}: {}", call.text))
        })?;
        statement.raw_bind_parameter(at, value).or_sqlite()?;
    }
    let (is_reading, width) = (statement.readonly(), statement.column_count());
    let columns: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().or_sqlite()? {
        let values: rusqlite::Result<Vec<Stored>> = (0..width).map(|at| row.get(at)).collect();
        let values = values.or_sqlite()?;
        found.push(Row::Sqlite(SqliteRow { columns: Arc::clone(&columns), values }));
    }
    drop(rows);
    let changed = if is_reading { found.len() as u64 } else { connection.changes() };
    Ok(Answer { rows: found, changed })
}

/// Runs statements in order, up to the first failure.
pub(super) fn run_all(connection: &Connection, calls: &[Call]) -> Result<Vec<Answer>> {
    calls.iter().map(|call| run(connection, call)).collect()
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Int(value) => value.map(ValueRef::Integer),
            Self::Bool(value) => value.map(|value| ValueRef::Integer(value.into())),
            Self::Text(value) => value.as_ref().map(|value| ValueRef::Text(value.as_bytes())),
            Self::Bytes(value) => value.as_deref().map(ValueRef::Blob),
        };
        Ok(ToSqlOutput::Borrowed(value.unwrap_or(ValueRef::Null)))
    }
}
