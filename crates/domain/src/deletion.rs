//! Deletes a tenant: it is suspended at once, can be restored for a while, and then everything in it is removed.
//!
//! Its keys are destroyed first, so that its sealed secrets in a backup can no longer be opened. Its audit log stays as long as the
//! retention says, and its row stays, so that no other tenant gets its id.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::events::{TenantDeleted, TenantRestored};
use svc_core::{AccountId, Cx, Error, Result, Seconds, TenantId, Timestamp};
use svc_db::{Db, System, SystemSql, Tx, args, change_system_sql, quiet_system_sql, system_sql};

use crate::grants::ending;
use crate::log::{Action, Log, Meaning, change_across};
use crate::people::{credentials, leaving, standing};
use crate::tenancy::tenants::{self, records};

/// Most people who are removed in one transaction.
const BATCH: i64 = 200;
/// Longer than the difference between the clocks of two nodes plus the duration of a request.
const BEYOND_RECALL: Seconds = Seconds(3_600);

/// Rows that go with a tenant.
struct Removed {
    table: &'static str,
    delete: SystemSql,
}

macro_rules! removed {
    ($($table:literal)+) => {
        /// In an order that respects references; rows that refer to a removed row are removed with it (`ON DELETE CASCADE`).
        const REMOVED: &[Removed] = &[$(Removed {
            table: $table,
            delete: quiet_system_sql!(
                "goes with the tenant, whose end is recorded",
                "DELETE FROM ", $table, " WHERE tenant_id = $1"
            ),
        }),+];
    };
}

removed! {
    "custom_domains" "audit_streams" "scim_links" "scim_target_people" "scim_targets" "webhook_attempts" "deliveries" "webhooks" "outbox" "events" "event_positions" "signal_events" "signal_streams" "mails" "logout_deliveries"
    "codes" "refresh_tokens" "refresh_families" "par_requests" "device_codes" "ciba_requests" "links" "delegations"
    "consented_details" "consents" "session_clients" "sso_sessions" "sso_identities" "login_history" "sessions" "pairwise_subjects" "api_keys" "trusted_subjects" "organization_subjects"
    "trusted_issuers" "spent_assertions" "registrations" "registration_tokens" "app_origins" "apps" "apis"
    "hooks" "hook_modules" "hook_sets" "connectors" "connector_sets"
    "policy_shadows" "policy_decisions" "policy_versions" "policy_sets" "policies" "scim_group_roles" "scim_group_members"
    "scim_groups" "scim_user_emails" "scim_user_values" "scim_users" "scim_schemas" "scim_tokens" "sso_connections" "organization_invitations" "organization_domains"
    "organization_roles" "organization_members" "organization_sizes" "organizations" "look_sets"
    "group_nesting" "group_members" "group_roles" "user_groups" "role_members" "roles" "import_chunks" "imports"
    "imported_people" "recovery_answers" "recovery_browsers" "recovery_cases" "guardian_rules" "guardians" "impersonations" "terms_acceptances" "terms" "sign_up_field_asks" "sign_up_fields" "intake_sets" "tenant_user_names" "tenant_users" "revocations" "idempotency_keys" "monthly_uses" "tenant_keys"
}

/// Tables of tenants whose rows stay, each for its reason.
pub const KEPT: &[(&str, &str)] = &[
    ("audit_log", "ends with its retention, and says who deleted the tenant"),
    ("audit_chains", "the places of these entries"),
    ("audit_checkpoints", "what was signed of them"),
];

/// The tables whose rows go with a tenant.
pub fn removed_tables() -> impl Iterator<Item = &'static str> {
    REMOVED.iter().map(|removed| removed.table)
}

/// Suspends a tenant, to be removed when `grace` is over; returns when that is. `conflict` where it is being deleted already.
pub async fn begin(tx: &mut Tx<System>, cx: &Cx, id: TenantId, grace: Seconds) -> Result<Timestamp> {
    let delete_at = cx.now + grace;
    let update = change_system_sql!(
        "UPDATE tenants SET status_before = status, status = 'suspended', delete_at = $2, updated_at = $3, \
         version = version + 1 WHERE id = $1 AND delete_at IS NULL RETURNING slug"
    );
    let changed = change_across(tx, cx, update, args![id, delete_at, cx.now], |row| {
        let event = TenantDeleted { slug: row.text("slug")?, delete_at };
        let meaning = Meaning::done(Action::TenantDeletionBegun, id).with(json!({ "delete_at": delete_at }));
        Ok((Log::Of(id.reference()), meaning.telling(event)))
    })
    .await?;
    if changed.is_empty() {
        return Err(Error::conflict("the tenant is being deleted already"));
    }
    ending::of_tenant(tx, cx, id).await?;
    Ok(delete_at)
}

/// Restores a tenant whose removal has not begun. It answers again, unless it was suspended before. `conflict` where it is not being
/// deleted, or its time to be restored is over.
pub async fn restore(tx: &mut Tx<System>, cx: &Cx, id: TenantId) -> Result<()> {
    let update = change_system_sql!(
        "UPDATE tenants SET status = COALESCE(status_before, 'active'), status_before = NULL, delete_at = NULL, \
         updated_at = $2, version = version + 1 WHERE id = $1 AND delete_at > $2 AND deleted_at IS NULL RETURNING slug, status"
    );
    let changed = change_across(tx, cx, update, args![id, cx.now], |row| {
        let event = TenantRestored { slug: row.text("slug")?, status: row.text("status")? };
        let facts = json!({ "status": event.status });
        Ok((Log::Of(id.reference()), Meaning::done(Action::TenantRestored, id).with(facts).telling(event)))
    })
    .await?;
    if changed.is_empty() {
        return Err(Error::conflict("the tenant is not being deleted, or its removal has begun"));
    }
    ending::late_at_tenant(tx, cx, id).await
}

/// Removes the rows of a tenant that is due for removal, table by table; the next run continues where this one was interrupted. Returns
/// how many rows were removed, or `None` where no tenant is due.
pub async fn remove_next(db: &Db, cx: &Cx, now: Timestamp) -> Result<Option<u64>> {
    let due = system_sql!(
        "SELECT id AS tenant_id FROM tenants WHERE delete_at <= $1 AND deleted_at IS NULL ORDER BY delete_at LIMIT 1"
    );
    let Some(row) = db.read_system().await?.optional(due, args![now]).await? else { return Ok(None) };
    let id = tenants::of_row(&row)?;
    let mut tx = db.begin_system().await?;
    records::hold(&mut tx, id.reference());
    if !is_begun(&mut tx, id, now).await? {
        // It has just been restored.
        tx.rollback().await?;
        return Ok(Some(0));
    }
    standing::destroy_keys(&mut tx, cx, id).await?;
    tx.commit().await?;
    let mut rows = 0;
    for removed in REMOVED {
        if removed.table == "tenant_users" {
            rows += remove_people(db, cx, id).await?;
        }
        let mut tx = db.begin_system().await?;
        rows += tx.execute(removed.delete, args![id]).await?;
        tx.commit().await?;
    }
    end(db, cx, id).await?;
    Ok(Some(rows))
}

/// Whether the tenant is still to be removed. It is due so long after its time to be restored that neither a node whose clock is behind
/// nor a request that began earlier can restore a tenant that is removed in part.
async fn is_begun(tx: &mut Tx<System>, id: TenantId, now: Timestamp) -> Result<bool> {
    let update = quiet_system_sql!(
        "goes with the tenant, whose end is recorded",
        "UPDATE tenants SET delete_at = CASE WHEN delete_at > $2 THEN $2 ELSE delete_at END \
         WHERE id = $1 AND delete_at <= $3 AND deleted_at IS NULL"
    );
    Ok(tx.execute(update, args![id, now - BEYOND_RECALL, now]).await? > 0)
}

/// Removes the people, in batches. The account of a person who belongs to no other tenant is removed as well, or emptied where an ended
/// membership still refers to it. This is checked after the membership is removed, because one in another tenant may have ended just
/// before. Links that other tenants have mailed to a removed account end with it.
async fn remove_people(db: &Db, cx: &Cx, id: TenantId) -> Result<u64> {
    let links = quiet_system_sql!(
        "goes with the tenant, whose end is recorded",
        "DELETE FROM links WHERE account_id IN (SELECT u.account_id FROM tenant_users u WHERE u.tenant_id = $1 AND NOT EXISTS \
         (SELECT 1 FROM tenant_users o WHERE o.account_id = u.account_id AND o.tenant_id <> $1))"
    );
    let people = system_sql!("SELECT account_id FROM tenant_users WHERE tenant_id = $1 LIMIT $2");
    let membership = quiet_system_sql!(
        "goes with the tenant, whose end is recorded",
        "DELETE FROM tenant_users WHERE tenant_id = $1 AND account_id = $2"
    );
    let account = quiet_system_sql!(
        "goes with the tenant, whose end is recorded",
        "DELETE FROM accounts WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM tenant_users u WHERE u.account_id = accounts.id)"
    );
    let mut tx = db.begin_system().await?;
    let mut rows = tx.execute(links, args![id]).await?;
    loop {
        let found = tx.all(people, args![id, BATCH]).await?;
        // All are held before the first membership goes, in the order of their ids, so that of two who hold several neither waits for one
        // that waits for it.
        let accounts =
            found.iter().map(|person| person.parse("account_id")).collect::<Result<BTreeSet<AccountId>>>()?;
        for account_id in &accounts {
            credentials::hold(&mut tx, *account_id);
        }
        for account_id in accounts {
            rows += tx.execute(membership, args![id, account_id]).await?;
            let gone = tx.execute(account, args![account_id]).await?;
            if gone == 0 {
                leaving::erase(&mut tx, account_id, cx.now).await?;
            }
            rows += gone;
        }
        tx.commit().await?;
        if found.is_empty() {
            return Ok(rows);
        }
        tx = db.begin_system().await?;
    }
}

/// Marks the tenant as deleted, frees its slug and its domain, and clears what else its row says of it.
async fn end(db: &Db, cx: &Cx, id: TenantId) -> Result<()> {
    let mut tx = db.begin_system().await?;
    let update = change_system_sql!(
        "UPDATE tenants SET deleted_at = $2, updated_at = $2, version = version + 1, slug = $3, name = '', \
         custom_domain = NULL, settings = '{}', texts = NULL, plan_id = NULL, own_keys_wanted_at = NULL, status_before = NULL \
         WHERE id = $1 AND deleted_at IS NULL RETURNING id"
    );
    // No host label has an underscore, so that no tenant can be given this one.
    let slug = format!("deleted_{id}");
    change_across(&mut tx, cx, update, args![id, cx.now, slug], |_| {
        Ok((Log::Of(id.reference()), Meaning::done(Action::TenantDeleted, id)))
    })
    .await?;
    tx.commit().await
}
