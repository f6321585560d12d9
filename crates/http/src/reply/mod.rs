//! What handlers answer with.

mod cookie;
mod document;
mod download;
mod list;
mod narrowed;
mod no_store;
mod page;
mod published;
mod version;
mod whole;

use axum::http::HeaderValue;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use svc_core::Error;

pub use self::cookie::SetCookie;
pub(crate) use self::document::Public;
pub use self::document::StaticDocument;
pub use self::download::Download;
pub(crate) use self::list::LIST_PARAMS;
pub use self::list::{List, ListQuery, ListRequest};
pub use self::narrowed::Narrowed;
pub use self::no_store::NoStore;
pub use self::page::{PageResponse, form_target, redirect_target, see_other};
pub(crate) use self::published::Published;
pub use self::published::Source;
pub use self::version::{IfMatch, Versioned};
pub use self::whole::Whole;
pub(crate) use self::whole::WholeQuery;
use crate::render::Problem;

/// 201 with the new record, its address and its version.
#[derive(Debug)]
pub struct Created<T> {
    /// Where the record is, as a path.
    pub location: String,
    /// Its version.
    pub version: i64,
    /// The record.
    pub record: T,
}

/// 204.
#[derive(Clone, Copy, Debug)]
pub struct NoContent;

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        match HeaderValue::try_from(self.location) {
            Ok(location) => {
                let record = Versioned { version: self.version, record: self.record };
                (StatusCode::CREATED, [(LOCATION, location)], record).into_response()
            }
            Err(error) => Problem::from(Error::internal(error)).into_response(),
        }
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}
