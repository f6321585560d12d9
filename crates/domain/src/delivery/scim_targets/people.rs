//! Whom a target gets, asked of the database: those who are members and known, and to whom its configuration applies.

use svc_core::{Result, ScimTargetId, TenantUserId};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

use super::chosen::PushedPeople;

/// Reads the ids of people whom a target gets; the argument says which.
macro_rules! pushed_people_sql {
    ($which:literal) => {
        sql!(
            "WITH RECURSIVE inside (id) AS (SELECT s.value FROM scim_target_people s WHERE s.tenant_id = $1 \
             AND s.target_id = $2 AND s.kind = 'group' UNION SELECT g.group_id FROM scim_target_people s \
             JOIN group_roles g ON g.tenant_id = $1 AND g.role = s.value WHERE s.tenant_id = $1 AND s.target_id = $2 \
             AND s.kind = 'role' UNION SELECT n.member_id FROM inside JOIN group_nesting n ON n.tenant_id = $1 \
             AND n.group_id = inside.id) \
             SELECT u.id FROM tenant_users u WHERE u.tenant_id = $1 AND u.status IN ('active', 'suspended') \
             AND u.guest_used_at IS NULL AND (EXISTS (SELECT 1 FROM scim_target_people s WHERE s.tenant_id = $1 \
             AND s.target_id = $2 AND s.kind = 'everyone') OR EXISTS (SELECT 1 FROM scim_target_people s \
             JOIN organization_members m ON m.tenant_id = $1 AND m.organization_id = s.value WHERE s.tenant_id = $1 \
             AND s.target_id = $2 AND s.kind = 'organization' AND m.tenant_user_id = u.id) \
             OR EXISTS (SELECT 1 FROM scim_target_people s JOIN role_members m ON m.tenant_id = $1 AND m.role = s.value \
             WHERE s.tenant_id = $1 AND s.target_id = $2 AND s.kind = 'role' AND m.tenant_user_id = u.id) \
             OR EXISTS (SELECT 1 FROM inside JOIN group_members m ON m.tenant_id = $1 AND m.group_id = inside.id \
             WHERE m.tenant_user_id = u.id)) AND ",
            $which
        )
    };
}

/// Whether a target gets a person.
pub(super) async fn gets(tx: &mut Tx<Tenant>, target: ScimTargetId, person: &str) -> Result<bool> {
    Ok(tx.optional(pushed_people_sql!("u.id = $3"), args![target, person]).await?.is_some())
}

/// Up to `limit` people whom a target gets, by id after one.
pub(super) async fn after(
    tx: &mut Tx<Tenant>,
    target: ScimTargetId,
    (cursor, limit): (&str, u32),
) -> Result<Vec<TenantUserId>> {
    let select = pushed_people_sql!("u.id > $3 ORDER BY u.id LIMIT $4");
    let rows = tx.all(select, args![target, cursor, limit]).await?;
    rows.iter().map(|row| row.parse("id")).collect()
}

/// Writes down whom a target gets, in the place of what was there.
pub(super) fn store(tx: &mut Tx<Tenant>, target: ScimTargetId, people: &PushedPeople) {
    let delete = quiet_sql!(
        "goes with the target, whose change is recorded",
        "DELETE FROM scim_target_people WHERE tenant_id = $1 AND target_id = $2"
    );
    tx.later(delete, args![target]);
    for (kind, value) in people.rows() {
        let insert = quiet_sql!(
            "goes with the target, whose change is recorded",
            "INSERT INTO scim_target_people (tenant_id, target_id, kind, value) VALUES ($1, $2, $3, $4)"
        );
        tx.later(insert, args![target, kind, value]);
    }
}
