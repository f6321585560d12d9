//! The authorization details of tokens (RFC 9396 §6, §7): those of the grant, as far as they are still offered, or fewer
//! where the request asks for fewer.

use svc_core::Error;
use svc_domain::apis::Api;

use super::approval::{Approval, Subject};
use super::grant::Request;
use crate::authorize::details::{NAME, check, check_within, is_enabled, is_offered, not_offered, read};

/// Settles them. What a person granted stays with the refresh token, whatever one access token is narrowed to.
pub(super) fn settle(request: &Request<'_>, approval: &mut Approval, api: Option<&Api>) -> Result<(), Error> {
    let is_enabled = is_enabled(request.host, request.app);
    approval.authorization_details.retain(|detail| is_enabled && is_offered(detail, request.app, api));
    let Some(text) = request.params.one(NAME) else { return Ok(()) };
    if !is_enabled {
        return Err(not_offered());
    }
    let requested = read(text)?;
    match approval.subject {
        Subject::App | Subject::Key(_) => {
            check(&requested, request.app, api)?;
            approval.authorization_details = requested;
        }
        Subject::Person(..) => {
            check_within(&requested, &approval.authorization_details)?;
            approval.bounds.authorization_details = Some(requested);
        }
    }
    Ok(())
}
