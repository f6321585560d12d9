//! JSON Lines: a document a line, each judged alone, so that one that is at fault stops no other.

use std::marker::PhantomData;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::{Digest, Error, Result, json};
use svc_keys::sha256;
use utoipa::ToSchema;

use super::expect_type;
use super::json::fitting;
use crate::body;
use crate::render::Problem;

/// The media types: the older one, and the one under which the service itself hands such a file out.
pub(crate) const JSON_LINES: [&str; 2] = ["application/x-ndjson", "application/jsonl"];

/// Documents, one a line; empty lines are passed over.
pub struct Lines<T> {
    bytes: Bytes,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + ToSchema + 'static> Lines<T> {
    /// The digest of all of it.
    pub fn digest(&self) -> Digest {
        Digest(sha256(&self.bytes))
    }

    /// What each line says, or what is wrong with it, with its number from 1: empty lines have one, too.
    pub fn read(&self) -> impl Iterator<Item = (u64, Result<T>)> {
        let lines = self.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let numbered = (1..).zip(lines).filter(|(_, line)| !line.is_empty());
        numbered.map(|(number, line)| (number, record(line).and_then(|read| fitting(&read))))
    }
}

/// The record of a line. Which line it is, its reader says.
fn record(line: &[u8]) -> Result<Value> {
    let read = json::parse(line, json::DEEPEST).map_err(|error| {
        let told = error.to_string().replace(" at line 1 column ", " at column ");
        Error::bad_request(format!("the line is not acceptable JSON: {told}"))
    })?;
    if read.is_object() { Ok(read) } else { Err(Error::bad_request("the line: expected an object")) }
}

impl<S: Send + Sync, T: DeserializeOwned + ToSchema + 'static> FromRequest<S> for Lines<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let [older, newer] = JSON_LINES;
        if expect_type(request.headers(), newer).is_err() && expect_type(request.headers(), older).is_err() {
            let told = format!("the request body must be {older} or {newer}");
            return Err(Error::unsupported_media_type(told).into());
        }
        Ok(Self { bytes: body::read(request.into_body()).await?, of: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_record_is_told_as_a_line() {
        let told = |line: &[u8]| record(line).unwrap_err().detail().to_owned();
        let unreadable = told(b"{\"a\":x}");
        assert!(
            unreadable.starts_with("the line is not acceptable JSON: expected value at column "),
            "{unreadable}"
        );
        assert_eq!(told(b"\"hunter2\""), "the line: expected an object");
        assert!(record(b"{\"a\":1}").is_ok());
    }
}
