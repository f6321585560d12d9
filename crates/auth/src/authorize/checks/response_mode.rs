//! `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, JARM §2.3): `query`, `form_post`, or for
//! applications in a browser `fragment`; each also as a signed JWT.

use svc_core::{Error, Result};

use crate::authorize::arrived::CheckInput;
use crate::authorize::reply::ResponseMode;
use crate::authorize::request::AuthorizationRequest;

/// Refuses a mode that does not exist, or by which this application cannot be answered at its address.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(name) = input.params.one("response_mode") else { return Ok(()) };
    let refused = |why: &str| Err(Error::invalid_request(format!("response_mode: {why}")));
    let Some(mode) = ResponseMode::parse(name) else {
        return refused("use query, form_post, fragment, or one of them with .jwt");
    };
    if let Some(why) = mode.misfit(input.app, request.reply_to.redirect_uri()) {
        return refused(why);
    }
    if mode.is_signed() && !input.offers_signed_replies {
        return refused("signed responses are not offered here");
    }
    Ok(())
}
