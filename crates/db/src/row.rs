//! A row of either engine, read by column name.

use std::str::FromStr;
use std::sync::Arc;

use rusqlite::types::{FromSql as FromSqlite, Value as SqliteValue};
use svc_core::{Digest, Error, Result, Timestamp};
use tokio_postgres::types::FromSqlOwned;

use crate::pg::PgRow;

/// One result row.
pub enum Row {
    #[doc(hidden)]
    Pg(PgRow),
    #[doc(hidden)]
    Sqlite(SqliteRow),
}

/// A row of SQLite, read out of the statement that yielded it.
pub struct SqliteRow {
    pub(crate) columns: Arc<[String]>,
    pub(crate) values: Vec<SqliteValue>,
}

impl Row {
    /// A `TEXT` column that is never null.
    pub fn text(&self, column: &str) -> Result<String> {
        required(column, self.read::<String>(column)?)
    }

    /// A `TEXT` column, parsed: an id, an enum, a scope.
    pub fn parse<T: FromStr<Err: std::fmt::Display>>(&self, column: &str) -> Result<T> {
        self.text(column)?.parse().map_err(|error: T::Err| corrupt(column, &error.to_string()))
    }

    /// A `TEXT` column that may be null.
    pub fn maybe_text(&self, column: &str) -> Result<Option<String>> {
        self.read(column)
    }

    /// A `TEXT` column that may be null, parsed.
    pub fn maybe_parse<T: FromStr<Err: std::fmt::Display>>(&self, column: &str) -> Result<Option<T>> {
        let text = self.maybe_text(column)?;
        text.map(|text| text.parse().map_err(|error: T::Err| corrupt(column, &error.to_string()))).transpose()
    }

    /// A `BIGINT` column.
    pub fn int(&self, column: &str) -> Result<i64> {
        required(column, self.read::<i64>(column)?)
    }

    /// A `BIGINT` column that may be null.
    pub fn maybe_int(&self, column: &str) -> Result<Option<i64>> {
        self.read::<i64>(column)
    }

    /// A `BIGINT` column of microseconds.
    pub fn time(&self, column: &str) -> Result<Timestamp> {
        self.int(column).map(Timestamp::from_micros)
    }

    /// A `BIGINT` column of microseconds that may be null.
    pub fn maybe_time(&self, column: &str) -> Result<Option<Timestamp>> {
        Ok(self.read::<i64>(column)?.map(Timestamp::from_micros))
    }

    /// A `BOOLEAN` column.
    pub fn flag(&self, column: &str) -> Result<bool> {
        required(column, self.read::<bool>(column)?)
    }

    /// A `BYTEA` column.
    pub fn bytes(&self, column: &str) -> Result<Vec<u8>> {
        required(column, self.read::<Vec<u8>>(column)?)
    }

    /// A `BYTEA` column that may be null.
    pub fn maybe_bytes(&self, column: &str) -> Result<Option<Vec<u8>>> {
        self.read(column)
    }

    /// A `BYTEA` column of 32 bytes.
    pub fn digest(&self, column: &str) -> Result<Digest> {
        let bytes = self.bytes(column)?;
        bytes.try_into().map(Digest).map_err(|_| corrupt(column, "a digest has 32 bytes"))
    }

    fn read<T: FromSqlOwned + FromSqlite>(&self, column: &str) -> Result<Option<T>> {
        match self {
            Self::Pg(row) => row.get(column).map_err(|error| corrupt(column, &error)),
            Self::Sqlite(row) => {
                let value = row.get(column).ok_or_else(|| corrupt(column, "there is no such column"))?;
                Option::<T>::column_result(value.into()).map_err(|error| corrupt(column, &error.to_string()))
            }
        }
    }
}

impl SqliteRow {
    fn get(&self, column: &str) -> Option<&SqliteValue> {
        let at = self.columns.iter().position(|name| name == column)?;
        self.values.get(at)
    }
}

fn required<T>(column: &str, value: Option<T>) -> Result<T> {
    value.ok_or_else(|| corrupt(column, "null where a value must be"))
}

fn corrupt(column: &str, what: &str) -> Error {
    Error::internal(format!("column {column}: {what}"))
}
