//! What operators take away and give back: a tenant, an account. Whatever was under way ends with it and does not come back.

use svc_core::events::{AccountDisabled, AccountEnabled, Event, TenantReactivated, TenantSuspended};
use svc_core::{AccountId, Cx, Error, Result, TenantId};
use svc_db::{System, Tx, args, change_system_sql, quiet_system_sql, system_sql};

use crate::delivery::signals;
use crate::grants::ending;
use crate::keys::tenant_keys;
use crate::log::{Action, Log, Meaning, change_across};
use crate::people::{credentials, operators};
use crate::tenancy::tenants::{self, records};

/// Suspends a tenant, which then answers nothing, or lets it answer again; returns whether anything changed.
pub async fn set_tenant_active(tx: &mut Tx<System>, cx: &Cx, id: TenantId, is_active: bool) -> Result<bool> {
    let update = change_system_sql!(
        "UPDATE tenants SET status = $2, updated_at = $3, version = version + 1 WHERE id = $1 AND status <> $2 \
         AND delete_at IS NULL RETURNING slug"
    );
    let status = if is_active { "active" } else { "suspended" };
    let changed = change_across(tx, cx, update, args![id, status, cx.now], |row| {
        let slug = row.text("slug")?;
        let (action, event) = if is_active {
            (Action::TenantReactivated, Event::from(TenantReactivated { slug }))
        } else {
            (Action::TenantSuspended, Event::from(TenantSuspended { slug }))
        };
        Ok((Log::Of(id.reference()), Meaning::done(action, id).telling(event)))
    })
    .await?;
    if changed.is_empty() {
        return Ok(false);
    }
    if is_active {
        ending::late_at_tenant(tx, cx, id).await?;
    } else {
        ending::of_tenant(tx, cx, id).await?;
    }
    Ok(true)
}

/// Destroys the keys of a suspended tenant, and what stands sealed by other keys in its name; returns how many keys. Fails with a
/// conflict where the tenant is active.
pub async fn destroy_keys(tx: &mut Tx<System>, cx: &Cx, id: TenantId) -> Result<u64> {
    // No one makes it active meanwhile.
    records::hold(tx, id.reference());
    let active = system_sql!("SELECT COUNT(*) AS count FROM tenants WHERE id = $1 AND status = 'active'");
    if tx.one(active, args![id]).await?.int("count")? > 0 {
        return Err(Error::conflict(
            "the tenant is active; suspend it first, because what its keys have sealed cannot be brought back",
        ));
    }
    let destroyed = tenant_keys::destroy(tx, cx, id).await?;
    for delete in [
        quiet_system_sql!(
            "goes with the tenant's keys, whose end is recorded",
            "DELETE FROM idempotency_keys WHERE tenant_id = $1"
        ),
        quiet_system_sql!(
            "goes with the tenant's keys, whose end is recorded",
            "DELETE FROM deliveries WHERE tenant_id = $1 AND queue = 'mails'"
        ),
        quiet_system_sql!(
            "goes with the tenant's keys, whose end is recorded",
            "UPDATE signal_streams SET sealed_authorization = NULL, authorization_header = NULL WHERE tenant_id = $1"
        ),
    ] {
        tx.execute(delete, args![id]).await?;
    }
    Ok(destroyed)
}

/// Disables an account, which then signs in nowhere, or enables it again; returns whether anything changed. The log of
/// every tenant that has it as a member says so, and so do its signals. `conflict` where the last operator would go by it.
pub async fn set_account_enabled(
    tx: &mut Tx<System>,
    cx: &Cx,
    id: AccountId,
    is_enabled: bool,
) -> Result<bool> {
    // A sign-in that is under way is waited for: what it begins is over by the time at which the account is enabled.
    credentials::hold(tx, id);
    if !is_enabled {
        operators::account_must_not_be_last(tx, id).await?;
    }
    if !set_status(tx, cx, id, is_enabled).await? {
        return Ok(false);
    }
    let members = change_system_sql!(
        "UPDATE tenant_users SET updated_at = $2, version = version + 1 WHERE account_id = $1 AND status <> 'removed' \
         RETURNING tenant_id, id"
    );
    let changed = change_across(tx, cx, members, args![id, cx.now], |row| {
        let tenant_user_id = row.parse("id")?;
        let (action, event) = if is_enabled {
            (Action::AccountEnabled, Event::from(AccountEnabled { tenant_user_id }))
        } else {
            (Action::AccountDisabled, Event::from(AccountDisabled { tenant_user_id }))
        };
        Ok((Log::Of(row.parse("tenant_id")?), Meaning::done(action, tenant_user_id).telling(event)))
    })
    .await?;
    for row in &changed {
        let member = (tenants::of_row(row)?, row.parse("id")?);
        signals::account_set(tx, cx, member, is_enabled).await?;
    }
    Ok(true)
}

/// Sets the status of an account, and deletes its API keys; false where it has the status already. What is older than its credentials is
/// over, in every tenant: what there was when it was disabled, and what was begun since by a request that had found it active.
async fn set_status(tx: &mut Tx<System>, cx: &Cx, id: AccountId, is_enabled: bool) -> Result<bool> {
    let update = if is_enabled {
        quiet_system_sql!(
            "goes with the memberships, whose change is recorded",
            "UPDATE accounts SET status = 'active', updated_at = $2, credentials_changed_at = $2, named_since = $2 \
             WHERE id = $1 AND status = 'disabled'"
        )
    } else {
        quiet_system_sql!(
            "goes with the memberships, whose change is recorded",
            "UPDATE accounts SET status = 'disabled', updated_at = $2, credentials_changed_at = $2 \
             WHERE id = $1 AND status = 'active'"
        )
    };
    if tx.execute(update, args![id, cx.now]).await? == 0 {
        return Ok(false);
    }
    let keys = quiet_system_sql!(
        "goes with the memberships, whose change is recorded",
        "DELETE FROM api_keys WHERE (tenant_id, tenant_user_id) IN \
         (SELECT tenant_id, id FROM tenant_users WHERE account_id = $1)"
    );
    tx.execute(keys, args![id]).await?;
    Ok(true)
}
