//! The session in which a staff member acts, as long as everything holds that it rests on.

use svc_core::{Digest, Result, Timestamp};
use svc_db::{Tenant, Tx, args, sql};

use super::asking::refusal;
use crate::grants::grant::Acting;
use crate::people::sessions::{self, Session};
use crate::people::tenant_users::{self, Person};

/// The live session behind the cookie of a browser in which a staff member acts, and the staff member. It is over with the
/// impersonation, with the staff member's own session, when either of the two may not sign in any more or has changed credentials, and
/// when the person has become one for whom the staff member may not act.
pub async fn session(
    tx: &mut Tx<Tenant>,
    digest: Digest,
    now: Timestamp,
) -> Result<Option<(Session, Person)>> {
    let select = sql!(
        "SELECT s.id AS session_id, s.auth_time, s.amr, s.acr, s.last_seen_at, s.organization_id, \
         s.created_at AS session_created_at, s.expires_at AS acting_ends_at, i.id AS acting_id, i.app_id AS acting_app, i.staff_id AS acting_staff, \
         f.subject AS acting_by, p.id, \
         p.account_id, p.subject, p.username, p.status, p.roles, p.group_roles, p.group_names, p.metadata, p.guest_used_at, p.email, p.email_verified, p.profile, p.password, \
         p.credentials_changed_at, p.account_status, p.created_at, p.updated_at, p.account_updated_at FROM sessions s \
         JOIN impersonations i ON i.tenant_id = s.tenant_id AND i.id = s.impersonation_id \
         JOIN sessions o ON o.tenant_id = s.tenant_id AND o.id = i.staff_session_id \
         JOIN people f ON f.tenant_id = s.tenant_id AND f.id = i.staff_id \
         JOIN people p ON p.tenant_id = s.tenant_id AND p.id = s.tenant_user_id \
         WHERE s.tenant_id = $1 AND s.digest = $2 AND s.ended_at IS NULL AND s.expires_at > $3 AND i.state = 'active' \
         AND o.ended_at IS NULL AND o.expires_at > $3 AND o.created_at >= f.credentials_changed_at \
         AND f.status = 'active' AND f.account_status = 'active'"
    );
    let Some(row) = tx.optional(select, args![digest, now]).await? else { return Ok(None) };
    let person = tenant_users::person(&row)?;
    if !person.may_sign_in() || row.time("session_created_at")? < person.credentials_changed_at {
        return Ok(None);
    }
    let staff = tenant_users::find(tx, row.parse("acting_staff")?).await?;
    let Some(staff) = staff else { return Ok(None) };
    if refusal(tx, &person, &staff).await?.is_some() {
        return Ok(None);
    }
    let acting = Acting {
        id: row.parse("acting_id")?,
        by: row.text("acting_by")?,
        app: row.maybe_parse("acting_app")?,
        ends_at: row.time("acting_ends_at")?,
    };
    let mut session = sessions::session(&row, person)?;
    session.authentication.acting = Some(acting);
    Ok(Some((session, staff)))
}
