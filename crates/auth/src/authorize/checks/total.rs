//! The bound on the whole request: it travels sealed through forms and addresses.

use svc_core::{Error, OrInternal as _, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Most bytes of a request as the flow stores it, and of its scope, which the consent page repeats; sealed and encoded
/// they are a third longer.
const MOST: usize = 8_720;

/// Refuses what would not fit into the forms of the pages.
pub fn check(_: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let length = serde_json::to_vec(request).or_internal()?.len();
    let length = length + request.scope.to_string().len();
    if length > MOST {
        return Err(Error::invalid_request(
            "the request: this is too long as a whole; ask for less at a time",
        ));
    }
    Ok(())
}
