//! What operations of one request call each other: `bulkId:<id>` stands for the id of what is made (RFC 7644 §3.7.2).

use std::collections::HashMap;

use serde_json::{Map, Value};
use svc_core::{Error, Result};

use super::Operation;

const PREFIX: &str = "bulkId:";

/// The ids of what was made so far.
#[derive(Debug, Default)]
pub(super) struct References(HashMap<String, String>);

impl References {
    /// Notes what an operation made.
    pub(super) fn know(&mut self, bulk_id: &str, resource: &Map<String, Value>) {
        if let Some(id) = resource.get("id").and_then(Value::as_str) {
            self.0.insert(bulk_id.to_owned(), id.to_owned());
        }
    }

    /// Whether everything that an operation refers to was made.
    pub(super) fn are_known(&self, operation: &Operation) -> bool {
        operation.path.split('/').all(|segment| self.is_known(segment))
            && operation.data.values().all(|value| self.is_resolvable(value))
    }

    fn is_resolvable(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_known(text),
            Value::Array(values) => values.iter().all(|value| self.is_resolvable(value)),
            Value::Object(members) => members.values().all(|value| self.is_resolvable(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        }
    }

    fn is_known(&self, text: &str) -> bool {
        text.strip_prefix(PREFIX).is_none_or(|name| self.0.contains_key(name))
    }

    /// The operation with ids in place of references.
    pub(super) fn resolved(&self, operation: &Operation) -> Result<Operation> {
        let segments = operation.path.split('/').map(|segment| self.text(segment));
        let path = segments.collect::<Result<Vec<_>>>()?.join("/");
        let mut data = operation.data.clone();
        for value in data.values_mut() {
            self.resolve(value)?;
        }
        Ok(Operation { path, data, ..operation.clone() })
    }

    fn resolve(&self, value: &mut Value) -> Result<()> {
        match value {
            Value::String(text) => {
                if text.starts_with(PREFIX) {
                    *text = self.text(text)?;
                }
                Ok(())
            }
            Value::Array(values) => values.iter_mut().try_for_each(|value| self.resolve(value)),
            Value::Object(members) => members.values_mut().try_for_each(|value| self.resolve(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    fn text(&self, text: &str) -> Result<String> {
        let Some(name) = text.strip_prefix(PREFIX) else { return Ok(text.to_owned()) };
        self.0
            .get(name)
            .cloned()
            .ok_or_else(|| Error::conflict(format!("bulkId: no operation of this request has made `{name}`")))
    }
}
