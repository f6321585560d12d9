//! A statement with its arguments on its way to an engine, and what the engine answered.

use crate::row::Row;
use crate::value::Value;

/// A statement with every parameter, the tenant included.
#[derive(Debug)]
pub struct Call {
    pub(crate) text: &'static str,
    pub(crate) args: Vec<Value>,
}

/// The rows that a statement yielded and the number of rows that it changed.
pub(crate) struct Answer {
    pub rows: Vec<Row>,
    pub changed: u64,
}
