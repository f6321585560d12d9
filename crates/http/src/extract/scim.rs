//! SCIM messages and resources: JSON objects of either media type (RFC 7644 §3.1). What members they may have is for the schema to
//! say, which is a value.

use axum::extract::{FromRequest, Request};
use serde_json::{Map, Value};
use svc_core::{Error, json};

use super::expect_type;
use crate::app::App;
use crate::body;
use crate::render::Problem;

/// The object of a request body.
#[derive(Clone, Debug)]
pub struct ScimBody(pub Map<String, Value>);

/// The same of a request with many operations, whose bound is `scim.max_bulk_payload_bytes`.
#[derive(Clone, Debug)]
pub struct ScimBulkBody(pub Map<String, Value>);

/// What a bound of the configuration may be at most.
pub const LARGEST_BULK: usize = 16 * 1024 * 1024;

impl FromRequest<App> for ScimBulkBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let most = app.config.scim.max_bulk_payload_bytes;
        object(request, most as usize).await.map(Self).map_err(Problem::from)
    }
}

impl<S: Send + Sync> FromRequest<S> for ScimBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        object(request, usize::MAX).await.map(Self).map_err(Problem::from)
    }
}

/// The object of a body of `most` bytes at most.
async fn object(request: Request, most: usize) -> Result<Map<String, Value>, Error> {
    let headers = request.headers();
    expect_type(headers, "application/scim+json").or_else(|error| {
        expect_type(headers, "application/json").map_err(|_| error.called("invalidSyntax"))
    })?;
    let bytes = body::read(request.into_body()).await?;
    if bytes.len() > most {
        return Err(Error::payload_too_large(format!("the request body is larger than {most} bytes")));
    }
    json::object(&bytes, json::DEEPEST).map_err(|error| {
        Error::bad_request(format!("the request body is not acceptable JSON: {error}"))
            .called("invalidSyntax")
    })
}
