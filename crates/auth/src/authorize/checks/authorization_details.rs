//! `authorization_details` (RFC 9396 §2, §5): objects of types that the API offers and the application may ask for.

use svc_core::Result;

use crate::authorize::arrived::CheckInput;
use crate::authorize::details::{NAME, check as fits, not_offered, read};
use crate::authorize::request::AuthorizationRequest;

/// Reads the objects and holds them against application, API and schema.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(text) = input.params.one(NAME) else { return Ok(()) };
    if !input.offers_details {
        return Err(not_offered());
    }
    let details = read(text)?;
    fits(&details, input.app, input.api)?;
    request.authorization_details = details;
    Ok(())
}
