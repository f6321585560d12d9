//! From reasons to deliveries: at most one waits for a link, and few of one target wait at a time.

use svc_core::{Cx, DeliveryId, Result, ScimTargetId};
use svc_db::{Row, Tenant, Tx, args, quiet_sql, sql};

use super::MOST_WAITING;
use super::links::LinkKind;
use super::look::ScimLook;
use super::store::ScimTarget;
use crate::delivery::{self, New};

/// Queues looks at links that have a reason: at people, and when these have been tried, at groups, whose members they are.
pub(super) async fn queue(tx: &mut Tx<Tenant>, cx: &Cx, target: &ScimTarget) -> Result<usize> {
    let room = MOST_WAITING - delivery::count::<ScimLook>(tx, &target.id.to_string()).await?;
    let people = waiting(tx, target.id, (LinkKind::User, room)).await?;
    put(tx, cx, target.id, (LinkKind::User, &people))?;
    if !people.is_empty() || !target.configuration.push_groups || has_untried(tx, target.id).await? {
        return Ok(people.len());
    }
    let groups = waiting(tx, target.id, (LinkKind::Group, room)).await?;
    put(tx, cx, target.id, (LinkKind::Group, &groups))?;
    Ok(groups.len())
}

async fn waiting(
    tx: &mut Tx<Tenant>,
    target: ScimTargetId,
    (kind, room): (LinkKind, i64),
) -> Result<Vec<String>> {
    let select = sql!(
        "SELECT local_id FROM scim_links WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND wanted > seen \
         AND delivery_id IS NULL ORDER BY created_at, local_id LIMIT $4"
    );
    let rows = tx.all(select, args![target, kind.name(), room.max(0)]).await?;
    rows.iter().map(|row: &Row| row.text("local_id")).collect()
}

/// Whether a person waits who has not been tried yet.
async fn has_untried(tx: &mut Tx<Tenant>, target: ScimTargetId) -> Result<bool> {
    let select = sql!(
        "SELECT local_id FROM scim_links WHERE tenant_id = $1 AND target_id = $2 AND kind = 'user' AND wanted > seen \
         AND last_error IS NULL LIMIT 1"
    );
    Ok(tx.optional(select, args![target]).await?.is_some())
}

fn put(tx: &mut Tx<Tenant>, cx: &Cx, target: ScimTargetId, (kind, ids): (LinkKind, &[String])) -> Result<()> {
    for local_id in ids {
        let id: DeliveryId = cx.id();
        let look = ScimLook { target, kind, local_id: local_id.clone() };
        let new = New { receiver: target.to_string(), topic: local_id.clone(), ..New::of(cx, id, look) };
        delivery::enqueue(tx, &new)?;
        let update = quiet_sql!(
            "delivers what was recorded",
            "UPDATE scim_links SET delivery_id = $5 WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
        );
        tx.later(update, args![target, kind.name(), local_id, id]);
    }
    Ok(())
}
