//! `prompt` (OpenID Connect Core §3.1.2.1): what the person is asked.

use svc_core::Result;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::{AuthorizationRequest, Prompt};

/// Reads the values.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    request.prompt = Prompt::parse(input.params.one("prompt").unwrap_or_default())?;
    Ok(())
}
