//! `organization`: the organization of the tenant in which the tokens are to count, by its id or its slug.

use svc_core::{Error, Result};
use svc_domain::apps::OrganizationUsage;
use svc_domain::organizations::may_name;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Keeps what is named. Whether there is such an organization, only its members learn, after they have signed in.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(named) = input.params.one("organization") else { return Ok(()) };
    if input.app.organization_usage() == OrganizationUsage::Deny {
        return Err(Error::invalid_request(
            "organization: this application takes none; set its organization_usage to allow or require",
        ));
    }
    if !may_name(named) {
        return Err(Error::invalid_request("organization: give the id or the slug of an organization"));
    }
    request.organization = Some(named.to_owned());
    Ok(())
}
