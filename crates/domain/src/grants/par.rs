//! Pushed authorization requests (RFC 9126): stored by digest, read as often as a browser reloads, spent by one code.

use svc_core::{AppId, Cx, Digest, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

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

/// The request of a reference, unless it is over.
pub async fn find(tx: &mut Tx<Tenant>, digest: Digest, now: Timestamp) -> Result<Option<Pushed>> {
    let select = sql!(
        "SELECT app_id, parameters, dpop_jkt FROM par_requests \
         WHERE tenant_id = $1 AND digest = $2 AND state = 'live' AND expires_at > $3"
    );
    let Some(row) = tx.optional(select, args![digest, now]).await? else { return Ok(None) };
    Ok(Some(Pushed {
        app: row.parse("app_id")?,
        parameters: document::load(&row, "parameters")?,
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
