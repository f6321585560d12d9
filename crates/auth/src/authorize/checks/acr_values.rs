//! `acr_values` (OpenID Connect Core §3.1.2.1): the strength of sign-in that the application prefers.

use svc_core::Result;

use crate::authorize::arrived::CheckInput;
use crate::authorize::assurance::Assurance;
use crate::authorize::request::AuthorizationRequest;

/// Keeps the levels that we know, those of the application where the request names none, unless the claim `acr` has said it more
/// precisely.
#[expect(clippy::unnecessary_wraps, reason = "all checks of the matrix have one shape")]
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    if request.assurance.is_empty() {
        request.assurance = match input.params.one("acr_values") {
            Some(values) => Assurance::new(values.split(' '), false),
            None => Assurance::new(input.default_acr_values.iter().map(String::as_str), false),
        };
    }
    Ok(())
}
