//! `prompt` (OpenID Connect Core §3.1.2.1): what the person is asked.

use svc_core::Result;

use crate::authorize::asked::CheckInput;
use crate::authorize::request::{AuthorizationRequest, Prompt};

/// Reads the values.
pub fn check(asked: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    request.prompt = Prompt::parse(asked.params.one("prompt").unwrap_or_default())?;
    Ok(())
}
