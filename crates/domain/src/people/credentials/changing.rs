//! Changes of credentials: added once something was proven with them, used, renamed, removed.

use serde::Serialize;
use serde_json::json;
use svc_core::events::{CredentialAdded, CredentialRemoved};
use svc_core::{AccountId, CredentialId, Cx, Error, Result, SessionId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, account_sql, args, change_account_sql, quiet_account_sql};

use super::{Credential, Kind, hold};
use crate::document;
use crate::log::{Action, Meaning, change, record, target_of};
use crate::people::tenant_users::Person;

/// Most credentials of one kind that an account has.
pub const MOST_OF_A_KIND: i64 = 20;

/// Longest name in characters.
pub const LONGEST_NAME: usize = 60;

/// Whose credentials are changed, and what the tenant's log calls the person.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    /// The account.
    pub account: AccountId,
    /// The membership, if there is one.
    pub member: Option<TenantUserId>,
    /// The session in which the person makes the change; a sign-in that is under way has none yet.
    pub session: Option<SessionId>,
}

impl From<&Person> for Owner {
    fn from(person: &Person) -> Self {
        Self { account: person.account_id, member: Some(person.id), session: None }
    }
}

impl Owner {
    fn called(self) -> String {
        target_of(self.member)
    }
}

/// A credential to add.
pub struct NewCredential<'a, T> {
    /// Its id, under which a secret is sealed.
    pub id: CredentialId,
    /// What kind of thing it is.
    pub kind: Kind,
    /// By what it is found where it is presented.
    pub lookup: Option<Vec<u8>>,
    /// What the person calls it.
    pub name: &'a str,
    /// What is kept of it besides.
    pub document: &'a T,
    /// Its secret, sealed.
    pub sealed: Option<Vec<u8>>,
    /// Where its count of uses begins.
    pub mark: i64,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
}

/// Adds a credential. `conflict` where the account has too many of the kind, or another account has this one.
pub async fn add<T: Serialize>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    owner: Owner,
    new: NewCredential<'_, T>,
) -> Result<()> {
    let count =
        account_sql!("SELECT count(*) AS count FROM account_credentials WHERE account_id = $1 AND kind = $2");
    hold(tx, owner.account);
    if tx.one(count, args![owner.account, new.kind.name()]).await?.int("count")? >= MOST_OF_A_KIND {
        return Err(too_many());
    }
    keep(tx, cx, owner, new).await
}

/// Why no more of a kind are added.
pub(super) fn too_many() -> Error {
    Error::conflict(format!("an account has at most {MOST_OF_A_KIND} of these"))
}

/// Adds a credential of which the account has not too many. `conflict` where another account has this one.
pub async fn keep<T: Serialize>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    owner: Owner,
    new: NewCredential<'_, T>,
) -> Result<()> {
    let insert = change_account_sql!(
        "INSERT INTO account_credentials (id, account_id, kind, lookup, name, document, sealed, mark, created_at, expires_at, added_in) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING"
    );
    let arguments = args![
        new.id,
        owner.account,
        new.kind.name(),
        new.lookup,
        checked(new.name)?,
        document::store(new.document)?,
        new.sealed,
        new.mark,
        cx.now,
        new.expires_at,
        owner.session
    ];
    if change(tx, cx, insert, arguments, addition(owner, new.kind.name())).await? == 0 {
        return Err(Error::conflict("this credential is in use already"));
    }
    Ok(())
}

/// Puts codes on paper in the place of those that the account has, as one change.
pub async fn replace_codes(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    owner: Owner,
    (name, lookups): (&str, Vec<Vec<u8>>),
) -> Result<()> {
    let kind = Kind::BackupCode.name();
    let delete = quiet_account_sql!(
        "the codes in their place are recorded",
        "DELETE FROM account_credentials WHERE account_id = $1 AND kind = $2"
    );
    tx.execute(delete, args![owner.account, kind]).await?;
    for lookup in lookups {
        let insert = quiet_account_sql!(
            "all codes are recorded together",
            "INSERT INTO account_credentials (id, account_id, kind, lookup, name, document, mark, created_at) \
             VALUES ($1, $2, $3, $4, $5, '{}', 0, $6)"
        );
        let id: CredentialId = cx.id();
        tx.execute(insert, args![id, owner.account, kind, lookup, name.to_owned(), cx.now]).await?;
    }
    record(tx, cx, addition(owner, kind));
    Ok(())
}

/// Takes note of a use that counts once: false where `mark` is not beyond what was used before, on any node.
pub async fn use_once<S>(tx: &mut Tx<S>, cx: &Cx, id: CredentialId, mark: i64) -> Result<bool> {
    let update = quiet_account_sql!(
        "a use, whose outcome is recorded",
        "UPDATE account_credentials SET mark = $2, last_used_at = $3 WHERE id = $1 AND mark < $2"
    );
    Ok(tx.execute(update, args![id, mark, cx.now]).await? == 1)
}

/// Takes note of a use, with what is kept of the credential from now on; false where it is gone.
pub async fn note_use<S, T: Serialize>(
    tx: &mut Tx<S>,
    cx: &Cx,
    id: CredentialId,
    (mark, document): (i64, &T),
) -> Result<bool> {
    let update = quiet_account_sql!(
        "a use, whose outcome is recorded",
        "UPDATE account_credentials SET mark = $2, document = $3, last_used_at = $4 WHERE id = $1"
    );
    Ok(tx.execute(update, args![id, mark, document::store(document)?, cx.now]).await? == 1)
}

/// Gives a credential another name; false where the account has none with this id.
pub async fn rename(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    owner: Owner,
    (id, name): (CredentialId, &str),
) -> Result<bool> {
    let update =
        change_account_sql!("UPDATE account_credentials SET name = $3 WHERE id = $1 AND account_id = $2");
    let meaning = Meaning::done(Action::CredentialRenamed, owner.called());
    Ok(change(tx, cx, update, args![id, owner.account, checked(name)?], meaning).await? > 0)
}

/// Removes a credential; false where the account has none with this id.
pub async fn remove(tx: &mut Tx<Tenant>, cx: &Cx, owner: Owner, credential: &Credential) -> Result<bool> {
    let delete = change_account_sql!("DELETE FROM account_credentials WHERE id = $1 AND account_id = $2");
    let kind = credential.kind.map_or("unknown", Kind::name);
    let arguments = args![credential.id, owner.account];
    Ok(change(tx, cx, delete, arguments, removal(owner, kind)).await? > 0)
}

/// Removes all credentials of a kind; returns how many there were.
pub async fn remove_all(tx: &mut Tx<Tenant>, cx: &Cx, owner: Owner, kind: Kind) -> Result<u64> {
    let delete = change_account_sql!("DELETE FROM account_credentials WHERE account_id = $1 AND kind = $2");
    let arguments = args![owner.account, kind.name()];
    change(tx, cx, delete, arguments, removal(owner, kind.name())).await
}

/// Removes the credentials of a kind that were added at that time or later; returns how many there were.
pub async fn remove_since(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    owner: Owner,
    (kind, since): (Kind, Timestamp),
) -> Result<u64> {
    let delete = change_account_sql!(
        "DELETE FROM account_credentials WHERE account_id = $1 AND kind = $2 AND created_at >= $3"
    );
    let arguments = args![owner.account, kind.name(), since];
    change(tx, cx, delete, arguments, removal(owner, kind.name())).await
}

/// Removes the codes on paper and the trust in browsers where what they stood for has gone, of all that the account had: the last app, or
/// the last second factor of any kind. They would stand for the next one, too. Where there is none, a phone has earned the trust.
pub async fn remove_stand_ins(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    owner: Owner,
    (removed, all): (&Credential, &[Credential]),
) -> Result<()> {
    let others: Vec<&Credential> = all.iter().filter(|other| other.id != removed.id).collect();
    let is_app = |one: &Credential| one.kind == Some(Kind::Totp);
    let is_last_app = is_app(removed) && !others.iter().any(|other| is_app(other));
    let has_no_factor = !others.iter().any(|other| other.is_factor());
    let gone: &[Kind] = if is_last_app || (removed.is_factor() && has_no_factor) {
        &[Kind::BackupCode, Kind::TrustedBrowser]
    } else if removed.kind == Some(Kind::Phone) && has_no_factor {
        &[Kind::TrustedBrowser]
    } else {
        &[]
    };
    for kind in gone {
        remove_all(tx, cx, owner, *kind).await?;
    }
    Ok(())
}

fn addition(owner: Owner, kind: &'static str) -> Meaning {
    Meaning::done(Action::CredentialAdded, owner.called())
        .with(json!({ "kind": kind }))
        .telling(CredentialAdded { tenant_user_id: owner.member, kind })
}

fn removal(owner: Owner, kind: &'static str) -> Meaning {
    Meaning::done(Action::CredentialRemoved, owner.called())
        .with(json!({ "kind": kind }))
        .telling(CredentialRemoved { tenant_user_id: owner.member, kind })
}

fn checked(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Error::bad_request(format!("name: give 1 to {LONGEST_NAME} characters")));
    }
    Ok(name.to_owned())
}
