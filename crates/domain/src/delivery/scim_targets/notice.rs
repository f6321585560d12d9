//! Tells the person who made a target, by mail, that the service has deactivated it.

use svc_core::{Cx, Result, TenantId};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, system_sql};
use svc_keys::keyring::Sealer;

use super::configuration::Configuration;
use crate::delivery::owners::{self, Notice};
use crate::document;
use crate::tenancy::tenants;

/// Tenants with owners who have not been told yet.
pub async fn tenants_with_owners_to_tell(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select = system_sql!("SELECT DISTINCT tenant_id FROM scim_targets WHERE owner_to_be_told");
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Queues a mail to each owner who is to be told and has a proven address; returns how many targets were seen to.
pub async fn tell_owners(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<u64> {
    let take = quiet_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET owner_to_be_told = $2 WHERE tenant_id = $1 AND owner_to_be_told \
         RETURNING id, owner, configuration, deactivated_because, last_error"
    );
    owners::tell_each(tx, cx, sealer, take, notice).await
}

fn notice(row: &Row) -> Result<Option<Notice>> {
    let Some(Configuration { name, base_url, .. }) = document::known_whole(row, "configuration")? else {
        return Ok(None);
    };
    let last = row.maybe_text("last_error")?.unwrap_or_default();
    let why = match row.maybe_text("deactivated_because")?.as_deref() {
        Some("failing") => format!("The application has taken nothing for days; at last: {last}."),
        _ => "The application refuses the token that it is called with.".to_owned(),
    };
    let what =
        format!("People are no longer pushed to {name} at {base_url} (SCIM target {}).", row.text("id")?);
    let then = "When the application is back, or there is another token, activate the target by the management API: \
                everyone is looked at again.";
    Ok(Some(("A SCIM target was deactivated", [what, why, then.to_owned()])))
}
