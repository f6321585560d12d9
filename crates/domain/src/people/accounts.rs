//! Accounts: people with credentials, known to the whole deployment.

use svc_core::{AccountId, Cx, Error, Result, Timestamp};
use svc_db::{Row, Tx, account_sql, args};

use crate::claims::profile::Profile;
use crate::document;

/// An e-mail address that can be written to: ASCII, one `@`, a host name behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses what a person typed. The text is kept as typed; uniqueness ignores case.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let invalid = || Error::bad_request("email: give an address such as name@example.com");
        let (local, domain) = text.split_once('@').ok_or_else(invalid)?;
        let is_local = (1..=64).contains(&local.len())
            && local
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte))
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..");
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let is_domain = domain.len() <= 253 && domain.contains('.') && domain.split('.').all(is_label);
        if is_local && is_domain { Ok(Self(text.to_owned())) } else { Err(invalid()) }
    }

    /// The address as the person wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The one form under which it is unique.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

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
    /// Whether somebody proved to own it.
    pub email_verified: bool,
    /// The password as a PHC string, if any.
    pub password: Option<String>,
    /// Standard claims.
    pub profile: Profile,
}

/// Creates an account; the e-mail address must be free.
pub async fn create<S>(tx: &mut Tx<S>, cx: &Cx, new: &NewAccount) -> Result<AccountId> {
    let id: AccountId = cx.id();
    let insert = account_sql!(
        "INSERT INTO accounts (id, status, email, email_key, email_verified, profile, password, credentials_changed_at, \
         created_at, updated_at) VALUES ($1, 'active', $2, $3, $4, $5, $6, $7, $7, $7)"
    );
    let email = new.email.as_ref();
    let arguments = args![
        id,
        email.map(|email| email.as_str().to_owned()),
        email.map(Email::key),
        new.email_verified,
        document::store(&new.profile)?,
        new.password.clone(),
        cx.now
    ];
    tx.execute(insert, arguments).await?;
    Ok(id)
}

/// One account.
pub async fn find<S>(tx: &mut Tx<S>, id: AccountId) -> Result<Option<Account>> {
    let select = account_sql!(
        "SELECT id, status, email, email_verified, profile, password, credentials_changed_at \
         FROM accounts WHERE id = $1"
    );
    tx.optional(select, args![id]).await?.as_ref().map(account).transpose()
}

/// The account that answers to an address.
pub async fn find_by_email<S>(tx: &mut Tx<S>, email: &Email) -> Result<Option<Account>> {
    let select = account_sql!(
        "SELECT id, status, email, email_verified, profile, password, credentials_changed_at \
         FROM accounts WHERE email_key = $1"
    );
    tx.optional(select, args![email.key()]).await?.as_ref().map(account).transpose()
}

/// Sets a password; sessions and refresh families that are older no longer count.
pub(crate) async fn set_password<S>(tx: &mut Tx<S>, cx: &Cx, id: AccountId, phc: &str) -> Result<()> {
    let update = account_sql!(
        "UPDATE accounts SET password = $2, credentials_changed_at = $3, updated_at = $3 WHERE id = $1"
    );
    tx.execute(update, args![id, phc, cx.now]).await.map(|_| ())
}

/// Replaces the hash of an unchanged password by one with today's parameters.
pub async fn rehash_password<S>(tx: &mut Tx<S>, id: AccountId, old: &str, new: &str) -> Result<()> {
    let update = account_sql!("UPDATE accounts SET password = $3 WHERE id = $1 AND password = $2");
    tx.execute(update, args![id, old, new]).await.map(|_| ())
}

/// Records that somebody proved to own the account's address.
pub(crate) async fn verify_email<S>(tx: &mut Tx<S>, cx: &Cx, id: AccountId) -> Result<()> {
    let update = account_sql!("UPDATE accounts SET email_verified = $2, updated_at = $3 WHERE id = $1");
    tx.execute(update, args![id, true, cx.now]).await.map(|_| ())
}

/// Makes the profile so; returns whether anything changed.
pub(crate) async fn set_profile<S>(
    tx: &mut Tx<S>,
    id: AccountId,
    profile: &Profile,
    now: Timestamp,
) -> Result<bool> {
    let update =
        account_sql!("UPDATE accounts SET profile = $2, updated_at = $3 WHERE id = $1 AND profile <> $2");
    Ok(tx.execute(update, args![id, document::store(profile)?, now]).await? > 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_could_be_somebody_elses_are_refused() {
        for bad in [
            "", "a", "a@", "@b.c", "a@b", "a@b@c.d", "ａ@b.cd", "a＠b.cd", "a@b.cd.", ".a@b.cd", "a b@c.de",
            "a@-b.cd",
        ] {
            assert!(Email::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn case_does_not_make_another_address() {
        assert_eq!(Email::parse(" Ada@Example.COM ").unwrap().key(), "ada@example.com");
    }
}
