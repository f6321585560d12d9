//! `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1): `query` or `form_post`.

use svc_core::{Error, Result};

use crate::authorize::asked::Asked;
use crate::authorize::reply::ResponseMode;
use crate::authorize::request::AuthorizationRequest;

/// Refuses a mode that does not exist; a fragment would carry the code into scripts and histories.
pub fn check(asked: &Asked<'_>, _: &mut AuthorizationRequest) -> Result<()> {
    let mode = asked.params.one("response_mode");
    if mode.is_some_and(|mode| ResponseMode::parse(mode).is_none()) {
        return Err(Error::invalid_request("response_mode is query or form_post"));
    }
    Ok(())
}
