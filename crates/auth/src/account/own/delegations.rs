//! What acts for the person (RFC 8693 §1.1), and how the person ends it.

use std::collections::HashMap;
use std::sync::Arc;

use svc_core::{AppId, DelegationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{self, App};
use svc_domain::grants::delegations::{self, Delegation, Filter, State};

use super::owner::Own;

/// Delegations that are read at once.
const PAGE: u32 = 200;
/// Most delegations that are shown: an agent may exchange a token every few seconds.
const MOST: usize = 1000;

/// The delegations that count now, newest first, each with the application that acts.
pub async fn live(own: &Own, tx: &mut Tx<Tenant>) -> Result<Vec<(Delegation, Arc<App>)>> {
    let filter = Filter { person: Some(own.person.id), state: Some(State::Live), ..Filter::default() };
    let mut actors: HashMap<AppId, Option<Arc<App>>> = HashMap::new();
    let (mut live, mut cursor) = (Vec::new(), None);
    while live.len() < MOST {
        let page = delegations::list(tx, &filter, cursor, PAGE).await?;
        let Some(last) = page.last() else { break };
        cursor = Some(last.id);
        for delegation in page {
            if delegation.expires_at <= own.cx().now {
                continue;
            }
            let id = delegation.actor;
            if let Some(app) = actor(tx, &mut actors, id).await? {
                live.push((delegation, app));
            }
        }
    }
    Ok(live)
}

/// An application, read once.
async fn actor(
    tx: &mut Tx<Tenant>,
    known: &mut HashMap<AppId, Option<Arc<App>>>,
    id: AppId,
) -> Result<Option<Arc<App>>> {
    if let Some(found) = known.get(&id) {
        return Ok(found.clone());
    }
    let found = apps::find(tx, id).await?.map(Arc::new);
    known.insert(id, found.clone());
    Ok(found)
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
