//! The mail that tells the owner of an organization that one of its domains counts no more.

use svc_core::{Cx, Result};
use svc_db::{Tenant, Tx};
use svc_keys::keyring::Sealer;

use super::owners;
use crate::organizations;
use crate::organizations::domains::Domain;
use crate::people::tenant_users;

/// Queues the mail.
pub async fn tell(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer, domain: &Domain) -> Result<()> {
    let Some(organization) = organizations::find(tx, domain.organization_id).await? else { return Ok(()) };
    let Some(owner) = tenant_users::find(tx, organization.owner_id).await? else { return Ok(()) };
    let name = &organization.configuration.name;
    let first =
        format!("The proof that the domain {} belongs to {name} was not found for a week.", domain.domain);
    let paragraphs = [
        first.as_str(),
        "People with an address of this domain are not led to the single sign-on of the organization until the domain is proven again.",
        "Publish the record again, and ask your administrator to verify the domain once more.",
    ];
    owners::tell(tx, cx, sealer, &owner.subject, ("A domain is no longer proven", paragraphs)).await
}
