//! The credentials of a person other than the password (NIST SP 800-63B §3): second factors, passkeys, phone numbers,
//! browsers that are not asked again, and identities at other providers. They belong to the account, and are found by it or by what is presented.

pub mod backup_codes;
mod changing;
pub mod identities;
mod outward;
pub mod passkeys;
pub mod totp;

use serde::de::DeserializeOwned;
use svc_core::{AccountId, CredentialId, Digest, Result, SessionId, TenantRef, Timestamp};
use svc_db::{Call, Row, Tenant, Tx, account_sql, args};
use svc_keys::{digest, hex};

use crate::document;
use crate::people::accounts::of_given_password;

pub use self::changing::{
    LONGEST_NAME, MOST_OF_A_KIND, NewCredential, Owner, add, keep, note_use, remove, remove_all,
    remove_since, remove_stand_ins, rename, replace_codes, use_once,
};
pub use self::outward::{described, identities_to_import, passkeys_to_import};

/// What kind of thing a credential is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A secret that an app makes one-time codes of (RFC 6238).
    Totp,
    /// A code that counts once, kept on paper.
    BackupCode,
    /// A public key of an authenticator (WebAuthn).
    Passkey,
    /// A number that receives text messages.
    Phone,
    /// A browser that is not asked for a second factor.
    TrustedBrowser,
    /// What another provider calls the person.
    Identity,
}

impl Kind {
    /// Every kind.
    pub const ALL: &'static [Self] =
        &[Self::Totp, Self::BackupCode, Self::Passkey, Self::Phone, Self::TrustedBrowser, Self::Identity];

    /// The name in columns, events and the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Totp => "totp",
            Self::BackupCode => "backup_code",
            Self::Passkey => "passkey",
            Self::Phone => "phone",
            Self::TrustedBrowser => "trusted_browser",
            Self::Identity => "identity",
        }
    }
}

/// A credential of an account.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The credential.
    pub id: CredentialId,
    /// Whose it is.
    pub account: AccountId,
    /// What kind of thing it is; `None` for one of a newer version.
    pub kind: Option<Kind>,
    /// By what it is found where it is presented.
    pub lookup: Option<Vec<u8>>,
    /// What the person calls it.
    pub name: String,
    /// Its secret, sealed; one-time codes have one.
    pub sealed: Option<Vec<u8>>,
    /// Only grows with its uses; what it counts depends on the kind.
    pub mark: i64,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was used last.
    pub last_used_at: Option<Timestamp>,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
    document: String,
}

impl Credential {
    /// What is kept of it besides, in the form of its kind.
    pub fn document<T: DeserializeOwned>(&self) -> Result<T> {
        document::read(&self.document)
    }

    /// Whether it counts now: it has not expired, and was not spent if it can be.
    pub fn is_live(&self, now: Timestamp) -> bool {
        let is_spent = self.kind == Some(Kind::BackupCode) && self.mark > 0;
        !is_spent && self.expires_at.is_none_or(|end| end > now)
    }

    /// Whether codes on paper can stand in for it.
    pub fn is_factor(&self) -> bool {
        matches!(self.kind, Some(Kind::Totp | Kind::Passkey))
    }
}

/// Everything that an account has, in the order in which it was added.
pub async fn of_account<S>(tx: &mut Tx<S>, account: AccountId) -> Result<Vec<Credential>> {
    let [rows] = tx.batch([all_of(tx, account)]).await?;
    rows.iter().map(credential).collect()
}

/// The same, and whether the owner has to replace the password, in one round trip.
pub async fn with_password_of<S>(tx: &mut Tx<S>, account: AccountId) -> Result<(Vec<Credential>, bool)> {
    let [rows, given] = tx.batch([all_of(tx, account), of_given_password(tx, account)]).await?;
    Ok((rows.iter().map(credential).collect::<Result<_>>()?, !given.is_empty()))
}

fn all_of<S>(tx: &Tx<S>, account: AccountId) -> Call {
    let select = account_sql!(
        "SELECT id, account_id, kind, lookup, name, document, sealed, mark, created_at, last_used_at, expires_at \
         FROM account_credentials WHERE account_id = $1 ORDER BY id"
    );
    tx.call(select, args![account])
}

/// The same for a change that is judged by all of them: until it ends, no other transaction, of any tenant, reads them so.
pub async fn held_of_account(tx: &mut Tx<Tenant>, account: AccountId) -> Result<Vec<Credential>> {
    hold(tx, account);
    of_account(tx, account).await
}

/// Whether a second factor was added since a session began, and not in that session: its sign-in was never asked for it.
pub async fn has_missed_a_factor<S>(
    tx: &mut Tx<S>,
    account: AccountId,
    (session, began_at): (SessionId, Timestamp),
) -> Result<bool> {
    let select = account_sql!(
        "SELECT id FROM account_credentials WHERE account_id = $1 AND kind IN ('totp', 'passkey') AND created_at > $2 \
         AND (added_in IS NULL OR added_in <> $3) LIMIT 1"
    );
    Ok(tx.optional(select, args![account, began_at, session]).await?.is_some())
}

/// Lets no other transaction, of any tenant, judge or count the credentials of an account until this one ends.
///
/// Whatever locks several things of a person takes them in one order, so that of two changes none waits for one that waits for it: the
/// credentials by this, then changes of the address, the profile, the row of the account, those of its credentials, and the membership
/// with what hangs on that. Of several people the credentials are held before all else, in the order of their ids, and before what the plan
/// of the tenant allows ([`several`](crate::people::several)). Who takes several may ask for this more than once. The members of an
/// organization come before the refresh families that a membership or a session there keeps alive.
pub fn hold<S>(tx: &mut Tx<S>, account: AccountId) {
    tx.hold_everywhere(&format!("credentials of {account}"));
}

/// The credential that is found by what was presented: one whose owner has proven it, or else one that this tenant has imported.
pub async fn find_by_lookup(tx: &mut Tx<Tenant>, kind: Kind, lookup: &[u8]) -> Result<Option<Credential>> {
    let select = account_sql!(
        "SELECT id, account_id, kind, lookup, name, document, sealed, mark, created_at, last_used_at, expires_at \
         FROM account_credentials WHERE kind = $1 AND lookup IN ($2, $3)"
    );
    let imported = imported_lookup(tx, lookup);
    let rows = tx.all(select, args![kind.name(), lookup.to_vec(), imported]).await?;
    let mut found = rows.iter().map(credential).collect::<Result<Vec<_>>>()?;
    found.sort_by_key(|one| one.lookup.as_deref() != Some(lookup));
    Ok(found.into_iter().next())
}

/// Whether a credential has this lookup.
pub(in crate::people) async fn is_kept<S>(tx: &mut Tx<S>, kind: Kind, lookup: &[u8]) -> Result<bool> {
    let select = account_sql!("SELECT id FROM account_credentials WHERE kind = $1 AND lookup = $2");
    Ok(tx.optional(select, args![kind.name(), lookup.to_vec()]).await?.is_some())
}

/// By what a credential is found that a tenant has imported: in this tenant alone, since it is the tenant that vouches for it.
/// What a person proves in another tenant is not in its way.
pub(in crate::people) fn imported_lookup(tx: &Tx<Tenant>, lookup: &[u8]) -> Vec<u8> {
    imported_by(tx.tenant().reference(), lookup)
}

/// The same for a tenant that is named.
pub(in crate::people) fn imported_by(tenant: TenantRef, lookup: &[u8]) -> Vec<u8> {
    lookup_of(digest(&format!("imported by {tenant} {}", hex(lookup))))
}

/// The lookup of something that is stored as a digest only.
pub fn lookup_of(digest: Digest) -> Vec<u8> {
    digest.0.to_vec()
}

fn credential(row: &Row) -> Result<Credential> {
    let kind = row.text("kind")?;
    Ok(Credential {
        id: row.parse("id")?,
        account: row.parse("account_id")?,
        kind: Kind::ALL.iter().copied().find(|known| known.name() == kind),
        lookup: row.maybe_bytes("lookup")?,
        name: row.text("name")?,
        sealed: row.maybe_bytes("sealed")?,
        mark: row.int("mark")?,
        created_at: row.time("created_at")?,
        last_used_at: row.maybe_time("last_used_at")?,
        expires_at: row.maybe_time("expires_at")?,
        document: row.text("document")?,
    })
}
