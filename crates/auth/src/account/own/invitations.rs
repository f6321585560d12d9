//! Invitations to organizations that wait for the person: those to the address that the account has proven.

use svc_core::{OrganizationInvitationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::invitations::{self, Invitation};
use svc_domain::organizations::{self, Organization, Status};
use svc_domain::people::accounts::Email;

use super::owner::Own;

/// An invitation, and where it leads.
pub struct Waiting {
    /// The invitation.
    pub invitation: Invitation,
    /// The organization, which is active.
    pub organization: Organization,
}

/// The invitations that the person may answer, oldest first.
pub async fn waiting(own: &Own, tx: &mut Tx<Tenant>) -> Result<Vec<Waiting>> {
    let mut waiting = Vec::new();
    let Some(email) = own.person.email.as_deref().filter(|_| own.person.email_verified) else {
        return Ok(waiting);
    };
    for invitation in invitations::waiting_for(tx, own.cx(), &Email::parse(email)?).await? {
        let organization = organizations::find(tx, invitation.organization_id).await?;
        if let Some(organization) = organization.filter(|found| found.status == Status::Active) {
            waiting.push(Waiting { invitation, organization });
        }
    }
    Ok(waiting)
}

/// Makes the person a member; false where no such invitation waits for them. `conflict` where the organization has no room.
pub async fn accept(own: &Own, id: OrganizationInvitationId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let Some(Waiting { invitation, organization }) = one(own, &mut tx, id).await? else { return Ok(false) };
    if !invitations::spend_one(&mut tx, own.cx(), id).await? {
        return Ok(false);
    }
    let (tenant, config) = (&own.host.tenant, &own.host.app.config);
    let most = tenant.settings.limits.organizations.max_members(config);
    invitations::accept(&mut tx, own.cx(), (&organization, most), (&invitation, &own.person)).await?;
    tx.commit().await?;
    Ok(true)
}

/// Removes the invitation; false where no such one waits for the person.
pub async fn decline(own: &Own, id: OrganizationInvitationId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let Some(Waiting { invitation, .. }) = one(own, &mut tx, id).await? else { return Ok(false) };
    let is_declined = invitations::revoke(&mut tx, own.cx(), &invitation).await?;
    tx.commit().await?;
    Ok(is_declined)
}

async fn one(own: &Own, tx: &mut Tx<Tenant>, id: OrganizationInvitationId) -> Result<Option<Waiting>> {
    Ok(waiting(own, tx).await?.into_iter().find(|waiting| waiting.invitation.id == id))
}
