//! A row of either engine, read by column name.

use std::str::FromStr;

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{ColumnIndex, Decode, Row as _, Type};
use svc_core::{Digest, Error, Result, Timestamp};

/// One result row.
pub enum Row {
    #[doc(hidden)]
    Pg(PgRow),
    #[doc(hidden)]
    Sqlite(SqliteRow),
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

    fn read<T>(&self, column: &str) -> Result<Option<T>>
    where
        T: for<'r> Decode<'r, sqlx::Postgres> + Type<sqlx::Postgres>,
        T: for<'r> Decode<'r, sqlx::Sqlite> + Type<sqlx::Sqlite>,
        for<'c> &'c str: ColumnIndex<PgRow> + ColumnIndex<SqliteRow>,
    {
        let value = match self {
            Self::Pg(row) => row.try_get::<Option<T>, _>(column),
            // SQLite types values, not columns: an expression such as EXISTS has no declared type to check.
            Self::Sqlite(row) => row.try_get_unchecked::<Option<T>, _>(column),
        };
        value.map_err(|error| corrupt(column, &error.to_string()))
    }
}

fn required<T>(column: &str, value: Option<T>) -> Result<T> {
    value.ok_or_else(|| corrupt(column, "null where a value must be"))
}

fn corrupt(column: &str, what: &str) -> Error {
    Error::internal(format!("column {column}: {what}"))
}
