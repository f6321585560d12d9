//! Proof Key for Code Exchange (RFC 7636 §4.3): `S256` only.

use svc_core::{Error, Result};
use svc_keys::pkce::is_valid_challenge;

use crate::authorize::asked::Asked;
use crate::authorize::request::AuthorizationRequest;

/// Public applications always need a challenge, confidential ones unless they are registered without; one that is sent
/// is always held to.
pub fn check(asked: &Asked<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let method = asked.params.one("code_challenge_method");
    let Some(challenge) = asked.params.one("code_challenge") else {
        if asked.app.needs_pkce() || method.is_some() {
            return Err(Error::invalid_request("code_challenge is missing; PKCE with S256 is required"));
        }
        return Ok(());
    };
    // An absent method means `plain` (RFC 7636 §4.3), which protects nothing.
    if method != Some("S256") {
        return Err(Error::invalid_request("code_challenge_method is S256"));
    }
    if !is_valid_challenge(challenge) {
        return Err(Error::invalid_request("code_challenge is the base64url of a SHA-256, 43 characters"));
    }
    request.code_challenge = Some(challenge.to_owned());
    Ok(())
}
