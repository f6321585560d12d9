//! People who delete their account (GDPR, Article 17): their sessions and tokens end at once, they may come back for a while, and
//! then the membership ends. With the last membership goes what the account says of them and opens it.

use serde_json::json;
use svc_core::events::{AccountDeletionBegun, AccountKept};
use svc_core::{AccountId, Cx, Error, Result, Seconds, TenantId, TenantUserId, Timestamp};
use svc_db::{Db, System, Tenant, Tx, args, change_sql, quiet_sql, quiet_system_sql, sql, system_sql};

use crate::log::{Action, Meaning, change};
use crate::people::tenant_users::{self, Person, Status};
use crate::people::{credentials, guardians, login_history, operators};
use crate::tenancy::tenants;

/// Ends all access of a person, whose membership is to end when `grace` is over; returns when that is. `conflict` where the person
/// owns an organization, is the last operator, or is leaving already.
pub async fn begin(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, grace: Seconds) -> Result<Timestamp> {
    if owns_an_organization(tx, person.id).await? {
        return Err(Error::conflict(
            "the owner of an organization stays; make another member the owner first",
        ));
    }
    // A sign-in that is under way is waited for, and what it begins ends too.
    credentials::hold(tx, person.account_id);
    operators::must_not_be_last(tx, person).await?;
    let delete_at = cx.now + grace;
    let update = change_sql!(
        "UPDATE tenant_users SET delete_at = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND delete_at IS NULL AND status <> 'removed'"
    );
    let meaning = Meaning::done(Action::AccountDeletionBegun, person.id)
        .with(json!({ "delete_at": delete_at }))
        .telling(AccountDeletionBegun { tenant_user_id: person.id, delete_at });
    if change(tx, cx, update, args![person.id, delete_at, cx.now], meaning).await? == 0 {
        return Err(Error::conflict("the account is being deleted already"));
    }
    tenant_users::end_access(tx, cx, person).await?;
    Ok(delete_at)
}

/// Lets a person stay who is leaving; returns whether anything changed.
pub async fn keep(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<bool> {
    let update = change_sql!(
        "UPDATE tenant_users SET delete_at = NULL, updated_at = $3, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND delete_at IS NOT NULL AND status <> 'removed'"
    );
    let meaning =
        Meaning::done(Action::AccountKept, person.id).telling(AccountKept { tenant_user_id: person.id });
    Ok(change(tx, cx, update, args![person.id, cx.now], meaning).await? > 0)
}

/// Lets a person stay whose account another person has set out to delete since then. When that was follows from when the time of
/// `grace` is over.
pub async fn keep_since(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (since, grace): (Timestamp, Seconds),
) -> Result<bool> {
    let begun_at = due_at(tx, person.id).await?.map(|due_at| due_at - grace);
    Ok(begun_at.is_some_and(|begun_at| begun_at >= since) && keep(tx, cx, person).await?)
}

/// When the membership of a person ends, if it is to end.
pub async fn due_at(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Option<Timestamp>> {
    let select = sql!("SELECT delete_at FROM tenant_users WHERE tenant_id = $1 AND id = $2");
    let row = tx.optional(select, args![person]).await?;
    Ok(row.map(|row| row.maybe_time("delete_at")).transpose()?.flatten())
}

async fn owns_an_organization(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<bool> {
    let select = sql!("SELECT id FROM organizations WHERE tenant_id = $1 AND owner_id = $2 LIMIT 1");
    Ok(tx.optional(select, args![person]).await?.is_some())
}

/// Ends memberships whose time is over, at most so many; returns how many there were. Who has become the owner of an organization
/// or the last operator meanwhile stays, and is not deleted any more.
pub async fn end_due(db: &Db, cx: &Cx, (now, most): (Timestamp, u32)) -> Result<u64> {
    let due = system_sql!(
        "SELECT tenant_id, id, account_id FROM tenant_users WHERE delete_at <= $1 ORDER BY delete_at LIMIT $2"
    );
    let rows = db.read_system().await?.all(due, args![now, i64::from(most)]).await?;
    for row in &rows {
        let (tenant, id): (TenantId, TenantUserId) = (tenants::of_row(row)?, row.parse("id")?);
        let mut tx = db.begin(tenant).await?;
        credentials::hold(&mut tx, row.parse("account_id")?);
        // Held until the end: its owner may keep it at this moment.
        let hold = quiet_sql!(
            "holds a row",
            "UPDATE tenant_users SET delete_at = delete_at WHERE tenant_id = $1 AND id = $2 AND delete_at <= $3"
        );
        if tx.execute(hold, args![id, now]).await? == 0 {
            tx.rollback().await?;
            continue;
        }
        end_at_once(db, cx, tx, id).await?;
    }
    Ok(rows.len() as u64)
}

/// Ends a membership, and with the last one what the account says and what opens it.
pub(super) async fn end_at_once(db: &Db, cx: &Cx, mut tx: Tx<Tenant>, id: TenantUserId) -> Result<()> {
    let tenant = tx.tenant();
    let account = end(&mut tx, cx, id).await?;
    tx.commit().await?;
    let Some(account) = account else { return Ok(()) };
    let mut tx = db.begin_system().await?;
    erase(&mut tx, account, cx.now).await?;
    // Not before: where this is interrupted, the next run does the rest.
    let done = quiet_system_sql!(
        "goes with the membership, whose end is recorded",
        "UPDATE tenant_users SET delete_at = NULL WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(done, args![tenant, id]).await?;
    tx.commit().await
}

/// Ends a membership; returns the account behind it.
async fn end(tx: &mut Tx<Tenant>, cx: &Cx, id: TenantUserId) -> Result<Option<AccountId>> {
    let Some(person) = tenant_users::find(tx, id).await? else { return Ok(None) };
    if owns_an_organization(tx, id).await? || operators::is_last(tx, &person).await? {
        keep(tx, cx, &person).await?;
        return Ok(None);
    }
    if person.status != Status::Removed {
        tenant_users::set_status(tx, cx, &person, Status::Removed).await?;
    }
    let forget = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "UPDATE tenant_users SET username = NULL, username_key = NULL, roles = '[]', updated_at = $3, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(forget, args![id, cx.now]).await?;
    let unbind = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM sso_identities WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    tx.execute(unbind, args![id]).await?;
    login_history::forget(tx, id).await?;
    guardians::forget(tx, cx, &person).await?;
    Ok(Some(person.account_id))
}

/// Empties an account that is a member of no tenant any more; its row stays, because memberships that have ended name it. It is held first:
/// who makes it a member of another tenant at this moment has done so by then, or finds it empty.
pub(crate) async fn erase(tx: &mut Tx<System>, account: AccountId, now: Timestamp) -> Result<()> {
    credentials::hold(tx, account);
    let empty = quiet_system_sql!(
        "goes with the last membership, whose end is recorded",
        "UPDATE accounts SET status = 'disabled', email = NULL, email_key = NULL, profile = '{}', password = NULL, \
         address_changes = NULL, updated_at = $2 WHERE id = $1 AND NOT EXISTS \
         (SELECT 1 FROM tenant_users u WHERE u.account_id = $1 AND u.status <> 'removed')"
    );
    tx.execute(empty, args![account, now]).await?;
    let credentials = quiet_system_sql!(
        "goes with the last membership, whose end is recorded",
        "DELETE FROM account_credentials WHERE account_id = $1 AND NOT EXISTS \
         (SELECT 1 FROM tenant_users u WHERE u.account_id = $1 AND u.status <> 'removed')"
    );
    tx.execute(credentials, args![account]).await?;
    Ok(())
}
