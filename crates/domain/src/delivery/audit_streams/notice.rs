//! Tells the person who made a stream, by mail, that the service has deactivated it.

use svc_core::{Cx, Result, TenantId};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, system_sql};
use svc_keys::keyring::Sealer;

use super::store::Configuration;
use crate::delivery::owners::{self, Notice};
use crate::document;
use crate::tenancy::tenants;

/// Tenants with owners who have not been told yet.
pub async fn tenants_with_owners_to_tell(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select = system_sql!("SELECT DISTINCT tenant_id FROM audit_streams WHERE owner_to_be_told");
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Queues a mail to each owner who is to be told and has a proven address; returns how many streams were seen to.
pub async fn tell_owners(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<u64> {
    let take = quiet_sql!(
        "delivers what was recorded",
        "UPDATE audit_streams SET owner_to_be_told = $2 WHERE tenant_id = $1 AND owner_to_be_told \
         RETURNING id, owner, configuration, deactivated_because, last_error"
    );
    owners::tell_each(tx, cx, sealer, take, notice).await
}

fn notice(row: &Row) -> Result<Option<Notice>> {
    let Some(Configuration { destination, .. }) = document::known_whole(row, "configuration")? else {
        return Ok(None);
    };
    let last = row.maybe_text("last_error")?.unwrap_or_default();
    let why = match row.maybe_text("deactivated_because")?.as_deref() {
        Some("gone") => "The receiver answered that it is gone for good (410).".to_owned(),
        _ => format!("The receiver has taken no entry for days; at last: {last}."),
    };
    let to = destination.name();
    let what = format!("The audit log is no longer sent to {to} (stream {}).", row.text("id")?);
    let then = "When the receiver is back, activate the stream by the management API: it goes on where it stood, as far as \
                entries are kept.";
    Ok(Some(("A stream of the audit log was deactivated", [what, why, then.to_owned()])))
}
