//! JSON documents in `TEXT` columns: SQL never looks into them.

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::{Error, Result};
use svc_db::Row;

/// The document as stored.
pub(crate) fn store<T: Serialize>(document: &T) -> Result<String> {
    serde_json::to_string(document).map_err(Error::internal)
}

/// The document of a column.
pub(crate) fn load<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T> {
    serde_json::from_str(&row.text(column)?).map_err(Error::internal)
}
