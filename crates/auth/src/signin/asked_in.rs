//! The organizations whose people a person is asked as: that to which a sign-in leads, and that whose provider vouched for the person.

use svc_core::{OrganizationId, Result, SessionId};
use svc_db::{Tenant, Tx};
use svc_domain::federation::sso;
use svc_domain::organizations;
use svc_domain::people::intake::Intake;
use svc_domain::people::tenant_users::Person;

/// The organizations of a session and of where it leads. Nothing is read where nothing is asked of their people alone.
pub async fn asked_in(
    tx: &mut Tx<Tenant>,
    intake: &Intake,
    (person, session): (&Person, SessionId),
    leads_to: Option<OrganizationId>,
) -> Result<Vec<OrganizationId>> {
    if !intake.is_of_organizations() {
        return Ok(Vec::new());
    }
    let mut found: Vec<_> = leads_to.into_iter().collect();
    if let Some(id) = sso::organization_of(tx, session).await?
        && !found.contains(&id)
        && organizations::place(tx, person.id, id).await?.is_some()
    {
        found.push(id);
    }
    Ok(found)
}
