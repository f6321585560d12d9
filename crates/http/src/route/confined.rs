//! What the API key of an organization may reach: what is below that organization's address, and SCIM tokens, which say themselves
//! whose they are.

use svc_core::{Error, OrganizationId};

use super::Declared;
use crate::extract::normal_path;
use crate::render::Problem;

/// Where the records of an organization are.
const ORGANIZATION: &str = "/api/v1/organizations/{id}";
/// The resource whose handlers show such a key the records of its organization, and no others.
const CONFINING: &str = "/api/v1/scim-tokens";

/// Refuses a route that concerns no organization in particular; another organization is answered like an unknown id.
pub(super) fn check(declared: &Declared, path: &str, organization: OrganizationId) -> Result<(), Problem> {
    if is_at_or_below(declared.path, CONFINING) {
        return Ok(());
    }
    if !is_at_or_below(declared.path, ORGANIZATION) {
        return Err(Error::forbidden(
            "the API key of an organization opens that organization's records alone",
        )
        .into());
    }
    let path = normal_path(path);
    let named = path.split('/').nth(ORGANIZATION.matches('/').count());
    match named.and_then(|named| named.parse().ok()) {
        Some(named) if organization == named => Ok(()),
        _ => Err(Error::unknown_id().into()),
    }
}

fn is_at_or_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|below| below.is_empty() || below.starts_with('/'))
}
