//! The session in which support staff act for a person at this browser, next to those of the browser itself.

use svc_core::capability::Capability;
use svc_core::{Digest, Result};
use svc_db::{Tenant, Tx};
use svc_domain::people::impersonations;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;

use crate::hosted::Visit;

/// The scope of the management API that starts an impersonation.
const RIGHT: &str = "impersonations:write";

/// The live session in which support staff act for a person at this browser.
pub async fn acting(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    let Some(cookie) = visit.acting() else { return Ok(None) };
    let is_offered = visit.host.tenant.offers(visit.config(), &Capability::IMPERSONATION);
    // Boxed: few browsers have such a cookie, and the state of this would be part of every page.
    let session = match Some(cookie.digest()).filter(|_| is_offered) {
        Some(digest) => Box::pin(rightful(visit, tx, digest)).await?,
        None => None,
    };
    if session.is_none() {
        visit.note_acting_is_over();
    }
    Ok(session)
}

/// The session, as long as the staff member may act for people.
async fn rightful(visit: &Visit, tx: &mut Tx<Tenant>, digest: Digest) -> Result<Option<Session>> {
    let found = impersonations::session(tx, digest, visit.cx().now).await?;
    let Some((session, staff)) = found else { return Ok(None) };
    Ok(may_act(visit, tx, &staff).await?.then_some(session))
}

/// Whether the roles of a staff member permit it now: they may have changed since the token with which it was asked for.
pub async fn may_act(visit: &Visit, tx: &mut Tx<Tenant>, staff: &Person) -> Result<bool> {
    let tenant = &visit.host.tenant;
    let api = visit.host.app.services.apis.find_in(tx, tenant, &tenant.api_audience()).await?;
    Ok(api.is_some_and(|api| api.scope_for(&staff.roles).has(RIGHT)))
}
