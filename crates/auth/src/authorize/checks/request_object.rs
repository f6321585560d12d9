//! Request objects (RFC 9101) and in-line registration are not supported, and refused by their own names.

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Refuses `request`, `request_uri` and `registration`.
pub fn check(input: &CheckInput<'_>, _: &mut AuthorizationRequest) -> Result<()> {
    if input.params.one("request").is_some() {
        return Err(Error::request_not_supported(
            "send the parameters themselves instead of a request object",
        ));
    }
    if input.params.one("request_uri").is_some() {
        return Err(Error::request_uri_not_supported(
            "send the parameters themselves instead of a request_uri",
        ));
    }
    if input.params.one("registration").is_some() {
        return Err(Error::registration_not_supported("applications are registered beforehand"));
    }
    Ok(())
}
