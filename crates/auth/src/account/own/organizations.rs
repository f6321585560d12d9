//! The organizations that the person belongs to.

use svc_core::{Class, OrganizationId, Result};
use svc_domain::organizations::{self, Place};
use svc_domain::people::intake::Intake;

use super::super::denied::Denied;
use super::owner::Own;

/// Most organizations that are shown.
const MOST: u32 = 200;

/// The organizations, with the roles there.
pub async fn all(own: &Own) -> Result<Vec<Place>> {
    organizations::places(&mut own.host.read().await?, own.person.id, MOST).await
}

/// Those whose people are asked for something that others are not; nothing is read where nothing is.
pub async fn asking(own: &Own, intake: &Intake) -> Result<Vec<OrganizationId>> {
    if !intake.is_of_organizations() {
        return Ok(Vec::new());
    }
    Ok(all(own).await?.into_iter().map(|place| place.id).collect())
}

/// Takes the person out of an organization, which ends their tokens there; false where they are not in it.
pub async fn leave(own: &Own, id: OrganizationId) -> Result<std::result::Result<bool, Denied>> {
    let mut tx = own.host.begin().await?;
    let Some(organization) = organizations::find(&mut tx, id).await? else { return Ok(Ok(false)) };
    let left = match organizations::remove(&mut tx, own.cx(), &organization, own.person.id).await {
        Err(error) if error.class() == Class::Conflict => return Ok(Err(Denied::OrganizationOwned)),
        left => left?,
    };
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(Ok(left))
}
