//! Sessions for which a provider vouched whose word counts no more: there may be thousands. They are over at once, and what they have
//! allowed ends step by step.

use svc_core::{
    ConnectorId, Cx, Error, OrganizationId, Result, SessionId, SsoConnectionId, TenantId, TenantUserId,
    Timestamp,
};
use svc_db::{Db, Row, Tenant, Tx, args, quiet_sql, system_sql};

use crate::people::{sessions, tenant_users};
use crate::tenancy::tenants;

/// A session that has ended so.
pub struct Withdrawn {
    /// The tenant that it was at.
    pub tenant: TenantId,
    session: SessionId,
    person: TenantUserId,
    since: Timestamp,
}

/// Ends the sessions that began with the word of a connection of an organization, or of any of its connections. What they have
/// allowed goes on until [`end`]. A connection that is deleted takes the notes of its sessions with it: they end before that.
pub(crate) async fn of_organization(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, connection): (OrganizationId, Option<SsoConnectionId>),
) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE sessions SET ended_at = $4, withdrawn_at = $4 WHERE tenant_id = $1 AND ended_at IS NULL AND id IN \
         (SELECT session_id FROM sso_sessions WHERE tenant_id = $1 AND connection_id IN (SELECT id FROM sso_connections \
         WHERE tenant_id = $1 AND organization_id = $2 AND (CAST($3 AS TEXT) IS NULL OR CAST($3 AS TEXT) = id)))"
    );
    tx.execute(update, args![organization, connection, cx.now]).await?;
    Ok(())
}

/// The same for those that rest on the word of a provider which the tenant has chosen.
pub(crate) async fn of_connector(tx: &mut Tx<Tenant>, cx: &Cx, connector: ConnectorId) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE sessions SET ended_at = $3, withdrawn_at = $3 WHERE tenant_id = $1 AND connector_id = $2 AND ended_at IS NULL"
    );
    tx.execute(update, args![connector, cx.now]).await?;
    Ok(())
}

/// Such sessions whose tokens and applications are still to be seen to, those that have waited longest first; so many at most.
pub async fn waiting(db: &Db, most: u32) -> Result<Vec<Withdrawn>> {
    let select = system_sql!(
        "SELECT tenant_id, id, tenant_user_id, withdrawn_at FROM sessions WHERE withdrawn_at IS NOT NULL \
         ORDER BY withdrawn_at, tenant_id, id LIMIT $1"
    );
    let rows = db.read_system().await?.all(select, args![i64::from(most)]).await?;
    rows.iter().map(withdrawn).collect()
}

fn withdrawn(row: &Row) -> Result<Withdrawn> {
    let (tenant, session) = (tenants::of_row(row)?, row.parse("id")?);
    Ok(Withdrawn { tenant, session, person: row.parse("tenant_user_id")?, since: row.time("withdrawn_at")? })
}

/// Ends what one of them has allowed, and notifies its applications.
pub async fn end(db: &Db, cx: &Cx, one: &Withdrawn) -> Result<()> {
    let mut tx = db.begin(one.tenant).await?;
    let person = tenant_users::find(&mut tx, one.person).await?;
    let person = person.ok_or_else(|| Error::internal("a session has no person"))?;
    sessions::end_withdrawn(&mut tx, cx, &person, (one.session, one.since)).await?;
    tx.commit().await
}
