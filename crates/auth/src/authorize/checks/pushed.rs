//! Applications that must push their requests (RFC 9126 §6, FAPI 2.0 Security Profile §5.3.2.2).

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Refuses a request that came by the browser although it had to be pushed.
pub fn check(input: &CheckInput<'_>, _: &mut AuthorizationRequest) -> Result<()> {
    if input.app.needs_par() {
        return Err(Error::invalid_request(
            "this application pushes its requests; send the request_uri of one",
        ));
    }
    Ok(())
}
