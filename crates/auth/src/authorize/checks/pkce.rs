//! Proof Key for Code Exchange (RFC 7636 §4.3): `S256` only.

use svc_core::{Error, Result};
use svc_domain::apps::RequirePkce;
use svc_keys::pkce::is_valid_challenge;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Public applications always need a challenge, confidential ones as they are registered; one that is sent always counts.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let method = input.params.one("code_challenge_method");
    let Some(challenge) = input.params.one("code_challenge") else {
        let has_nonce = input.params.one("nonce").is_some_and(|nonce| !nonce.is_empty());
        let why = match input.app.require_pkce() {
            _ if method.is_some() => "code_challenge: code_challenge_method was sent without it",
            RequirePkce::Yes => "code_challenge is missing: send one with the method S256 (PKCE)",
            RequirePkce::OrNonce if !(has_nonce && request.scope.has("openid")) => {
                "code_challenge is missing: send one with the method S256 (PKCE), or the scope openid with a nonce"
            }
            RequirePkce::OrNonce | RequirePkce::No => return Ok(()),
        };
        return Err(Error::invalid_request(why));
    };
    // An absent method means `plain` (RFC 7636 §4.3), which protects nothing.
    if method != Some("S256") {
        return Err(Error::invalid_request("code_challenge_method: use S256"));
    }
    if !is_valid_challenge(challenge) {
        return Err(Error::invalid_request("code_challenge: give the base64url of a SHA-256, 43 characters"));
    }
    request.code_challenge = Some(challenge.to_owned());
    Ok(())
}
