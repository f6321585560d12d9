//! Retries of writes: the first response under a key is kept for a day and given again.

use svc_core::{Cx, Digest, Result, Seconds};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

/// Which call a key stands for. Tenants, callers and routes are independent of each other.
pub struct Slot<'a> {
    /// Who calls.
    pub caller: &'a str,
    /// What is called: method and path.
    pub route: &'a str,
    /// The key's digest.
    pub key: Digest,
    /// The digest of query and body.
    pub body: Digest,
}

/// What a key turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub enum Claim {
    /// New: the caller of `claim` performs the operation, then completes or abandons the slot.
    First,
    /// The first call is not finished.
    Running,
    /// The first call had another body.
    OtherBody,
    /// The first call's response, sealed.
    Done(Vec<u8>),
}

/// How long a response is kept.
const KEPT: Seconds = Seconds(24 * 60 * 60);

/// Takes the slot, for at most `patience` unless completed: a process that died must not block its key for ever.
pub async fn claim(tx: &mut Tx<Tenant>, cx: &Cx, slot: &Slot<'_>, patience: Seconds) -> Result<Claim> {
    let insert = quiet_sql!(
        "keeps an answer for retries",
        "INSERT INTO idempotency_keys (tenant_id, caller, route, key_digest, body_digest, state, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, 'running', $6, $7) \
         ON CONFLICT (tenant_id, caller, route, key_digest) DO UPDATE SET body_digest = excluded.body_digest, \
         state = 'running', response = NULL, created_at = excluded.created_at, expires_at = excluded.expires_at \
         WHERE idempotency_keys.expires_at <= $6"
    );
    let arguments = args![slot.caller, slot.route, slot.key, slot.body, cx.now, cx.now + patience];
    if tx.execute(insert, arguments).await? == 1 {
        return Ok(Claim::First);
    }
    let select = sql!(
        "SELECT body_digest, response FROM idempotency_keys \
         WHERE tenant_id = $1 AND caller = $2 AND route = $3 AND key_digest = $4"
    );
    let Some(row) = tx.optional(select, args![slot.caller, slot.route, slot.key]).await? else {
        return Ok(Claim::Running);
    };
    if row.digest("body_digest")? != slot.body {
        return Ok(Claim::OtherBody);
    }
    Ok(row.maybe_bytes("response")?.map_or(Claim::Running, Claim::Done))
}

/// Takes a slot whose response cannot be read any more, as if it were new; of several callers one gets it.
pub async fn claim_again(tx: &mut Tx<Tenant>, cx: &Cx, slot: &Slot<'_>, patience: Seconds) -> Result<Claim> {
    let update = quiet_sql!(
        "keeps an answer for retries",
        "UPDATE idempotency_keys SET state = 'running', response = NULL, created_at = $5, expires_at = $6 \
         WHERE tenant_id = $1 AND caller = $2 AND route = $3 AND key_digest = $4 AND state = 'done'"
    );
    let arguments = args![slot.caller, slot.route, slot.key, cx.now, cx.now + patience];
    let taken = tx.execute(update, arguments).await?;
    Ok(if taken == 1 { Claim::First } else { Claim::Running })
}

/// Keeps the response of the call that took the slot with this context; nothing where its time was over and another call has the slot,
/// whose response counts.
pub async fn complete(tx: &mut Tx<Tenant>, cx: &Cx, slot: &Slot<'_>, response: Vec<u8>) -> Result<()> {
    let update = quiet_sql!(
        "keeps an answer for retries",
        "UPDATE idempotency_keys SET state = 'done', response = $5, expires_at = $6 \
         WHERE tenant_id = $1 AND caller = $2 AND route = $3 AND key_digest = $4 AND state = 'running' AND created_at = $7"
    );
    let arguments = args![slot.caller, slot.route, slot.key, response, cx.now + KEPT, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

/// Frees the slot that was taken with this context after a failure of ours, so that a retry performs the operation.
pub async fn abandon(tx: &mut Tx<Tenant>, cx: &Cx, slot: &Slot<'_>) -> Result<()> {
    let delete = quiet_sql!(
        "keeps an answer for retries",
        "DELETE FROM idempotency_keys \
         WHERE tenant_id = $1 AND caller = $2 AND route = $3 AND key_digest = $4 AND state = 'running' AND created_at = $5"
    );
    tx.execute(delete, args![slot.caller, slot.route, slot.key, cx.now]).await.map(|_| ())
}
