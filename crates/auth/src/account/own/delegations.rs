//! What acts for the person (RFC 8693 §1.1), and how the person ends it.

use svc_core::{DelegationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{self, App};
use svc_domain::grants::delegations::{self, Delegation, Filter, State};

use super::owner::Own;

/// Most delegations that are shown.
const MOST: u32 = 200;

/// The delegations that count now, newest first, each with the application that acts.
pub async fn live(own: &Own, tx: &mut Tx<Tenant>) -> Result<Vec<(Delegation, App)>> {
    let filter = Filter { person: Some(own.person.id), state: Some(State::Live), ..Filter::default() };
    let mut live = Vec::new();
    for delegation in delegations::list(tx, &filter, None, MOST).await? {
        if delegation.expires_at <= own.cx().now {
            continue;
        }
        if let Some(app) = apps::find(tx, delegation.actor).await? {
            live.push((delegation, app));
        }
    }
    Ok(live)
}

/// Ends one, with everything that followed from it; false where the person has none with this id.
pub async fn end(own: &Own, id: DelegationId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let found = delegations::find(&mut tx, id).await?;
    if found.is_none_or(|delegation| delegation.person != own.person.id) {
        return Ok(false);
    }
    delegations::revoke(&mut tx, own.cx(), id).await?;
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(true)
}
