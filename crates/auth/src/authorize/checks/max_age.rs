//! `max_age` (OpenID Connect Core §3.1.2.1): how long ago the person may have signed in.

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Reads a whole number of seconds; without one, the application's default counts.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(text) = input.params.one("max_age") else {
        request.max_age = input.default_max_age.map(i64::from);
        return Ok(());
    };
    let is_number = text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let age = text.parse().ok().filter(|_| is_number);
    request.max_age =
        Some(age.ok_or_else(|| Error::invalid_request("max_age: give a whole number of seconds"))?);
    Ok(())
}
