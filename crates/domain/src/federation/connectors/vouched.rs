//! Sessions that rest on the word of a connector, where that counts in its tenant alone: they end with it.

use svc_core::{ConnectorId, Cx, Result, SessionId};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

use super::store;
use crate::people::withdrawn;

/// Whether people can sign in by a connector; that stays so until the transaction ends.
pub async fn serves(tx: &mut Tx<Tenant>, id: ConnectorId) -> Result<bool> {
    tx.share(&word_of(id));
    Ok(store::find(tx, id).await?.is_some_and(|found| found.configuration.enabled))
}

/// Notes that a session began with the word of a connector.
pub fn vouch(tx: &mut Tx<Tenant>, session: SessionId, id: ConnectorId) {
    let update = quiet_sql!(
        "goes with the session, whose beginning is recorded",
        "UPDATE sessions SET connector_id = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![session, id]);
}

/// The connector with whose word a session began.
pub async fn of_session(tx: &mut Tx<Tenant>, session: SessionId) -> Result<Option<ConnectorId>> {
    let select = sql!("SELECT connector_id FROM sessions WHERE tenant_id = $1 AND id = $2");
    let row = tx.optional(select, args![session]).await?;
    Ok(row.map(|row| row.maybe_parse("connector_id")).transpose()?.flatten())
}

/// Ends the sessions that began with the word of a connector, and waits for those that are about to begin.
pub(super) async fn end_all(tx: &mut Tx<Tenant>, cx: &Cx, id: ConnectorId) -> Result<()> {
    tx.hold(&word_of(id));
    withdrawn::of_connector(tx, cx, id).await
}

/// What transactions hold that change whether a connector counts, or rely on it.
fn word_of(id: ConnectorId) -> String {
    format!("word of {id}")
}
