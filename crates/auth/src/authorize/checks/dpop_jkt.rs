//! `dpop_jkt` (RFC 9449 §10): the key that the code will be bound to.

use svc_core::{Error, Result};
use svc_keys::dpop::is_thumbprint;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Reads the thumbprint.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(thumbprint) = input.params.one("dpop_jkt") else { return Ok(()) };
    if !is_thumbprint(thumbprint) {
        return Err(Error::invalid_request("dpop_jkt: give the base64url of a SHA-256, 43 characters"));
    }
    request.dpop_jkt = Some(thumbprint.to_owned());
    Ok(())
}
