//! `acr_values` (OpenID Connect Core §3.1.2.1): the strength of sign-in that the application prefers.

use svc_core::Result;

use crate::authorize::asked::Asked;
use crate::authorize::assurance::Assurance;
use crate::authorize::request::AuthorizationRequest;

/// Keeps the levels that we know, unless the claim `acr` has said it more precisely.
#[expect(clippy::unnecessary_wraps, reason = "all checks of the matrix have one shape")]
pub fn check(asked: &Asked<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(values) = asked.params.one("acr_values") else { return Ok(()) };
    if request.assurance.is_empty() {
        request.assurance = Assurance::new(values.split(' '), false);
    }
    Ok(())
}
