//! `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, JARM §2.3): `query`, `form_post`, or for
//! applications in a browser `fragment`; each also as a signed JWT.

use svc_core::{Error, Result};
use svc_domain::apps::Kind;

use crate::authorize::asked::Asked;
use crate::authorize::reply::{Carrier, ResponseMode};
use crate::authorize::request::AuthorizationRequest;

/// Refuses a mode that does not exist. A fragment carries the code into scripts, which only applications that are scripts
/// need.
pub fn check(asked: &Asked<'_>, _: &mut AuthorizationRequest) -> Result<()> {
    let Some(name) = asked.params.one("response_mode") else { return Ok(()) };
    match ResponseMode::parse(name) {
        None => Err(Error::invalid_request(
            "response_mode: use query, form_post, fragment, or one of them with .jwt",
        )),
        Some(mode) if mode.carrier() == Carrier::Fragment && asked.app.configuration.kind != Kind::Spa => {
            Err(Error::invalid_request("response_mode: fragment is for applications of type spa"))
        }
        Some(mode) if mode.is_signed() && !asked.offers_signed_replies => {
            Err(Error::invalid_request("response_mode: signed responses are not offered here"))
        }
        Some(_) => Ok(()),
    }
}
