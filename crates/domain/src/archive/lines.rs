//! The rows of a part, held against the columns that this version knows.

use serde_json::Value as Json;
use svc_core::{Error, Result};
use svc_db::Value;

use super::schema;
use super::table::{Column, Of};
use super::values;

/// Where each column of a table stands in the rows of a part.
pub(super) struct Lines {
    part: String,
    places: Vec<(&'static Column, Option<usize>)>,
}

impl Lines {
    /// A part of an older version may lack columns that can be absent; columns of a newer one are refused.
    pub fn new(
        (part, columns): (&str, &'static [Column]),
        found: &[String],
        written_by: i64,
    ) -> Result<Self> {
        let is_known =
            |name: &String| columns.iter().any(|column| column.name == *name && column.of.travels());
        if let Some(unknown) = found.iter().find(|name| !is_known(name)) {
            return Err(newer(&format!("the column {unknown} of {part}"), written_by));
        }
        let mut places = Vec::with_capacity(columns.len());
        for column in columns {
            let mut at = found.iter().enumerate().filter(|(_, name)| *name == column.name).map(|(at, _)| at);
            let place = at.next();
            if at.next().is_some() {
                return Err(Error::bad_request(format!("{part}: the column {} is there twice", column.name)));
            }
            if place.is_none() && column.of.is_required() && column.of.travels() {
                return Err(Error::bad_request(format!("{part}: the column {} is missing", column.name)));
            }
            places.push((column, place));
        }
        Ok(Self { part: part.to_owned(), places })
    }

    /// The values of a row, in the order of the table's columns.
    pub fn values(&self, row: &[Json]) -> Result<Vec<Value>> {
        let values = self.places.iter().map(|(column, place)| match column.of {
            Of::Afresh(fresh) => Ok(values::fresh(fresh)),
            _ => values::decode(place.and_then(|place| row.get(place)), column),
        });
        values.collect::<Result<_>>().map_err(|error| self.within(&error))
    }

    /// What is wrong with a row, with the name of the part.
    pub fn within(&self, error: &Error) -> Error {
        Error::bad_request(format!("{}: {}", self.part, error.detail()))
    }

    /// Where a column stands among the values.
    pub fn place(&self, name: &str) -> Result<usize> {
        let place = self.places.iter().position(|(column, _)| column.name == name);
        place.ok_or_else(|| Error::internal(format!("{} has no column {name}", self.part)))
    }
}

/// What only a newer version has.
pub(super) fn newer(what: &str, written_by: i64) -> Error {
    Error::bad_request(format!(
        "this version does not know {what}: the archive is of schema {written_by}, and this program of schema {}; use the \
         program of the version that wrote it, or a newer one",
        schema()
    ))
}

/// The text among the values of a row.
pub(super) fn text(values: &[Value], place: usize) -> Result<&str> {
    maybe_text(values, place)?.ok_or_else(|| Error::internal("a text that is required is absent"))
}

/// A text that may be absent.
pub(super) fn maybe_text(values: &[Value], place: usize) -> Result<Option<&str>> {
    match values.get(place) {
        Some(Value::Text(text)) => Ok(text.as_deref()),
        _ => Err(Error::internal("a column is not of the kind that it is declared as")),
    }
}

/// A number that may be absent.
pub(super) fn maybe_int(values: &[Value], place: usize) -> Result<Option<i64>> {
    match values.get(place) {
        Some(Value::Int(number)) => Ok(*number),
        _ => Err(Error::internal("a column is not of the kind that it is declared as")),
    }
}

/// Bytes that may be absent.
pub(super) fn maybe_bytes(values: &[Value], place: usize) -> Result<Option<&[u8]>> {
    match values.get(place) {
        Some(Value::Bytes(bytes)) => Ok(bytes.as_deref()),
        _ => Err(Error::internal("a column is not of the kind that it is declared as")),
    }
}
