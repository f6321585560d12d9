//! Refresh families and their tokens (RFC 6749 §6, RFC 9700 §4.14): rotation, reuse detection, one live leaf.

use svc_core::events::RefreshTokenReused;
use svc_core::{AppId, Cx, Digest, Error, FamilyId, Result, SessionId, TenantUserId, Timestamp};
use svc_db::{Call, Row, Tenant, Tx, args, quiet_sql, sql};

use crate::document;
use crate::grants::delegations;
use crate::grants::grant::AuthorizationGrant;
use crate::log::{Action, Meaning, record};
use crate::people::guests;
use crate::people::tenant_users::{self, Person};
use crate::tokens::access_token::Claims;
use crate::tokens::revocations::{self, Revoked};

/// A family: everything that one authorization keeps alive.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its id.
    pub id: FamilyId,
    /// The application that holds it.
    pub app: AppId,
    /// The person who agreed.
    pub person: TenantUserId,
    /// What was agreed.
    pub grant: AuthorizationGrant,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ends, however often it is refreshed.
    pub expires_at: Timestamp,
}

/// A refresh token as found by its digest.
#[derive(Clone, Debug)]
pub struct Found {
    /// The family it belongs to.
    pub family: Family,
    /// Whether the token may be spent.
    pub state: State,
    /// When the token itself ends.
    pub expires_at: Timestamp,
}

/// Where a refresh token stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// May be spent.
    Live,
    /// Was spent; a client that spends it again asks for the same answer, or stole it.
    Spent(Spending),
    /// Expired, or its family has.
    Expired,
    /// Its family has ended, for good.
    Ended,
}

/// How a token was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spending {
    /// When it was used.
    pub at: Timestamp,
    /// What was asked for, in one canonical text.
    pub request: String,
    /// The next token, sealed under this one.
    pub successor: Vec<u8>,
}

/// Starts a family; its first token is stored with [`add_token`].
pub fn create_family(tx: &mut Tx<Tenant>, family: &Family) -> Result<()> {
    let insert = quiet_sql!(
        "the issue of tokens is recorded",
        "INSERT INTO refresh_families (tenant_id, id, app_id, tenant_user_id, session_id, authorization_grant, state, \
         created_at, expires_at, organization_id) VALUES ($1, $2, $3, $4, $5, $6, 'live', $7, $8, $9)"
    );
    let session = family.grant.authentication.session;
    let grant = document::store(&family.grant)?;
    let arguments = args![
        family.id,
        family.app,
        family.person,
        session,
        grant,
        family.created_at,
        family.expires_at,
        family.grant.organization
    ];
    tx.later(insert, arguments);
    Ok(())
}

/// Lets a family go on in the organization that its grant names now.
pub fn switch(tx: &mut Tx<Tenant>, family: &Family) -> Result<()> {
    let update = quiet_sql!(
        "the issue of tokens is recorded",
        "UPDATE refresh_families SET authorization_grant = $3, organization_id = $4 WHERE tenant_id = $1 AND id = $2 \
         AND state = 'live'"
    );
    let grant = document::store(&family.grant)?;
    tx.later(update, args![family.id, grant, family.grant.organization]);
    Ok(())
}

/// Room for what is noted when a token is spent: the bytes of a sealed successor, and of a request that names nothing. SQLite then
/// writes the row where it stands, instead of moving its neighbours to other pages.
const ROOM: ([u8; 72], &str) = ([0; 72], "      ");

/// Stores a token by its digest; it never outlives its family.
pub fn add_token(tx: &mut Tx<Tenant>, family: &Family, digest: Digest, expires_at: Timestamp) {
    let insert = quiet_sql!(
        "the issue of tokens is recorded",
        "INSERT INTO refresh_tokens (tenant_id, digest, family_id, state, spent_at, spent_for, successor, expires_at) \
         VALUES ($1, $2, $3, 'live', $4, $5, $6, $4)"
    );
    let (successor, request) = ROOM;
    let expires_at = expires_at.min(family.expires_at);
    tx.later(insert, args![digest, family.id, expires_at, request, successor.to_vec()]);
}

/// A refresh token that was used, or was to be.
#[derive(Clone, Debug)]
pub struct Used {
    /// Whether it was live and this request has used it: of several at once, one wins.
    pub is_won: bool,
    /// The token, as it stands after that.
    pub found: Found,
    /// The person as they are now.
    pub person: Person,
}

/// The token with this digest.
pub async fn find(tx: &mut Tx<Tenant>, digest: Digest, now: Timestamp) -> Result<Option<Found>> {
    let [rows] = tx.batch([select(tx, digest)]).await?;
    rows.first().map(|row| found(row, now)).transpose()
}

/// The token with this digest, and the person behind it as they are now.
pub async fn find_with_person(
    tx: &mut Tx<Tenant>,
    digest: Digest,
    now: Timestamp,
) -> Result<Option<(Found, Person)>> {
    let [rows] = tx.batch([select(tx, digest)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some((found(row, now)?, tenant_users::person_and_groups(tx, row).await?)))
}

/// Spends a live token: one statement, so that of N at once one wins.
pub async fn spend(tx: &mut Tx<Tenant>, digest: Digest, spending: &Spending) -> Result<Option<Used>> {
    let update = quiet_sql!(
        "is used once; the token that it buys is recorded",
        "UPDATE refresh_tokens SET state = 'spent', spent_at = $3, spent_for = $4, successor = $5 \
         WHERE tenant_id = $1 AND digest = $2 AND state = 'live' AND expires_at > $3 RETURNING family_id"
    );
    let arguments = args![digest, spending.at, &spending.request, spending.successor.clone()];
    let update = tx.call(update, arguments);
    used(tx, update, digest, spending.at).await
}

/// Uses a live token without spending it, which lengthens its life.
pub async fn keep(
    tx: &mut Tx<Tenant>,
    digest: Digest,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Used>> {
    let update = quiet_sql!(
        "the issue of tokens is recorded",
        "UPDATE refresh_tokens SET expires_at = COALESCE((SELECT f.expires_at FROM refresh_families f \
         WHERE f.tenant_id = $1 AND f.id = refresh_tokens.family_id AND f.expires_at < $4), $4) \
         WHERE tenant_id = $1 AND digest = $2 AND state = 'live' AND expires_at > $3 RETURNING family_id"
    );
    let update = tx.call(update, args![digest, now, until]);
    used(tx, update, digest, now).await
}

/// Uses a token, and reads what it stands for in the same round trip.
async fn used(tx: &mut Tx<Tenant>, update: Call, digest: Digest, now: Timestamp) -> Result<Option<Used>> {
    let [updated, rows] = tx.batch([update, select(tx, digest)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (found, person) = (found(row, now)?, tenant_users::person_and_groups(tx, row).await?);
    guests::note_use(tx, &person, now);
    Ok(Some(Used { is_won: !updated.is_empty(), found, person }))
}

/// Selects the token, its family and the person behind it in one statement: the plan of each would find the token again.
fn select(tx: &Tx<Tenant>, digest: Digest) -> Call {
    let select = sql!(
        "SELECT t.state AS token_state, t.successor, t.spent_at, t.spent_for, t.expires_at AS token_expires_at, \
         f.id AS family_id, f.app_id, f.tenant_user_id, f.authorization_grant, f.state AS family_state, \
         f.created_at AS family_created_at, f.expires_at AS family_expires_at, p.id, p.account_id, p.subject, p.username, \
         p.status, p.roles, p.metadata, p.guest_used_at, p.email, p.email_verified, p.profile, p.password, p.credentials_changed_at, p.account_status, \
         p.created_at, p.updated_at, p.account_updated_at, EXISTS (SELECT 1 FROM group_members m \
         WHERE m.tenant_id = f.tenant_id AND m.tenant_user_id = f.tenant_user_id) AS is_in_groups FROM refresh_tokens t \
         JOIN refresh_families f ON f.tenant_id = t.tenant_id AND f.id = t.family_id \
         JOIN people p ON p.tenant_id = f.tenant_id AND p.id = f.tenant_user_id \
         WHERE t.tenant_id = $1 AND t.digest = $2"
    );
    tx.call(select, args![digest])
}

/// The session in which an access token was issued. One that may outlive its session names none: its family does. Access tokens carry
/// a family whether or not a refresh token came with them, so that there may be none.
pub async fn session_of(tx: &mut Tx<Tenant>, claims: &Claims) -> Result<Option<SessionId>> {
    let named: Option<SessionId> = claims.sid.as_deref().and_then(|sid| sid.parse().ok());
    let family: Option<FamilyId> = claims.family().and_then(|family| family.parse().ok());
    let (None, Some(family)) = (named, family) else { return Ok(named) };
    let select = sql!("SELECT session_id FROM refresh_families WHERE tenant_id = $1 AND id = $2");
    let row = tx.optional(select, args![family]).await?;
    row.map(|row| row.parse("session_id")).transpose()
}

/// Selects the family of this id, and holds it until the transaction ends.
pub fn hold(tx: &Tx<Tenant>, id: FamilyId) -> Call {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE refresh_families SET state = state WHERE tenant_id = $1 AND id = $2 RETURNING id AS family_id, app_id, \
         tenant_user_id, authorization_grant, state AS family_state, created_at AS family_created_at, \
         expires_at AS family_expires_at"
    );
    tx.call(update, args![id])
}

/// The family that [`hold`] yielded. Access tokens carry a family whether or not a refresh token came with them, so that there may
/// be none; one that is over is an error.
pub fn held(rows: &[Row]) -> Result<Option<Family>> {
    let Some(row) = rows.first() else { return Ok(None) };
    if row.text("family_state")? == "live" {
        family(row).map(Some)
    } else {
        Err(Error::invalid_grant("the grant is over"))
    }
}

/// Ends a family and every access token of it.
pub async fn revoke_family(tx: &mut Tx<Tenant>, cx: &Cx, id: FamilyId) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND id = $2 AND state = 'live'"
    );
    // The mark first, as with all that ends families: of two that end one, none waits for the other with what that needs.
    revocations::revoke(tx, cx, &Revoked::Family(id));
    tx.later(update, args![id]);
    delegations::of_family(tx, cx, id).await
}

/// Ends a family because a token of it was used twice.
pub async fn report_reuse(tx: &mut Tx<Tenant>, cx: &Cx, family: &Family) -> Result<()> {
    revoke_family(tx, cx, family.id).await?;
    let event =
        RefreshTokenReused { client_id: family.app, tenant_user_id: family.person, family_id: family.id };
    record(tx, cx, Meaning::denied(Action::RefreshTokenReused, family.id).telling(event));
    Ok(())
}

fn found(row: &Row, now: Timestamp) -> Result<Found> {
    Ok(Found { family: family(row)?, state: state(row, now)?, expires_at: row.time("token_expires_at")? })
}

fn family(row: &Row) -> Result<Family> {
    Ok(Family {
        id: row.parse("family_id")?,
        app: row.parse("app_id")?,
        person: row.parse("tenant_user_id")?,
        grant: document::load(row, "authorization_grant")?,
        created_at: row.time("family_created_at")?,
        expires_at: row.time("family_expires_at")?,
    })
}

fn state(row: &Row, now: Timestamp) -> Result<State> {
    if row.text("family_state")? != "live" {
        return Ok(State::Ended);
    }
    if row.time("family_expires_at")? <= now || row.time("token_expires_at")? <= now {
        return Ok(State::Expired);
    }
    if row.text("token_state")? == "live" {
        return Ok(State::Live);
    }
    Ok(State::Spent(Spending {
        at: row.time("spent_at")?,
        request: row.text("spent_for")?,
        successor: row.bytes("successor")?,
    }))
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    #[test]
    fn what_is_noted_of_a_spent_token_fits_the_room_that_it_was_given() {
        let entropy = SeededEntropy::new(1);
        let (token, next) = (svc_keys::token(&entropy), svc_keys::token(&entropy));
        let (successor, request) = ROOM;
        assert_eq!(svc_keys::seal_under(&token, next.as_bytes(), &entropy).unwrap().len(), successor.len());
        assert_eq!("spent".len() + "- - -".len(), "live".len() + request.len());
    }
}
