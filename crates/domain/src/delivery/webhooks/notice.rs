//! Tells the person who made a subscription, by mail, that the service has deactivated it.

use svc_core::{Cx, Result, TenantId};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, system_sql};
use svc_keys::keyring::Sealer;

use super::subscriptions::Configuration;
use crate::delivery::owners::{self, Notice};
use crate::document;
use crate::tenancy::tenants;

/// Tenants with owners who have not been told yet.
pub async fn tenants_with_owners_to_tell(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let select = system_sql!("SELECT DISTINCT tenant_id FROM webhooks WHERE owner_to_be_told");
    tx.all(select, args![]).await?.iter().map(tenants::of_row).collect()
}

/// Queues a mail to each owner who is to be told and has a proven address; returns how many subscriptions were seen to.
pub async fn tell_owners(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer) -> Result<u64> {
    let take = quiet_sql!(
        "delivers what was recorded",
        "UPDATE webhooks SET owner_to_be_told = $2 WHERE tenant_id = $1 AND owner_to_be_told \
         RETURNING id, owner, configuration, deactivated_because"
    );
    owners::tell_each(tx, cx, sealer, take, notice).await
}

fn notice(row: &Row) -> Result<Option<Notice>> {
    let Configuration { url, .. } = document::load(row, "configuration")?;
    let why = match row.maybe_text("deactivated_because")?.as_deref() {
        Some("gone") => "The receiver answered that it is gone for good (410).",
        _ => "The receiver has taken no event for days.",
    };
    let what = format!("Events are no longer sent to {url} (subscription {}).", row.text("id")?);
    let then = "When the receiver is back, activate the subscription by the management API, and let it send again what \
                happened meanwhile.";
    Ok(Some(("A webhook was deactivated", [what, why.to_owned(), then.to_owned()])))
}
