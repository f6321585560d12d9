//! Requests of support staff that wait for a person, as the inbox shows them.

use svc_core::Result;
use svc_core::capability::Capability;
use svc_db::{Tenant, Tx};
use svc_domain::people::impersonations;
use svc_domain::people::tenant_users::{self, Person};

use super::decide::{Ask, Polled};
use crate::hosted::Visit;
use crate::pages::SupportRequest;
use crate::signin::called;

/// Most requests on a page.
const MOST: u32 = 20;

/// What waits for the person, where the tenant lets support staff act for people.
pub async fn waiting(visit: &Visit, tx: &mut Tx<Tenant>, person: &Person) -> Result<Vec<SupportRequest>> {
    if !visit.host.tenant.offers(visit.config(), &Capability::IMPERSONATION) {
        return Ok(Vec::new());
    }
    let mut shown = Vec::new();
    for asked in impersonations::waiting_for(tx, visit.cx(), person.id, MOST).await? {
        let Some(staff) = tenant_users::find(tx, asked.staff).await? else { continue };
        shown.push(SupportRequest {
            flow: visit.seal(&Ask { polled: Polled::Impersonation(asked.id), person: person.id })?.into(),
            staff: called(&staff).into(),
            reason: asked.reason.into(),
            minutes: i64::from(asked.minutes),
        });
    }
    Ok(shown)
}
