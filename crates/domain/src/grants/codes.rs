//! Authorization codes (RFC 6749 §4.1.2): consumable once, bound to what was agreed.

use svc_core::{AppId, Cx, Digest, FamilyId, Result, Seconds, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, quiet_sql, sql};

use crate::document;
use crate::grants::grant::AuthorizationGrant;
use crate::people::tenant_users::{self, Person};

/// A code that has just been spent.
#[derive(Clone, Debug)]
pub struct Spent {
    /// The application that it was issued to.
    pub app: AppId,
    /// The person who agreed.
    pub person: TenantUserId,
    /// The family that every token of this authorization belongs to.
    pub family: FamilyId,
    /// What was agreed.
    pub grant: AuthorizationGrant,
}

/// What presenting a code did.
#[derive(Clone, Debug)]
pub enum Spending {
    /// It was live and is now spent; with the person as they are now.
    Spent(Box<Spent>, Box<Person>),
    /// It had been spent before: more than one client holds it.
    Replayed {
        /// The application that it was issued to.
        app: AppId,
        /// What was issued for it, to be revoked.
        family: FamilyId,
    },
    /// No such code, or it has expired, or its session has ended.
    Unknown,
}

/// Stores a new code by its digest.
pub fn create(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest, new: &Spent, lifetime: Seconds) -> Result<()> {
    let insert = quiet_sql!(
        "the authorization is recorded",
        "INSERT INTO codes (tenant_id, digest, app_id, tenant_user_id, session_id, family_id, authorization_grant, state, \
         expires_at, organization_id) VALUES ($1, $2, $3, $4, $5, $6, $7, 'live', $8, $9)"
    );
    let session = new.grant.authentication.session;
    let grant = document::store(&new.grant)?;
    let (organization, ends) = (new.grant.organization, cx.now + lifetime);
    tx.later(insert, args![digest, new.app, new.person, session, new.family, grant, ends, organization]);
    Ok(())
}

/// Spends a code: one statement, so that of N at once one wins.
///
/// The code of an application that has gone is unknown, and so is that of a session that has ended: what ends them takes their codes
/// with it, and nothing else refuses one that was stored meanwhile.
pub async fn spend(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest) -> Result<Spending> {
    let update = quiet_sql!(
        "is used once; the token that it buys is recorded",
        "UPDATE codes SET state = 'spent' WHERE tenant_id = $1 AND digest = $2 AND state = 'live' AND expires_at > $3 \
         RETURNING digest"
    );
    let select = sql!(
        "SELECT c.app_id, c.tenant_user_id, c.family_id, c.authorization_grant, c.state AS code_state, p.id, p.account_id, \
         p.subject, p.username, p.status, p.roles, p.metadata, p.guest_used_at, p.email, p.email_verified, p.profile, p.password, \
         p.credentials_changed_at, p.account_status, p.created_at, p.updated_at, p.account_updated_at, \
         EXISTS (SELECT 1 FROM group_members m WHERE m.tenant_id = c.tenant_id \
         AND m.tenant_user_id = c.tenant_user_id) AS is_in_groups, \
         EXISTS (SELECT 1 FROM sessions s WHERE s.tenant_id = c.tenant_id AND s.id = c.session_id \
         AND s.ended_at IS NOT NULL AND s.continued_as IS NULL) AS is_session_over FROM codes c \
         JOIN people p ON p.tenant_id = c.tenant_id AND p.id = c.tenant_user_id WHERE c.tenant_id = $1 AND c.digest = $2 \
         AND EXISTS (SELECT 1 FROM apps a WHERE a.tenant_id = c.tenant_id AND a.id = c.app_id)"
    );
    let (update, select) = (tx.call(update, args![digest, cx.now]), tx.call(select, args![digest]));
    let [updated, rows] = tx.batch([update, select]).await?;
    let Some(row) = rows.first() else { return Ok(Spending::Unknown) };
    if !updated.is_empty() {
        if row.flag("is_session_over")? {
            return Ok(Spending::Unknown);
        }
        let person = tenant_users::person_and_groups(tx, row).await?;
        return Ok(Spending::Spent(Box::new(spent(row)?), Box::new(person)));
    }
    if row.text("code_state")? == "spent" {
        return Ok(Spending::Replayed { app: row.parse("app_id")?, family: row.parse("family_id")? });
    }
    Ok(Spending::Unknown)
}

/// Forgets a code that was used twice: what was issued for it is revoked, and a further use is that of an unknown code.
pub fn forget(tx: &mut Tx<Tenant>, digest: Digest) {
    let delete = quiet_sql!(
        "its misuse is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND digest = $2 AND state = 'spent'"
    );
    tx.later(delete, args![digest]);
}

fn spent(row: &Row) -> Result<Spent> {
    Ok(Spent {
        app: row.parse("app_id")?,
        person: row.parse("tenant_user_id")?,
        family: row.parse("family_id")?,
        grant: document::load(row, "authorization_grant")?,
    })
}
