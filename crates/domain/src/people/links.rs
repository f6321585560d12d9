//! Mailed links: confirm an address, choose a new password or another address, take that back, sign in. Consumable once, by POST, never by a mail scanner's GET.

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::{AccountId, Cx, Digest, Result, Seconds, Timestamp};
use svc_db::{Row, Tenant, TenantSql, Tx, Value, args, quiet_sql, sql};

use crate::document;

const HOUR: Seconds = Seconds(3600);

/// What a link is for; kinds are separate namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// Confirms an address and completes a registration.
    VerifyEmail,
    /// Allows one new password.
    ResetPassword,
    /// Confirms the address that an account is to have.
    ChangeAddress,
    /// Takes back that an account got another address.
    UndoAddress,
    /// Says that a sign-in was not the owner's.
    WasThisYou,
    /// Signs in, in the browser that asked for it.
    SignIn,
    /// Cancels a recovery by guardians.
    CancelRecovery,
}

impl LinkKind {
    fn name(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verify_email",
            Self::ResetPassword => "reset_password",
            Self::ChangeAddress => "change_address",
            Self::UndoAddress => "undo_address",
            Self::WasThisYou => "was_this_you",
            Self::SignIn => "sign_in",
            Self::CancelRecovery => "cancel_recovery",
        }
    }
}

/// A link as found by its digest.
#[derive(Clone, Debug)]
pub struct Link<T> {
    /// The account that it concerns, if there is one yet.
    pub account: Option<AccountId>,
    /// What it was made with.
    pub payload: T,
    /// When it was made; what it proves must not be older than the credential it changes.
    pub created_at: Timestamp,
}

/// A link to store.
pub struct NewLink<'a, T> {
    /// The digest of the secret in the link.
    pub digest: Digest,
    /// What it is for.
    pub kind: LinkKind,
    /// The account that it concerns, if there is one yet.
    pub account: Option<AccountId>,
    /// What following it needs to know.
    pub payload: &'a T,
    /// How long it may be followed.
    pub lifetime: Seconds,
}

/// Stores a link by the digest of its secret.
pub async fn create<T: Serialize>(tx: &mut Tx<Tenant>, cx: &Cx, new: NewLink<'_, T>) -> Result<()> {
    tx.execute(insert(), &stored(cx, &new)?).await.map(|_| ())
}

/// The same together with the next statement or the commit, so that it costs no round trip.
pub fn create_later<T: Serialize>(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewLink<'_, T>) -> Result<()> {
    tx.later(insert(), &stored(cx, new)?);
    Ok(())
}

fn insert() -> TenantSql {
    quiet_sql!(
        "a step whose outcome is recorded",
        "INSERT INTO links (tenant_id, digest, kind, account_id, payload, state, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, 'live', $6, $7)"
    )
}

fn stored<T: Serialize>(cx: &Cx, new: &NewLink<'_, T>) -> Result<Vec<Value>> {
    let (payload, until) = (document::store(new.payload)?, cx.now + new.lifetime);
    Ok(args![new.digest, new.kind.name(), new.account, payload, cx.now, until].to_vec())
}

/// How many links like this one its account got within the last hour, spent ones too.
pub async fn made_lately<T>(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewLink<'_, T>) -> Result<i64> {
    // The index is that of the time at which they end.
    let select = sql!(
        "SELECT COUNT(*) AS count FROM links WHERE tenant_id = $1 AND kind = $2 AND account_id = $3 AND expires_at > $4"
    );
    let arguments = args![new.kind.name(), new.account, cx.now + new.lifetime - HOUR];
    tx.one(select, arguments).await?.int("count")
}

/// A link that may still be followed; it stays unspent, so that a mail scanner's GET does no harm.
pub async fn find<T: DeserializeOwned>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    digest: Digest,
    kind: LinkKind,
) -> Result<Option<Link<T>>> {
    let select = sql!(
        "SELECT account_id, payload, created_at FROM links WHERE tenant_id = $1 AND digest = $2 AND kind = $3 \
         AND state = 'live' AND expires_at > $4"
    );
    let row = tx.optional(select, args![digest, kind.name(), cx.now]).await?;
    Ok(row.as_ref().map(link).transpose()?.flatten())
}

/// Spends a link: one statement, so that of N at once one wins.
pub async fn spend<T: DeserializeOwned>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    digest: Digest,
    kind: LinkKind,
) -> Result<Option<Link<T>>> {
    let update = quiet_sql!(
        "is used once; its outcome is recorded",
        "UPDATE links SET state = 'spent' WHERE tenant_id = $1 AND digest = $2 AND kind = $3 AND state = 'live' \
         AND expires_at > $4 RETURNING account_id, payload, created_at"
    );
    let row = tx.optional(update, args![digest, kind.name(), cx.now]).await?;
    Ok(row.as_ref().map(link).transpose()?.flatten())
}

/// The link of a row, or nothing where the flow that it leads to is of a newer version.
fn link<T: DeserializeOwned>(row: &Row) -> Result<Option<Link<T>>> {
    let Some(payload) = document::known_whole(row, "payload")? else { return Ok(None) };
    let (account, created_at) = (row.maybe_parse("account_id")?, row.time("created_at")?);
    Ok(Some(Link { account, payload, created_at }))
}
