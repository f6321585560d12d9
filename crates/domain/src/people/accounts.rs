//! Accounts: people with credentials, known to the whole deployment.

use serde_json::json;
use svc_core::events::{AccountCreated, EmailChanged, EmailVerified, PasswordChanged, ProfileChanged};
use svc_core::{AccountId, Cx, Error, Result, TenantId, TenantUserId, Timestamp};
use svc_db::{
    AccountSql, Call, Change, Row, Tenant, Tx, Value, account_sql, args, change_account_sql,
    quiet_account_sql,
};

pub use super::email::Email;
use crate::claims::profile::Profile;
use crate::document;
use crate::log::{Action, Meaning, change, change_later, check_version};
use crate::people::credentials;
use crate::people::tenant_users::Person;

/// A person with credentials, wherever they are a member.
#[derive(Clone, Debug)]
pub struct Account {
    /// The account.
    pub id: AccountId,
    /// Whether it may sign in anywhere.
    pub is_active: bool,
    /// Its address.
    pub email: Option<String>,
    /// Whether the address was proven.
    pub email_verified: bool,
    /// Standard claims.
    pub profile: Profile,
    /// The password as a PHC string.
    pub password: Option<String>,
    /// Sessions and families older than this are over.
    pub credentials_changed_at: Timestamp,
}

/// What a new account starts with.
pub struct NewAccount {
    /// The address, if any.
    pub email: Option<Email>,
    /// Whether a person proved to own it.
    pub email_verified: bool,
    /// The password as a PHC string, if any.
    pub password: Option<String>,
    /// Standard claims.
    pub profile: Profile,
}

/// Creates an account; the e-mail address must be free.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewAccount) -> Result<AccountId> {
    create_as(tx, cx, cx.id(), new).await
}

/// Creates an account whose id was told before, to its first passkey.
pub async fn create_as(tx: &mut Tx<Tenant>, cx: &Cx, id: AccountId, new: &NewAccount) -> Result<AccountId> {
    change(tx, cx, insertion(), &values(cx, id, new, None)?, created(new)).await?;
    Ok(id)
}

/// Creates an account that the tenant manages for its person, until the account becomes a member of another tenant.
pub async fn create_managed(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewAccount) -> Result<AccountId> {
    let (id, manager) = (cx.id(), Some(tx.tenant()));
    change(tx, cx, insertion(), &values(cx, id, new, manager)?, created(new)).await?;
    Ok(id)
}

/// The same, sent with the next statement: its failure, where the address is taken meanwhile, is the failure of that.
pub(crate) fn create_managed_later(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewAccount) -> Result<AccountId> {
    let (id, manager) = (cx.id(), Some(tx.tenant()));
    change_later(tx, cx, insertion(), &values(cx, id, new, manager)?, created(new));
    Ok(id)
}

fn insertion() -> Change<AccountSql> {
    change_account_sql!(
        "INSERT INTO accounts (id, status, email, email_key, email_verified, profile, password, credentials_changed_at, \
         created_at, updated_at, managed_by) VALUES ($1, 'active', $2, $3, $4, $5, $6, $7, $7, $7, $8)"
    )
}

/// What is stored of a new account, which a tenant manages if one is named.
fn values(cx: &Cx, id: AccountId, new: &NewAccount, manager: Option<TenantId>) -> Result<[Value; 8]> {
    let email = new.email.as_ref();
    Ok([
        id.into(),
        email.map(Email::as_str).map(str::to_owned).into(),
        email.map(Email::key).into(),
        new.email_verified.into(),
        document::store(&new.profile)?.into(),
        new.password.clone().into(),
        cx.now.into(),
        manager.into(),
    ])
}

/// What it means to the tenant, which is not to see what an account is called in the whole deployment.
fn created(new: &NewAccount) -> Meaning {
    let (email_verified, has_password) = (new.email_verified, new.password.is_some());
    Meaning::done(Action::AccountCreated, "")
        .with(json!({ "email_verified": email_verified, "has_password": has_password }))
        .telling(AccountCreated { email_verified, has_password })
}

/// Has the owner of an account that was just created replace its password, which another person has chosen.
pub async fn have_password_replaced(tx: &mut Tx<Tenant>, id: AccountId) -> Result<()> {
    let update = quiet_account_sql!(
        "goes with the account, whose creation is recorded",
        "UPDATE accounts SET password_must_change = $2 WHERE id = $1"
    );
    tx.execute(update, args![id, true]).await.map(drop)
}

/// Whether the tenant manages the account: it created it, and no other tenant has it as a member.
pub async fn is_managed(tx: &mut Tx<Tenant>, id: AccountId) -> Result<bool> {
    let [rows] = tx.batch([of_managed(tx, id)]).await?;
    Ok(!rows.is_empty())
}

/// Selects the account where the tenant manages it, to be read with others in one round trip: no row where not.
pub(crate) fn of_managed(tx: &Tx<Tenant>, id: AccountId) -> Call {
    let select = account_sql!("SELECT id FROM accounts WHERE id = $1 AND managed_by = $2");
    tx.call(select, args![id, tx.tenant()])
}

/// Gives an account that the tenant manages another address, that no person has proven to own; returns whether anything
/// changed. The address must be free.
pub(crate) async fn set_unproven_address(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    email: Option<&Email>,
) -> Result<bool> {
    let update = change_account_sql!(
        "UPDATE accounts SET email = $2, email_key = $3, updated_at = $4, named_since = $4 WHERE id = $1 AND managed_by = $5 \
         AND email_verified = $6 AND COALESCE(email, '') <> COALESCE($2, '')"
    );
    let meaning = Meaning::done(Action::ProfileChanged, person.id)
        .telling(ProfileChanged { tenant_user_id: person.id });
    let address = email.map(|email| email.as_str().to_owned());
    let arguments = args![person.account_id, address, email.map(Email::key), cx.now, tx.tenant(), false];
    Ok(change(tx, cx, update, arguments, meaning).await? > 0)
}

/// Takes the address from an account that the tenant manages and whose membership has ended.
pub(crate) fn release_address(tx: &mut Tx<Tenant>, cx: &Cx, id: AccountId) {
    let update = quiet_account_sql!(
        "goes with the membership, whose end is recorded",
        "UPDATE accounts SET email = NULL, email_key = NULL, updated_at = $3 WHERE id = $1 AND managed_by = $2"
    );
    tx.later(update, args![id, tx.tenant(), cx.now]);
}

/// Whether another tenant manages the account, and with it chooses its password.
pub async fn is_managed_elsewhere(tx: &mut Tx<Tenant>, id: AccountId) -> Result<bool> {
    let select = account_sql!("SELECT id FROM accounts WHERE id = $1 AND managed_by <> $2");
    Ok(tx.optional(select, args![id, tx.tenant()]).await?.is_some())
}

/// An account that becomes a member, or whose owner takes it over, is no other tenant's to manage any more.
pub(crate) fn claimed(tx: &mut Tx<Tenant>, id: AccountId) {
    let update = quiet_account_sql!(
        "goes with the membership or the new password, which is recorded",
        "UPDATE accounts SET managed_by = NULL WHERE id = $1 AND managed_by <> $2"
    );
    tx.later(update, args![id, tx.tenant()]);
}

/// Whether all that the account has is its owner's choice: the owner has proven the address, and no other tenant manages the account.
pub async fn is_its_owners(tx: &mut Tx<Tenant>, account: &Account) -> Result<bool> {
    Ok(account.email_verified && !is_managed_elsewhere(tx, account.id).await?)
}

/// One account.
pub async fn find<S>(tx: &mut Tx<S>, id: AccountId) -> Result<Option<Account>> {
    let [rows] = tx.batch([of_id(tx, Some(id))]).await?;
    one(&rows)
}

/// Selects one account, or none, to be read with others in one round trip.
pub(crate) fn of_id<S>(tx: &Tx<S>, id: Option<AccountId>) -> Call {
    let select = account_sql!(
        "SELECT id, status, email, email_verified, profile, password, credentials_changed_at \
         FROM accounts WHERE id = $1"
    );
    tx.call(select, args![id])
}

/// The account that answers to an address.
pub async fn find_by_email<S>(tx: &mut Tx<S>, email: &Email) -> Result<Option<Account>> {
    let [rows] = tx.batch([of_email(tx, email)]).await?;
    one(&rows)
}

/// Selects the account that answers to an address, to be read with others in one round trip.
pub(crate) fn of_email<S>(tx: &Tx<S>, email: &Email) -> Call {
    let select = account_sql!(
        "SELECT id, status, email, email_verified, profile, password, credentials_changed_at \
         FROM accounts WHERE email_key = $1"
    );
    tx.call(select, args![email.key()])
}

/// The account that a statement yielded.
pub(crate) fn one(rows: &[Row]) -> Result<Option<Account>> {
    rows.first().map(account).transpose()
}

/// Whose password is set, and how.
pub(crate) struct Setting<'a> {
    /// The account, as it was read.
    pub account: &'a Account,
    /// Its membership in the tenant, if there is one.
    pub member: Option<TenantUserId>,
    /// Whether there was no password before.
    pub is_first: bool,
    /// Whether the owner has to replace it.
    pub must_change: bool,
    /// The password as a PHC string.
    pub phc: &'a str,
    /// What it is called in the audit log.
    pub action: Action,
}

/// Holds an account with its credentials until the transaction ends. `conflict` where its address or its credentials have changed since it
/// was read: what a person has proven was proven of those.
pub async fn hold(tx: &mut Tx<Tenant>, account: &Account) -> Result<()> {
    credentials::hold(tx, account.id);
    let update = quiet_account_sql!(
        "holds a row",
        "UPDATE accounts SET updated_at = updated_at WHERE id = $1 AND credentials_changed_at = $2 AND COALESCE(email, '') = $3"
    );
    let email = account.email.as_deref().unwrap_or_default();
    let held = tx.execute(update, args![account.id, account.credentials_changed_at, email]).await?;
    check_version(held, "the account")
}

/// Holds an account that is to become a member, so that it is not emptied because its last membership has ended. `conflict` where it just
/// was.
pub async fn hold_for_member(tx: &mut Tx<Tenant>, id: AccountId) -> Result<()> {
    let select = account_sql!(
        "SELECT id FROM accounts WHERE id = $1 AND (status = 'active' OR email_key IS NOT NULL)"
    );
    credentials::hold(tx, id);
    let is_there = tx.optional(select, args![id]).await?.is_some();
    if is_there { Ok(()) } else { Err(Error::conflict("the account has just been deleted")) }
}

/// Refuses where an account has other credentials by now than when it was read. Asked once they are held, so that it stays so: who takes
/// the account back is not outrun by who is in it.
pub async fn must_be_as_read(tx: &mut Tx<Tenant>, id: AccountId, changed_at: Timestamp) -> Result<()> {
    let select = account_sql!("SELECT id FROM accounts WHERE id = $1 AND credentials_changed_at = $2");
    if tx.optional(select, args![id, changed_at]).await?.is_some() {
        return Ok(());
    }
    Err(Error::forbidden("the credentials of the account have changed meanwhile; sign in again"))
}

/// Sets a password; sessions and refresh families that are older no longer count. `conflict` where the credentials have changed since
/// the account was read: who takes it back is not outrun by who is in it.
pub(crate) async fn set_password(tx: &mut Tx<Tenant>, cx: &Cx, new: Setting<'_>) -> Result<()> {
    let update = change_account_sql!(
        "UPDATE accounts SET password = $2, credentials_changed_at = $3, updated_at = $3, password_must_change = $4 \
         WHERE id = $1 AND credentials_changed_at = $5"
    );
    let event = PasswordChanged { tenant_user_id: new.member, is_first: new.is_first };
    let meaning = Meaning::done(new.action, called(new.member)).telling(event);
    let Account { id, credentials_changed_at, .. } = new.account;
    let arguments = args![*id, new.phc, cx.now, new.must_change, *credentials_changed_at];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the account")
}

/// Selects the account where its owner has to replace the password, to be read with others in one round trip: no row where not.
pub(crate) fn of_given_password<S>(tx: &Tx<S>, id: AccountId) -> Call {
    let select = account_sql!("SELECT id FROM accounts WHERE id = $1 AND password_must_change = $2");
    tx.call(select, args![id, true])
}

/// Whether the owner of an account has to replace its password.
pub async fn must_change_password<S>(tx: &mut Tx<S>, id: AccountId) -> Result<bool> {
    let [rows] = tx.batch([of_given_password(tx, id)]).await?;
    Ok(!rows.is_empty())
}

/// Takes away a password that may be another person's choice.
pub(crate) async fn remove_password(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (id, member): (AccountId, Option<TenantUserId>),
) -> Result<()> {
    let update = change_account_sql!(
        "UPDATE accounts SET password = NULL, updated_at = $2 WHERE id = $1 AND password IS NOT NULL"
    );
    let meaning = Meaning::done(Action::PasswordRemoved, called(member));
    change(tx, cx, update, args![id, cx.now], meaning).await.map(drop)
}

/// Lets everything end that is older, as a new password does where there is one; what ended it is recorded.
pub(crate) async fn end_what_is_older(tx: &mut Tx<Tenant>, cx: &Cx, id: AccountId) -> Result<()> {
    let update = quiet_account_sql!(
        "what ended it is recorded",
        "UPDATE accounts SET credentials_changed_at = $2, updated_at = $2 WHERE id = $1"
    );
    tx.execute(update, args![id, cx.now]).await.map(drop)
}

/// Replaces the hash of an unchanged password by one with today's parameters.
pub fn rehash_password<S>(tx: &mut Tx<S>, id: AccountId, old: &str, new: &str) {
    let update = quiet_account_sql!(
        "the same password, hashed with other parameters",
        "UPDATE accounts SET password = $3 WHERE id = $1 AND password = $2"
    );
    tx.later(update, args![id, old, new]);
}

/// Records that a person proved to own this address of the account. `conflict` where the account has another one by now.
pub(crate) async fn verify_email(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (id, email): (AccountId, Option<&str>),
    member: Option<TenantUserId>,
) -> Result<()> {
    let update = change_account_sql!(
        "UPDATE accounts SET email_verified = $2, updated_at = $3 WHERE id = $1 AND COALESCE(email, '') = $4"
    );
    let meaning = Meaning::done(Action::AddressVerified, called(member))
        .telling(EmailVerified { tenant_user_id: member });
    let arguments = args![id, true, cx.now, email.unwrap_or_default()];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the account")
}

/// Gives an account an address that its owner has proven to own; false where the account has another address than `before` by
/// now, or other credentials than when `person` was read. `conflict` where another account has the new one.
pub(crate) async fn set_proven_address(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (before, after): (Option<&str>, &Email),
) -> Result<bool> {
    let update = change_account_sql!(
        "UPDATE accounts SET email = $2, email_key = $3, email_verified = $4, updated_at = $5, named_since = $5 \
         WHERE id = $1 AND COALESCE(email, '') = $6 AND credentials_changed_at = $7"
    );
    let meaning =
        Meaning::done(Action::AddressChanged, person.id).telling(EmailChanged { tenant_user_id: person.id });
    let (address, key) = (after.as_str().to_owned(), after.key());
    let (before, since) = (before.unwrap_or_default(), person.credentials_changed_at);
    let arguments = args![person.account_id, address, key, true, cx.now, before, since];
    let changed = change(tx, cx, update, arguments, meaning).await;
    Ok(changed.map_err(|error| error.if_taken("email: another account has this address"))? > 0)
}

/// Makes the profile so; returns whether anything changed.
pub(crate) async fn set_profile(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    id: AccountId,
    (profile, member): (&Profile, TenantUserId),
) -> Result<bool> {
    let update = change_account_sql!(
        "UPDATE accounts SET profile = $2, updated_at = $3 WHERE id = $1 AND profile <> $2"
    );
    let meaning =
        Meaning::done(Action::ProfileChanged, member).telling(ProfileChanged { tenant_user_id: member });
    Ok(change(tx, cx, update, args![id, document::store(profile)?, cx.now], meaning).await? > 0)
}

/// Takes a number out of the profile that was proven by another person than the one who has the account from now on.
pub(crate) async fn forget_number(tx: &mut Tx<Tenant>, cx: &Cx, account: &Account) -> Result<()> {
    let update = quiet_account_sql!(
        "goes with the credential, whose end is recorded",
        "UPDATE accounts SET profile = $2, updated_at = $3 WHERE id = $1"
    );
    let profile = Profile { phone_number: None, phone_number_verified: false, ..account.profile.clone() };
    tx.execute(update, args![account.id, document::store(&profile)?, cx.now]).await.map(drop)
}

/// What a tenant's audit log calls the owner of an account: by their membership, or not at all.
fn called(member: Option<TenantUserId>) -> String {
    member.map(|member| member.to_string()).unwrap_or_default()
}

fn account(row: &Row) -> Result<Account> {
    Ok(Account {
        id: row.parse("id")?,
        is_active: row.text("status")? == "active",
        email: row.maybe_text("email")?,
        email_verified: row.flag("email_verified")?,
        profile: document::load(row, "profile")?,
        password: row.maybe_text("password")?,
        credentials_changed_at: row.time("credentials_changed_at")?,
    })
}
