//! Who guards whom.

use svc_core::{Cx, GuardianId, Result, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, sql};

use crate::people::tenant_users::{Person, identifier_key};

/// A guardian of a person, or one who is invited.
#[derive(Clone, Debug)]
pub struct Guardian {
    /// Its id.
    pub id: GuardianId,
    /// Whose guardian.
    pub person: TenantUserId,
    /// The membership of the guardian, once accepted.
    pub guardian: Option<TenantUserId>,
    /// The address that was invited.
    pub email: String,
    /// When the invitation was mailed.
    pub created_at: Timestamp,
    /// When the invitation ends; nothing once it was accepted.
    pub expires_at: Option<Timestamp>,
    /// When the guardian accepted.
    pub accepted_at: Option<Timestamp>,
    /// Whether the guardian counts: accepted, and may sign in.
    pub is_active: bool,
}

/// Most people whom one guardian looks after, as far as they are shown.
const MOST_GUARDED: u32 = 100;

/// Reads guardians; the argument says which.
macro_rules! guardians_sql {
    ($which:literal) => {
        sql!(
            "SELECT g.id, g.tenant_user_id, g.guardian_id, g.email, g.created_at, g.expires_at, g.accepted_at, \
             p.status, p.account_status FROM guardians g LEFT JOIN people p ON p.tenant_id = g.tenant_id \
             AND p.id = g.guardian_id WHERE g.tenant_id = $1 AND ",
            $which
        )
    };
}

/// The guardians of a person and those who may still accept, the oldest first.
pub async fn of_person(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<Vec<Guardian>> {
    let select = guardians_sql!(
        "g.tenant_user_id = $2 AND (g.accepted_at IS NOT NULL OR g.expires_at > $3) ORDER BY g.id"
    );
    tx.all(select, args![person, cx.now]).await?.iter().map(guardian).collect()
}

/// Whom a person guards, and who has invited the address that the person has proven.
pub async fn guarded_by(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<Vec<Guardian>> {
    let select = guardians_sql!(
        "(g.guardian_id = $2 OR g.accepted_at IS NULL AND g.expires_at > $3 AND g.email_key = $4 \
         AND g.tenant_user_id <> $2) ORDER BY g.id LIMIT $5"
    );
    let arguments = args![person.id, cx.now, proven_key(person), MOST_GUARDED];
    tx.all(select, arguments).await?.iter().map(guardian).collect()
}

/// One guardian.
pub async fn find(tx: &mut Tx<Tenant>, cx: &Cx, id: GuardianId) -> Result<Option<Guardian>> {
    let select = guardians_sql!("g.id = $2 AND (g.accepted_at IS NOT NULL OR g.expires_at > $3)");
    tx.optional(select, args![id, cx.now]).await?.as_ref().map(guardian).transpose()
}

impl Guardian {
    /// Whether the invitation waits for this person.
    pub fn waits_for(&self, person: &Person) -> bool {
        let key = proven_key(person);
        let is_invited = key.is_some_and(|key| key == identifier_key(&self.email));
        self.accepted_at.is_none() && self.person != person.id && is_invited
    }

    /// Whether this person is the guardian.
    pub fn is(&self, person: &Person) -> bool {
        self.guardian == Some(person.id)
    }
}

/// The address that the person has proven, in the form in which it is unique.
pub(super) fn proven_key(person: &Person) -> Option<String> {
    person.email.as_deref().filter(|_| person.email_verified).map(identifier_key)
}

fn guardian(row: &Row) -> Result<Guardian> {
    let is_active = |column| Ok::<_, svc_core::Error>(row.maybe_text(column)?.as_deref() == Some("active"));
    Ok(Guardian {
        id: row.parse("id")?,
        person: row.parse("tenant_user_id")?,
        guardian: row.maybe_parse("guardian_id")?,
        email: row.text("email")?,
        created_at: row.time("created_at")?,
        expires_at: row.maybe_time("expires_at")?,
        accepted_at: row.maybe_time("accepted_at")?,
        is_active: is_active("status")? && is_active("account_status")?,
    })
}
