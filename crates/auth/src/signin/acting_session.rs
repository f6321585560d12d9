//! The session in which support staff act for a person at this browser, next to those of the browser itself.

use svc_core::Result;
use svc_core::capability::Capability;
use svc_db::{Tenant, Tx};
use svc_domain::people::impersonations;
use svc_domain::people::sessions::Session;

use crate::hosted::Visit;

/// The live session in which support staff act for a person at this browser.
pub async fn acting(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Session>> {
    let Some(cookie) = visit.acting() else { return Ok(None) };
    let is_offered = visit.host.tenant.offers(visit.config(), &Capability::IMPERSONATION);
    let session = match Some(cookie.digest()).filter(|_| is_offered) {
        Some(digest) => impersonations::session(tx, digest, visit.cx().now).await?,
        None => None,
    };
    if session.is_none() {
        visit.note_acting_is_over();
    }
    Ok(session)
}
