//! `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1): `query`, `form_post`, or for
//! applications in a browser `fragment`.

use svc_core::{Error, Result};
use svc_domain::apps::Kind;

use crate::authorize::asked::Asked;
use crate::authorize::reply::ResponseMode;
use crate::authorize::request::AuthorizationRequest;

/// Refuses a mode that does not exist. A fragment carries the code into scripts, which only applications that are scripts
/// need.
pub fn check(asked: &Asked<'_>, _: &mut AuthorizationRequest) -> Result<()> {
    let Some(name) = asked.params.one("response_mode") else { return Ok(()) };
    match ResponseMode::parse(name) {
        None => Err(Error::invalid_request("response_mode: use query, form_post or fragment")),
        Some(ResponseMode::Fragment) if asked.app.configuration.kind != Kind::Spa => {
            Err(Error::invalid_request("response_mode: fragment is for applications of type spa"))
        }
        Some(_) => Ok(()),
    }
}
