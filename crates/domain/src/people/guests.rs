//! Guests: people who have not said who they are. A guest is an account without an address and a credential, a member of one tenant,
//! who is reached by a session alone. It becomes a person's, under the same `sub`, with the first address and credential; what is not
//! used any more is deleted.

use std::borrow::Cow;

use serde_json::json;
use svc_core::events::{GuestCreated, GuestKept};
use svc_core::{AppId, Cx, Error, Result, Seconds, TenantId, TenantUserId, Timestamp};
use svc_db::{Db, Tenant, Tx, args, change_sql, quiet_account_sql, quiet_sql, sql, system_sql};

use crate::claims::profile::{Known, Profile};
use crate::delivery::signals;
use crate::document;
use crate::log::{Action, Meaning, change};
use crate::people::accounts::{self, Email, NewAccount};
use crate::people::changes;
use crate::people::credentials::{self, Kind, Owner};
use crate::people::leaving;
use crate::people::tenant_users::{self, NewMember, Person};
use crate::tenancy::tenants;

/// How exactly it is known when a guest was last used.
const GRAIN: Seconds = Seconds(3600);

/// What a guest gives to keep the account.
pub struct Given<'a> {
    /// An address that the person has proven to own.
    pub email: &'a Email,
    /// The name, if the person has said one.
    pub name: Option<String>,
    /// The language, if the person has chosen one.
    pub locale: Option<String>,
    /// The password as a PHC string; `None` where another credential is added in the same transaction.
    pub password: Option<&'a str>,
}

/// Creates a guest, who came by this application.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, app: AppId) -> Result<Person> {
    let account =
        NewAccount { email: None, email_verified: false, password: None, profile: Profile::default() };
    let account = accounts::create(tx, cx, &account).await?;
    let id = tenant_users::create(tx, cx, NewMember::of(account)).await?;
    let update = change_sql!(
        "UPDATE tenant_users SET guest_used_at = $3, guest_app_id = $4, updated_at = $3, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2"
    );
    let meaning = Meaning::done(Action::GuestCreated, id)
        .with(json!({ "app_id": app }))
        .telling(GuestCreated { tenant_user_id: id, client_id: app });
    change(tx, cx, update, args![id, cx.now, app], meaning).await?;
    let person = tenant_users::find(tx, id).await?;
    person.ok_or_else(|| Error::internal("a membership vanished in its own transaction"))
}

/// The application by which a guest came.
pub async fn came_by(tx: &mut Tx<Tenant>, guest: TenantUserId) -> Result<Option<AppId>> {
    let select = sql!("SELECT guest_app_id FROM tenant_users WHERE tenant_id = $1 AND id = $2");
    let Some(row) = tx.optional(select, args![guest]).await? else { return Ok(None) };
    row.maybe_parse("guest_app_id")
}

/// Notes that a guest was used; at most one write an hour.
pub fn note_use(tx: &mut Tx<Tenant>, person: &Person, now: Timestamp) {
    if person.guest_used_at.is_none_or(|used_at| now - used_at < GRAIN) {
        return;
    }
    let update = quiet_sql!(
        "notes when a guest was used",
        "UPDATE tenant_users SET guest_used_at = $3 WHERE tenant_id = $1 AND id = $2 AND guest_used_at <= $4"
    );
    tx.later(update, args![person.id, now, now - GRAIN]);
}

/// Makes a guest a person who is known, under the same subject; false where it is none any more. Every session, refresh family,
/// token and credential ends: another person may have them. `conflict` where another account has the address.
pub async fn keep(tx: &mut Tx<Tenant>, cx: &Cx, guest: &Person, given: Given<'_>) -> Result<bool> {
    let update = change_sql!(
        "UPDATE tenant_users SET guest_used_at = NULL, guest_app_id = NULL, updated_at = $3, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND guest_used_at IS NOT NULL AND status = 'active'"
    );
    let meaning = Meaning::done(Action::GuestKept, guest.id)
        .telling(GuestKept { tenant_user_id: guest.id, sub: guest.subject.clone() });
    // The person may add a credential in the same transaction.
    credentials::hold(tx, guest.account_id);
    changes::hold_profile(tx, guest.account_id);
    // The account before the membership, as in `credentials::hold`.
    let held = quiet_account_sql!("holds a row", "UPDATE accounts SET updated_at = updated_at WHERE id = $1");
    tx.later(held, args![guest.account_id]);
    if change(tx, cx, update, args![guest.id, cx.now], meaning).await? == 0 {
        return Ok(false);
    }
    // As it is now that it is held: it may have changed since the guest was read.
    let present = changes::present_profile(tx, guest).await?;
    let locale = given.locale.or_else(|| present.locale.clone());
    let profile = Profile { name: given.name, locale, ..present };
    let account = quiet_account_sql!(
        "goes with the guest, who is recorded as known",
        "UPDATE accounts SET email = $2, email_key = $3, email_verified = $4, password = $5, profile = $6, \
         credentials_changed_at = $7, updated_at = $7, named_since = $7 WHERE id = $1"
    );
    let (email, key) = (given.email.as_str().to_owned(), given.email.key());
    let arguments =
        args![guest.account_id, email, key, true, given.password, document::store(&profile)?, cx.now];
    let changed = tx.execute(account, arguments).await;
    changed.map_err(|error| error.if_taken("email: another account has this address"))?;
    let known = Known {
        profile: Cow::Owned(profile.claims()),
        email: Some(given.email.as_str()),
        email_verified: true,
        ..guest.known()
    };
    signals::profile_changed(tx, cx, guest, &known).await?;
    for kind in Kind::ALL {
        credentials::remove_all(tx, cx, Owner::from(guest), *kind).await?;
    }
    tenant_users::end_access(tx, cx, guest).await?;
    Ok(true)
}

/// Deletes guests that were last used before then, at most so many; returns how many there were.
pub async fn end_unused(db: &Db, cx: &Cx, (used_before, most): (Timestamp, u32)) -> Result<u64> {
    let used_before = used_before - GRAIN;
    let unused = system_sql!(
        "SELECT tenant_id, id, account_id FROM tenant_users WHERE guest_used_at < $1 AND status <> 'removed' \
         ORDER BY guest_used_at LIMIT $2"
    );
    let rows = db.read_system().await?.all(unused, args![used_before, i64::from(most)]).await?;
    for row in &rows {
        let (tenant, id): (TenantId, TenantUserId) = (tenants::of_row(row)?, row.parse("id")?);
        let mut tx = db.begin(tenant).await?;
        credentials::hold(&mut tx, row.parse("account_id")?);
        // Held until the end: it may be used, or kept, at this moment.
        let hold = quiet_sql!(
            "holds a row",
            "UPDATE tenant_users SET guest_used_at = guest_used_at WHERE tenant_id = $1 AND id = $2 AND guest_used_at < $3"
        );
        if tx.execute(hold, args![id, used_before]).await? == 0 {
            tx.rollback().await?;
            continue;
        }
        leaving::end_at_once(db, cx, tx, id).await?;
    }
    Ok(rows.len() as u64)
}
