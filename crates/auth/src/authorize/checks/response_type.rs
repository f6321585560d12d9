//! `response_type` (RFC 6749 §3.1.1): the authorization code, and nothing else.

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Wants `code`, of an application that may use codes.
pub fn check(input: &CheckInput<'_>, _: &mut AuthorizationRequest) -> Result<()> {
    if input.params.required("response_type")? != "code" {
        return Err(Error::unsupported_response_type("response_type: give code; no other is offered"));
    }
    if !input.app.allows_grant("authorization_code") {
        return Err(Error::unauthorized_client("this application may not use the grant authorization_code"));
    }
    Ok(())
}
