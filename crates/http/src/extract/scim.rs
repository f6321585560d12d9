//! SCIM messages and resources: JSON objects of either media type (RFC 7644 §3.1). What members they may have is for the schema to
//! say, which is a value.

use axum::extract::{FromRequest, Request};
use serde_json::{Map, Value};
use svc_core::{Error, json};

use super::expect_type;
use crate::body;
use crate::render::Problem;

/// The object of a request body.
#[derive(Clone, Debug)]
pub struct ScimBody(pub Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for ScimBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let headers = request.headers();
        expect_type(headers, "application/scim+json").or_else(|error| {
            expect_type(headers, "application/json").map_err(|_| error.called("invalidSyntax"))
        })?;
        let bytes = body::read(request.into_body()).await?;
        let object = json::object(&bytes, json::DEEPEST).map_err(|error| {
            Error::bad_request(format!("the request body is not acceptable JSON: {error}"))
                .called("invalidSyntax")
        })?;
        Ok(Self(object))
    }
}
