//! Authorization codes (RFC 6749 §4.1.2): consumable once, bound to what was agreed.

use svc_core::{AppId, Cx, Digest, FamilyId, Result, Seconds, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, quiet_sql, sql};

use crate::document;
use crate::grants::grant::AuthorizationGrant;
use crate::people::tenant_users::{self, Credential, Person};

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
    Spent(Box<Spent>, Option<Box<Person>>),
    /// It had been spent before: more than one client holds it.
    Replayed {
        /// The application that it was issued to.
        app: AppId,
        /// What was issued for it, to be revoked.
        family: FamilyId,
    },
    /// No such code, or it has expired.
    Unknown,
}

/// Stores a new code by its digest.
pub fn create(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest, new: &Spent, lifetime: Seconds) -> Result<()> {
    let insert = quiet_sql!(
        "the authorization is recorded",
        "INSERT INTO codes (tenant_id, digest, app_id, tenant_user_id, session_id, family_id, authorization_grant, state, \
         expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'live', $8)"
    );
    let session = new.grant.authentication.session;
    let grant = document::store(&new.grant)?;
    tx.later(insert, args![digest, new.app, new.person, session, new.family, grant, cx.now + lifetime]);
    Ok(())
}

/// Spends a code: one statement, so that of N at once one wins.
pub async fn spend(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest) -> Result<Spending> {
    let update = quiet_sql!(
        "is used once; the token that it buys is recorded",
        "UPDATE codes SET state = 'spent' WHERE tenant_id = $1 AND digest = $2 AND state = 'live' AND expires_at > $3 \
         RETURNING app_id, tenant_user_id, family_id, authorization_grant"
    );
    let select =
        sql!("SELECT app_id, family_id FROM codes WHERE tenant_id = $1 AND digest = $2 AND state = 'spent'");
    let (update, select) = (tx.call(update, args![digest, cx.now]), tx.call(select, args![digest]));
    let person = tenant_users::behind(tx, Credential::Code, digest);
    let [now, before, person] = tx.batch([update, select, person]).await?;
    match (now.first(), before.first()) {
        (Some(row), _) => {
            Ok(Spending::Spent(Box::new(spent(row)?), tenant_users::one(&person)?.map(Box::new)))
        }
        (None, Some(row)) => {
            Ok(Spending::Replayed { app: row.parse("app_id")?, family: row.parse("family_id")? })
        }
        (None, None) => Ok(Spending::Unknown),
    }
}

fn spent(row: &Row) -> Result<Spent> {
    Ok(Spent {
        app: row.parse("app_id")?,
        person: row.parse("tenant_user_id")?,
        family: row.parse("family_id")?,
        grant: document::load(row, "authorization_grant")?,
    })
}
