//! Records of the management API.

use std::marker::PhantomData;

use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Call, Management, Pages};
use crate::Error;

/// Records of the management API, each of which has an id.
pub struct Resource<'a, T> {
    pub(super) api: &'a Management,
    pub(super) path: String,
    pub(super) of: PhantomData<fn() -> T>,
}

impl<'a, T: DeserializeOwned> Resource<'a, T> {
    /// The records that fit the filters.
    pub fn all(&self, filters: &[(&str, &str)]) -> Pages<'a, T> {
        self.api.list(&self.path, filters)
    }

    /// The record with this id.
    pub async fn find(&self, id: &str) -> Result<T, Error> {
        self.call(Method::GET, self.at(id)?, None, None).await
    }

    /// Makes a record.
    pub async fn create(&self, members: &impl Serialize, idempotency_key: Option<&str>) -> Result<T, Error> {
        self.call(Method::POST, self.path.clone(), Some(self.body(members)?), idempotency_key).await
    }

    /// Writes a record whole (PUT), or puts it there, such as a member into a group.
    pub async fn replace(&self, id: &str, members: &impl Serialize) -> Result<T, Error> {
        self.call(Method::PUT, self.at(id)?, Some(self.body(members)?), None).await
    }

    /// Changes the members that are given (JSON Merge Patch, RFC 7396).
    pub async fn update(&self, id: &str, members: &impl Serialize) -> Result<T, Error> {
        self.call(Method::PATCH, self.at(id)?, Some(self.body(members)?), None).await
    }

    /// Takes the record away.
    pub async fn delete(&self, id: &str) -> Result<(), Error> {
        let call = Call { method: Method::DELETE, path: self.at(id)?, ..Call::default() };
        self.api.send(call).await.map(|_| ())
    }

    fn body(&self, members: &impl Serialize) -> Result<Value, Error> {
        serde_json::to_value(members)
            .map_err(|_| Error::local("the members are no JSON").of(&self.api.issuer))
    }

    fn at(&self, id: &str) -> Result<String, Error> {
        (is_plain(id) && !self.path.is_empty())
            .then(|| format!("{}/{id}", self.path))
            .ok_or_else(|| Error::local("this is no id").of(&self.api.issuer))
    }

    async fn call(
        &self,
        method: Method,
        path: String,
        body: Option<Value>,
        idempotency_key: Option<&str>,
    ) -> Result<T, Error> {
        let idempotency_key = idempotency_key.map(str::to_owned);
        let answer = self.api.send(Call { method, path, body, idempotency_key, ..Call::default() }).await?;
        serde_json::from_value(answer)
            .map_err(|_| Error::invalid_answer("the record is malformed").of(&self.api.issuer))
    }
}

/// Whether a text is one part of a path and nothing else.
pub(super) fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}
