//! What can be asked only where the person signs in for the request, and not where they decide elsewhere (RFC 8628,
//! OpenID CIBA).

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Refuses what would have to be held to: an essential `acr`, and a `sub` of a certain value.
pub fn check(_: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    if request.assurance.is_essential() {
        return Err(Error::invalid_request("claims: acr cannot be essential here"));
    }
    if !request.subjects.is_empty() {
        return Err(Error::invalid_request("claims: sub cannot be asked for by value here"));
    }
    Ok(())
}
