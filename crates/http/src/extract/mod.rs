//! What handlers read from a request: strict readers that refuse what two parsers could read differently.

mod cookies;
mod json;
mod judge;
mod lines;
mod members;
mod merge_patch;
mod params;
mod path;
mod query;
mod scim;

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use svc_core::{Error, Result};

pub use self::cookies::Cookies;
pub use self::json::Json;
pub(crate) use self::lines::JSON_LINES;
pub use self::lines::Lines;
pub use self::merge_patch::{Amendment, MergePatch};
pub(crate) use self::params::decode;
pub use self::params::{Form, FormText, Params, QueryParams, SentForm};
pub use self::path::Path;
pub(crate) use self::path::normal as normal_path;
pub(crate) use self::query::takes_only;
pub use self::query::{Everything, Listing, Query};
pub use self::scim::{LARGEST_BULK, ScimBody, ScimBulkBody};

/// Refuses a body of another media type; parameters such as `charset` are of no consequence.
fn expect_type(headers: &HeaderMap, expected: &str) -> Result<()> {
    let mut fields = headers.get_all(CONTENT_TYPE).iter();
    let field = fields.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = field.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(expected) && fields.next().is_none() {
        Ok(())
    } else {
        Err(Error::unsupported_media_type(format!("the request body must be {expected}")))
    }
}
