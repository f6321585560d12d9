//! `nonce` (OpenID Connect Core §3.1.2.1): goes into the ID token byte for byte.

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Longest nonce in bytes.
const LONGEST: usize = 2048;

/// Refuses what could not come back unchanged.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let nonce = input.params.one("nonce");
    if nonce.is_some_and(|nonce| nonce.len() > LONGEST || nonce.chars().any(char::is_control)) {
        return Err(Error::invalid_request("nonce: use at most 2048 bytes without control characters"));
    }
    request.nonce = nonce.map(str::to_owned);
    Ok(())
}
