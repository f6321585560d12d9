//! The end of pushing: a target that refuses its credential, or takes nothing for days, is deactivated with what waits for it.

use serde_json::json;
use svc_core::events::ScimTargetDeactivated;
use svc_core::{Cx, Result, ScimTargetId, TenantId};
use svc_db::{Row, System, Tenant, Tx, args, change_system_sql, quiet_sql, quiet_system_sql};

use super::look::ScimLook;
use crate::delivery::{self, Queue as _};
use crate::log::{Action, Log, Meaning, change_across};

/// Deactivates a target. What was to be looked at still has its reasons, and is looked at when the target is activated again.
pub(super) async fn deactivate(
    tx: &mut Tx<System>,
    cx: &Cx,
    (tenant, target): (TenantId, ScimTargetId),
    reason: &'static str,
) -> Result<()> {
    let update = change_system_sql!(
        "UPDATE scim_targets SET active = $3, deactivated_because = $4, owner_to_be_told = $6, updated_at = $5, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND active RETURNING id"
    );
    let arguments = args![tenant, target, false, reason, cx.now, true];
    let meaning = |_: &Row| {
        let event = ScimTargetDeactivated { scim_target_id: target, reason };
        let meaning = Meaning::done(Action::ScimTargetDeactivated, target).with(json!({ "reason": reason }));
        Ok((Log::Of(tenant.reference()), meaning.telling(event)))
    };
    change_across(tx, cx, update, arguments, meaning).await?;
    let drop = quiet_system_sql!(
        "goes with the target, whose change is recorded",
        "DELETE FROM deliveries WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due'"
    );
    tx.later(drop, args![tenant, ScimLook::QUEUE, target]);
    let release = quiet_system_sql!(
        "goes with the target, whose change is recorded",
        "UPDATE scim_links SET delivery_id = NULL WHERE tenant_id = $1 AND target_id = $2 AND delivery_id IS NOT NULL"
    );
    tx.later(release, args![tenant, target]);
    Ok(())
}

/// Drops what waits for a target; its links keep their reasons.
pub(super) fn drop_waiting(tx: &mut Tx<Tenant>, target: ScimTargetId) {
    delivery::forget::<ScimLook>(tx, &target.to_string());
    let release = quiet_sql!(
        "goes with the target, whose change is recorded",
        "UPDATE scim_links SET delivery_id = NULL WHERE tenant_id = $1 AND target_id = $2 AND delivery_id IS NOT NULL"
    );
    tx.later(release, args![target]);
}
