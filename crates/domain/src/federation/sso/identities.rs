//! Whom a provider means, and which sessions it vouches for (OpenID Connect Core §5.7, Back-Channel Logout §2.6).

use serde_json::json;
use svc_core::{Cx, Error, OrganizationId, Result, SessionId, SsoConnectionId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql, sql};

use crate::log::{Action, Meaning, change};

/// What a provider calls a person: nothing else of what it says binds one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The connection through which it was said.
    pub connection: SsoConnectionId,
    /// Who said it.
    pub issuer: String,
    /// The person, as the issuer calls them.
    pub subject: String,
}

/// Whom an identity means.
pub async fn person(tx: &mut Tx<Tenant>, identity: &Identity) -> Result<Option<TenantUserId>> {
    let select = sql!(
        "SELECT tenant_user_id FROM sso_identities WHERE tenant_id = $1 AND connection_id = $2 AND issuer = $3 AND subject = $4"
    );
    let Identity { connection, issuer, subject } = identity;
    let row = tx.optional(select, args![*connection, issuer, subject]).await?;
    row.map(|row| row.parse("tenant_user_id")).transpose()
}

/// What providers call a person, with when each was bound, in that order.
pub async fn of_person(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Vec<(Identity, Timestamp)>> {
    let select = sql!(
        "SELECT connection_id, issuer, subject, created_at FROM sso_identities WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    let rows = tx.all(select, args![person]).await?;
    let read = rows.iter().map(|row| {
        let (connection, issuer) = (row.parse("connection_id")?, row.text("issuer")?);
        Ok((Identity { connection, issuer, subject: row.text("subject")? }, row.time("created_at")?))
    });
    let mut identities = read.collect::<Result<Vec<_>>>()?;
    identities.sort_by_key(|(_, bound_at)| *bound_at);
    Ok(identities)
}

/// Whether an issuer has another name for a person already, at the same connection. No other transaction asks that of the person until
/// this one ends, so that of two names at once one is bound.
pub async fn is_bound(tx: &mut Tx<Tenant>, identity: &Identity, person: TenantUserId) -> Result<bool> {
    tx.hold(&format!("sso identities of {person}"));
    let select = sql!(
        "SELECT subject FROM sso_identities WHERE tenant_id = $1 AND connection_id = $2 AND issuer = $3 AND tenant_user_id = $4 \
         AND subject <> $5 LIMIT 1"
    );
    let Identity { connection, issuer, subject } = identity;
    Ok(tx.optional(select, args![*connection, issuer, person, subject]).await?.is_some())
}

/// Binds an identity to a person; `conflict` where it means another one already.
pub async fn bind(tx: &mut Tx<Tenant>, cx: &Cx, identity: &Identity, person: TenantUserId) -> Result<()> {
    let Identity { connection, issuer, subject } = identity;
    if !(1..=255).contains(&subject.len()) || subject.chars().any(char::is_control) {
        return Err(Error::bad_request("sub: expected 1 to 255 bytes without control characters"));
    }
    let insert = change_sql!(
        "INSERT INTO sso_identities (tenant_id, connection_id, issuer, subject, tenant_user_id, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)"
    );
    let facts = json!({ "connection_id": connection, "issuer": issuer, "subject": subject });
    let meaning = Meaning::done(Action::SsoIdentityBound, person).with(facts);
    let bound = change(tx, cx, insert, args![*connection, issuer, subject, person, cx.now], meaning).await;
    bound.map_err(|error| error.if_taken("the provider's subject is bound already"))?;
    Ok(())
}

/// Notes that a session began with the word of a provider; `sid` is what that calls its own session.
pub fn vouch(tx: &mut Tx<Tenant>, session: SessionId, identity: &Identity, sid: Option<&str>) {
    let insert = quiet_sql!(
        "goes with the session, whose beginning is recorded",
        "INSERT INTO sso_sessions (tenant_id, session_id, connection_id, issuer, subject, sid) VALUES ($1, $2, $3, $4, $5, $6)"
    );
    let Identity { connection, issuer, subject } = identity;
    tx.later(insert, args![session, *connection, issuer, subject, sid]);
}

/// Whether a session began with the word of a provider of the organization that is still trusted.
pub async fn of_organization(
    tx: &mut Tx<Tenant>,
    session: SessionId,
    organization: OrganizationId,
) -> Result<bool> {
    let select = sql!(
        "SELECT s.session_id FROM sso_sessions s JOIN sso_connections c ON c.tenant_id = s.tenant_id AND c.id = s.connection_id \
         WHERE s.tenant_id = $1 AND s.session_id = $2 AND c.organization_id = $3 AND c.enabled"
    );
    Ok(tx.optional(select, args![session, organization]).await?.is_some())
}

/// The organization whose provider, if it is still trusted, vouched for the person of a session.
pub async fn organization_of(tx: &mut Tx<Tenant>, session: SessionId) -> Result<Option<OrganizationId>> {
    let select = sql!(
        "SELECT c.organization_id FROM sso_sessions s JOIN sso_connections c ON c.tenant_id = s.tenant_id AND c.id = s.connection_id \
         WHERE s.tenant_id = $1 AND s.session_id = $2 AND c.enabled"
    );
    tx.optional(select, args![session]).await?.map(|row| row.parse("organization_id")).transpose()
}

/// The word with which a session began, and what its provider calls its own session.
pub async fn of_session(
    tx: &mut Tx<Tenant>,
    session: SessionId,
) -> Result<Option<(Identity, Option<String>)>> {
    let select = sql!(
        "SELECT connection_id, issuer, subject, sid FROM sso_sessions WHERE tenant_id = $1 AND session_id = $2"
    );
    let Some(row) = tx.optional(select, args![session]).await? else { return Ok(None) };
    let (connection, issuer) = (row.parse("connection_id")?, row.text("issuer")?);
    let identity = Identity { connection, issuer, subject: row.text("subject")? };
    Ok(Some((identity, row.maybe_text("sid")?)))
}

/// Whether a provider vouched for a live session that it calls so.
pub async fn has_session(
    tx: &mut Tx<Tenant>,
    (connection, issuer): (SsoConnectionId, &str),
    sid: &str,
) -> Result<bool> {
    let select = sql!(
        "SELECT v.session_id FROM sso_sessions v JOIN sessions s ON s.tenant_id = v.tenant_id AND s.id = v.session_id \
         WHERE v.tenant_id = $1 AND v.connection_id = $2 AND v.sid = $3 AND v.issuer = $4 AND s.ended_at IS NULL LIMIT 1"
    );
    Ok(tx.optional(select, args![connection, sid, issuer]).await?.is_some())
}

/// The live sessions that a provider vouched for: those of its `sid`, or all of its subject.
pub async fn sessions_of(
    tx: &mut Tx<Tenant>,
    (connection, issuer): (SsoConnectionId, &str),
    (subject, sid): (Option<&str>, Option<&str>),
) -> Result<Vec<(SessionId, TenantUserId)>> {
    let select = sql!(
        "SELECT v.session_id, s.tenant_user_id FROM sso_sessions v JOIN sessions s ON s.tenant_id = v.tenant_id AND s.id = v.session_id \
         WHERE v.tenant_id = $1 AND v.connection_id = $2 AND v.issuer = $3 AND s.ended_at IS NULL \
         AND (CAST($4 AS TEXT) IS NULL OR v.subject = $4) AND (CAST($5 AS TEXT) IS NULL OR v.sid = $5) \
         ORDER BY v.session_id LIMIT 1000"
    );
    let rows = tx.all(select, args![connection, issuer, subject, sid]).await?;
    rows.iter().map(|row| Ok((row.parse("session_id")?, row.parse("tenant_user_id")?))).collect()
}
