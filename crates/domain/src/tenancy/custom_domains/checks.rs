//! Proofs of custom domains are looked for again: of those that wait for one, and of those that have it.

use serde_json::json;
use svc_core::events::CustomDomainLapsed;
use svc_core::{CustomDomainId, Cx, Result, Seconds, TenantId, Timestamp};
use svc_db::{System, Tenant, Tx, args, change_sql, quiet_sql, system_sql};

use super::Domain;
use crate::log::{Action, Meaning, change};
use crate::proofs::{Found, Missing};
use crate::tenancy::tenants;

/// How often a proof that is awaited is looked for.
const AWAITED_EVERY: Seconds = Seconds(3_600);
/// For how long; after that a person asks for the look.
const AWAITED_FOR: Seconds = Seconds(7 * 86_400);

/// Domains whose proof is due to be looked for, the one that waits longest first. A proof that was found is looked for again after
/// `interval`.
pub async fn due(
    tx: &mut Tx<System>,
    (now, interval): (Timestamp, Seconds),
    limit: u32,
) -> Result<Vec<(TenantId, CustomDomainId)>> {
    let select = system_sql!(
        "SELECT tenant_id, id FROM custom_domains WHERE (status = 'verified' AND checked_at <= $1) \
         OR (status = 'pending' AND checked_at <= $2 AND created_at >= $3) ORDER BY checked_at LIMIT $4"
    );
    let arguments = args![now - interval, now - AWAITED_EVERY, now - AWAITED_FOR, limit];
    let rows = tx.all(select, arguments).await?;
    rows.iter().map(|row| Ok((tenants::of_row(row)?, row.parse("id")?))).collect()
}

/// Notes what a look for the proof of a domain has found; returns whether a proven one lapsed, because the proof was missing for
/// too long.
pub async fn note_check(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain, found: Found) -> Result<bool> {
    let missing = Missing { since: present.failing_since, failures: present.failures };
    let is_proven = present.verified_at.is_some();
    let (missing, is_over) = if is_proven { missing.after(found, cx.now) } else { (missing, false) };
    if is_over {
        return lapse(tx, cx, present).await;
    }
    let update = quiet_sql!(
        "notes that a proof was looked for; that it lapsed is recorded",
        "UPDATE custom_domains SET checked_at = $3, failing_since = $4, failures = $5 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    tx.execute(update, args![present.id, cx.now, missing.since, missing.failures, present.version]).await?;
    Ok(false)
}

/// A verified domain is asked for again: the record that proved it still proves it when it is back.
async fn lapse(tx: &mut Tx<Tenant>, cx: &Cx, present: &Domain) -> Result<bool> {
    let update = change_sql!(
        "UPDATE custom_domains SET status = 'pending', verified_at = NULL, activated_at = NULL, checked_at = $3, \
         failing_since = NULL, failures = 0, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND status = 'verified' AND version = $4"
    );
    let Domain { id: domain_id, ref domain, .. } = *present;
    let meaning = Meaning::done(Action::CustomDomainLapsed, domain_id)
        .with(json!({ "domain": domain, "failing_since": present.failing_since }))
        .telling(CustomDomainLapsed { domain_id, domain: domain.clone() });
    Ok(change(tx, cx, update, args![domain_id, cx.now, present.version], meaning).await? > 0)
}
