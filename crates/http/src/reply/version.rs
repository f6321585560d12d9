//! Versions of mutable records: `ETag` on the way out, `If-Match` on the way in (RFC 9110 §8.8.3, §13.1.1).

use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::convert::Infallible;
use svc_core::{Error, Result};
use svc_db::Held;

use crate::extract::Json;

/// A record with its version.
#[derive(Debug)]
pub struct Versioned<T> {
    /// Grows with every change of the record.
    pub version: i64,
    /// The record.
    pub record: T,
}

/// The versions that a change is meant for.
#[derive(Clone, Debug, Default)]
pub struct IfMatch(Option<Vec<String>>);

impl IfMatch {
    /// Refuses a change that was meant for another version; without `If-Match` any will do. The transaction of the change holds the
    /// record, so that it is changed from the version that was checked.
    pub fn check(&self, _: Held, version: i64) -> Result<()> {
        self.meets(version)
    }

    /// Refuses a change that was meant for a record which is there, where there is none (RFC 9110 §13.1.1).
    pub fn check_absent(&self, _: Held) -> Result<()> {
        self.meets_none()
    }

    fn meets(&self, version: i64) -> Result<()> {
        let present = etag(version);
        match &self.0 {
            Some(wanted) if !wanted.iter().any(|tag| *tag == present || tag == "*") => {
                Err(Error::conflict("the record has changed since it was read; read it again"))
            }
            _ => Ok(()),
        }
    }

    fn meets_none(&self) -> Result<()> {
        if self.0.is_some() {
            return Err(Error::conflict("if-match: there is no record to change; leave it out to make one"));
        }
        Ok(())
    }

    fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(IF_MATCH) {
            return Self(None);
        }
        let fields = headers.get_all(IF_MATCH).iter().filter_map(|field| field.to_str().ok());
        Self(Some(fields.flat_map(|field| field.split(',')).map(|tag| tag.trim().to_owned()).collect()))
    }
}

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl<T: Serialize> IntoResponse for Versioned<T> {
    fn into_response(self) -> Response {
        let mut response = Json(self.record).into_response();
        if let Ok(tag) = HeaderValue::try_from(etag(self.version)) {
            response.headers_mut().insert(ETAG, tag);
        }
        response
    }
}

fn etag(version: i64) -> String {
    format!("\"{version}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_meant_for_another_version_conflicts() {
        let of = |text: &str| IfMatch::of(&HeaderMap::from_iter([(IF_MATCH, text.parse().unwrap())]));
        assert!(IfMatch::default().meets(3).is_ok());
        assert!(of("\"2\", \"3\"").meets(3).is_ok());
        assert!(of("*").meets(3).is_ok());
        for stale in ["\"2\"", "3", "W/\"3\"", ""] {
            assert!(of(stale).meets(3).is_err(), "{stale}");
        }
        assert!(IfMatch::default().meets_none().is_ok());
        assert!(of("*").meets_none().is_err() && of("\"0\"").meets_none().is_err());
    }
}
