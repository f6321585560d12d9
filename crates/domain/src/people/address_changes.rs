//! Changes of the address of an account that the owner of the address before can still take back.
//!
//! They stand in the account in their order, whichever tenant each was made in. Who takes one back takes back those that came after
//! it, too: a thief who has changed the address twice cannot take back what the owner took back.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Cx, Digest, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx, account_sql, args, quiet_account_sql};
use svc_keys::base64url;

use crate::document;

/// How long a change can be taken back: mails are read after the holidays, too.
pub const LIFETIME: Seconds = Seconds(7 * 86_400);

/// A change as the account keeps it.
#[derive(Serialize, Deserialize)]
struct Change {
    /// The digest of the secret in the link that takes it back.
    link: String,
    /// When it was made.
    at: Timestamp,
}

/// Notes a change that a link takes back. Called before the address changes: until the transaction ends, no other one notes a change
/// of this account or takes one back.
pub async fn note(tx: &mut Tx<Tenant>, cx: &Cx, (account, link): (AccountId, Digest)) -> Result<()> {
    let mut all = held(tx, account).await?;
    all.retain(|change| change.at + LIFETIME > cx.now);
    all.push(Change { link: base64url(link.0), at: cx.now });
    keep(tx, cx, account, &all).await
}

/// Whether the change of a link can be taken back: neither it nor one before it was.
pub async fn stands(tx: &mut Tx<Tenant>, (account, link): (AccountId, Digest)) -> Result<bool> {
    let link = base64url(link.0);
    Ok(kept(tx, account).await?.iter().any(|change| change.link == link))
}

/// Takes out the change of a link with those that came after it; false where it does not stand. Called before the address changes.
pub async fn take_back(tx: &mut Tx<Tenant>, cx: &Cx, (account, link): (AccountId, Digest)) -> Result<bool> {
    let (mut all, link) = (held(tx, account).await?, base64url(link.0));
    let Some(first) = all.iter().position(|change| change.link == link) else { return Ok(false) };
    all.truncate(first);
    keep(tx, cx, account, &all).await?;
    Ok(true)
}

/// Takes out the changes that were made since then: what made them was not the owner.
pub async fn forget_since(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (account, since): (AccountId, Timestamp),
) -> Result<()> {
    let mut all = held(tx, account).await?;
    let before = all.len();
    all.retain(|change| change.at < since);
    if all.len() == before { Ok(()) } else { keep(tx, cx, account, &all).await }
}

async fn held(tx: &mut Tx<Tenant>, account: AccountId) -> Result<Vec<Change>> {
    tx.hold_everywhere(&format!("address changes of {account}"));
    kept(tx, account).await
}

async fn kept(tx: &mut Tx<Tenant>, account: AccountId) -> Result<Vec<Change>> {
    let select = account_sql!("SELECT address_changes FROM accounts WHERE id = $1");
    let Some(row) = tx.optional(select, args![account]).await? else { return Ok(Vec::new()) };
    Ok(document::load_if_any(&row, "address_changes")?.unwrap_or_default())
}

async fn keep(tx: &mut Tx<Tenant>, cx: &Cx, account: AccountId, all: &[Change]) -> Result<()> {
    let update = quiet_account_sql!(
        "goes with the change of the address, which is recorded",
        "UPDATE accounts SET address_changes = $2, updated_at = $3 WHERE id = $1"
    );
    tx.execute(update, args![account, document::store(&all)?, cx.now]).await.map(drop)
}
