//! Lists of the management API.

use std::collections::VecDeque;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Call, Management};
use crate::Error;

/// A list that is read page by page, to its end or to the first error.
pub struct Pages<'a, T> {
    pub(super) api: &'a Management,
    pub(super) next: Option<Call>,
    pub(super) ready: VecDeque<Value>,
    pub(super) of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Pages<'_, T> {
    /// The next record.
    pub async fn next(&mut self) -> Result<Option<T>, Error> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return serde_json::from_value(item)
                    .map(Some)
                    .map_err(|_| self.invalid("a record is malformed"));
            }
            let Some(mut call) = self.next.take() else { return Ok(None) };
            let mut page = self.api.send(call.clone()).await?;
            let Some(Value::Array(items)) = page.get_mut("data").map(Value::take) else {
                return Err(self.invalid("the answer is no list"));
            };
            self.ready = items.into();
            if let Some(cursor) =
                page.get("next_cursor").and_then(Value::as_str).filter(|cursor| !cursor.is_empty())
            {
                let next = ("cursor".to_owned(), cursor.to_owned());
                if call.query.contains(&next) {
                    return Err(self.invalid("the list repeats its cursor"));
                }
                call.query.retain(|(name, _)| name != "cursor");
                call.query.push(next);
                self.next = Some(call);
            }
        }
    }

    fn invalid(&self, description: &str) -> Error {
        Error::invalid_answer(description).of(&self.api.issuer)
    }
}
