//! How delegations end: a link with its tokens and its refresh tokens, and every link that was made with it.

use svc_core::{AppId, Cx, DelegationId, FamilyId, OrganizationId, Result, SessionId, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, quiet_sql};

use crate::tokens::revocations::{self, Revoked};

/// Ends one link with what was made with it; returns for whom they were, and the ids of all that ended. Nothing where it has ended already.
pub(super) async fn itself(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    id: DelegationId,
) -> Result<Option<(TenantUserId, Vec<DelegationId>)>> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $3 WHERE tenant_id = $1 AND id = $2 AND state = 'live' \
         RETURNING id, family_id, tenant_user_id"
    );
    let rows = tx.all(update, args![id, cx.now]).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let person = first.parse("tenant_user_id")?;
    Ok(Some((person, with_descendants(tx, cx, &rows).await?)))
}

/// Ends what carries a family or was made with it, because the family ends. Each is found by an index of its own: where one of two things
/// may be named, SQLite would read all live delegations of the tenant.
pub(crate) async fn of_family(tx: &mut Tx<Tenant>, cx: &Cx, family: FamilyId) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $3 WHERE tenant_id = $1 \
         AND id IN (SELECT id FROM delegations WHERE tenant_id = $1 AND family_id = $2 \
         UNION ALL SELECT id FROM delegations WHERE tenant_id = $1 AND source_family_id = $2) \
         AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![family, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Ends what was made with one access token, because the token is given back.
pub async fn of_token(tx: &mut Tx<Tenant>, cx: &Cx, jti: &str) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $3 WHERE tenant_id = $1 AND source_jti = $2 \
         AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![jti, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Lets the end of what was granted on an issuer's word wait for what this transaction grants on it; one that came first is seen by the
/// next statement.
pub fn rely_on(tx: &mut Tx<Tenant>, issuer: &str) {
    tx.share(&word_of(issuer));
}

/// The same for the end of everything that is done for a person, where nothing of theirs is held that it waits for.
pub fn act_for(tx: &mut Tx<Tenant>, person: TenantUserId) {
    tx.share(&done_for(person));
}

fn word_of(issuer: &str) -> String {
    format!("word of {issuer}")
}

fn done_for(person: TenantUserId) -> String {
    format!("done for {person}")
}

/// Ends what was granted on an issuer's word, about one person or about all, because it is not believed any more.
pub async fn of_issuer(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    issuer: &str,
    person: Option<TenantUserId>,
) -> Result<()> {
    tx.hold(&word_of(issuer));
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $4 WHERE tenant_id = $1 AND source_client_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR tenant_user_id = $3) AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![issuer, person, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Ends what an application does for people, and what others do with its tokens, because it is disabled or deleted.
pub(crate) async fn of_app(tx: &mut Tx<Tenant>, cx: &Cx, app: AppId, client_id: &str) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $4 WHERE tenant_id = $1 \
         AND id IN (SELECT id FROM delegations WHERE tenant_id = $1 AND actor_app_id = $2 \
         UNION ALL SELECT id FROM delegations WHERE tenant_id = $1 AND source_client_id = $3) \
         AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![app, client_id, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Ends what an application does for one person, and what others do with its tokens, because the person takes back what
/// was allowed.
pub(crate) async fn of_consent(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
    (app, client_id): (AppId, &str),
) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $5 WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND (actor_app_id = $3 OR source_client_id = $4) AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![person, app, client_id, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Ends what is done for a person, because the membership is suspended or removed.
pub(crate) async fn of_person(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<()> {
    tx.hold(&done_for(person));
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $3 WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![person, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Ends what is done in an organization, by one of its members or by all.
pub(crate) async fn of_organization(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, person): (OrganizationId, Option<TenantUserId>),
) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $4 WHERE tenant_id = $1 AND organization_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR tenant_user_id = $3) AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![organization, person, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Ends what was made in a session, because the session is ended from outside.
pub(crate) async fn of_session(tx: &mut Tx<Tenant>, cx: &Cx, session: SessionId) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $3 WHERE tenant_id = $1 AND session_id = $2 \
         AND state = 'live' RETURNING id, family_id"
    );
    let rows = tx.all(update, args![session, cx.now]).await?;
    with_descendants(tx, cx, &rows).await.map(|_| ())
}

/// Marks the tokens of ended links, and goes on with the links that were made with them. Each level is a statement of its own:
/// it waits for exchanges that hold a link, and then sees what they made.
async fn with_descendants(tx: &mut Tx<Tenant>, cx: &Cx, rows: &[Row]) -> Result<Vec<DelegationId>> {
    let mut due = links(rows)?;
    let mut ended = Vec::with_capacity(due.len());
    while let Some((id, family)) = due.pop() {
        revocations::revoke(tx, cx, &Revoked::Family(family));
        let refresh = quiet_sql!(
            "what ended it is recorded",
            "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND id = $2 AND state = 'live'"
        );
        tx.later(refresh, args![family]);
        let children = quiet_sql!(
            "what ended it is recorded",
            "UPDATE delegations SET state = 'revoked', revoked_at = $3 WHERE tenant_id = $1 AND parent_id = $2 \
             AND state = 'live' RETURNING id, family_id"
        );
        due.extend(links(&tx.all(children, args![id, cx.now]).await?)?);
        ended.push(id);
    }
    Ok(ended)
}

fn links(rows: &[Row]) -> Result<Vec<(DelegationId, FamilyId)>> {
    rows.iter().map(|row| Ok((row.parse("id")?, row.parse("family_id")?))).collect()
}
