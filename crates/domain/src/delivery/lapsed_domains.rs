//! The mails that tell owners of domains that these count no more.

use svc_core::{Cx, Result};
use svc_db::{Tenant, Tx};
use svc_keys::keyring::Sealer;

use super::owners;
use crate::organizations;
use crate::organizations::domains::Domain;
use crate::people::tenant_users;
use crate::tenancy::custom_domains;

/// Queues the mail to the owner of the organization.
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

/// Queues the mail to the person who asked for a custom domain of the tenant.
pub async fn tell_of_custom(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    domain: &custom_domains::Domain,
) -> Result<()> {
    let Some(owner) = &domain.owner else { return Ok(()) };
    let first = format!("The proof that the domain {} is yours was not found for a week.", domain.domain);
    let paragraphs = [
        first.as_str(),
        "People no longer sign in at this domain, but at the address that the service gave your organisation, until the domain is \
         proven and activated again.",
        "Publish the record again, verify the domain, and activate it.",
    ];
    owners::tell(tx, cx, sealer, owner, ("A domain is no longer proven", paragraphs)).await
}
