//! Pushed authorization requests (RFC 9126): stored by digest, read as often as a browser reloads, spent by one answer.

use svc_core::{AppId, Cx, Digest, Result, Seconds, Timestamp};
use svc_db::{Call, Row, Tenant, Tx, args, quiet_sql, sql};

use crate::document;

/// A request that was pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// The application that pushed it, authenticated.
    pub app: AppId,
    /// Its parameters, without those of client authentication.
    pub parameters: Vec<(String, String)>,
    /// The key that came with a proof of possession, by its thumbprint.
    pub dpop_jkt: Option<String>,
}

/// Stores a request by the digest of its reference.
pub fn create(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest, new: &Pushed, lifetime: Seconds) -> Result<()> {
    let insert = quiet_sql!(
        "a request that is not decided yet",
        "INSERT INTO par_requests (tenant_id, digest, app_id, parameters, dpop_jkt, state, expires_at) \
         VALUES ($1, $2, $3, $4, $5, 'live', $6)"
    );
    let parameters = document::store(&new.parameters)?;
    tx.later(insert, args![digest, new.app, parameters, new.dpop_jkt.clone(), cx.now + lifetime]);
    Ok(())
}

/// Selects the request of a reference, unless it is over, to be read with others in one round trip.
pub fn pushed_as(tx: &Tx<Tenant>, digest: Digest, now: Timestamp) -> Call {
    let select = sql!(
        "SELECT app_id, parameters, dpop_jkt FROM par_requests \
         WHERE tenant_id = $1 AND digest = $2 AND state = 'live' AND expires_at > $3"
    );
    tx.call(select, args![digest, now])
}

/// The request that the statement of [`pushed_as`] yielded.
pub fn one(rows: &[Row]) -> Result<Option<Pushed>> {
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(Pushed {
        app: row.parse("app_id")?,
        parameters: document::load(row, "parameters")?,
        dpop_jkt: row.maybe_text("dpop_jkt")?,
    }))
}

/// Spends a reference: one statement, so that of N browsers at once one gets a code. It may have expired since the
/// browser came with it; how long a sign-in may take is the flow's own bound.
pub async fn spend(tx: &mut Tx<Tenant>, digest: Digest) -> Result<bool> {
    let update = quiet_sql!(
        "is used once; the authorization is recorded",
        "UPDATE par_requests SET state = 'spent' WHERE tenant_id = $1 AND digest = $2 AND state = 'live'"
    );
    Ok(tx.execute(update, args![digest]).await? == 1)
}

/// The same, sent with the commit: where the reference is spent already, the state that this writes is none, and nothing of the
/// transaction is committed. [`is_spent`] then says why.
pub fn spend_with_commit(tx: &mut Tx<Tenant>, digest: Digest) {
    let update = quiet_sql!(
        "is used once; the authorization is recorded",
        "UPDATE par_requests SET state = CASE state WHEN 'live' THEN 'spent' ELSE 'spent twice' END \
         WHERE tenant_id = $1 AND digest = $2"
    );
    tx.later(update, args![digest]);
}

/// Whether a reference is spent.
pub async fn is_spent(tx: &mut Tx<Tenant>, digest: Digest) -> Result<bool> {
    let select = sql!("SELECT state FROM par_requests WHERE tenant_id = $1 AND digest = $2");
    let row = tx.optional(select, args![digest]).await?;
    row.map_or(Ok(false), |row| Ok(row.text("state")? == "spent"))
}
