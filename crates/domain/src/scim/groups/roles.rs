//! The roles in an organization that the tenant gives to the people of a directory's group.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::{Cx, Error, OrganizationId, Result};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::ProvisionedGroup;
use super::telling::Before;
use crate::apis::roles;
use crate::log::{Action, Meaning, change, check_version};

/// Most roles of a group.
const MOST: usize = 100;

/// Gives the people of a group these roles, and no others by it; returns whether anything changed.
pub async fn set_roles(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, group): (OrganizationId, &ProvisionedGroup),
    wanted: &[String],
) -> Result<bool> {
    if wanted.len() > MOST {
        return Err(Error::bad_request(format!("roles: use at most {MOST}")));
    }
    roles::check_known(tx, wanted).await?;
    let wanted: BTreeSet<_> = wanted.iter().cloned().collect();
    if wanted == group.roles {
        return Ok(false);
    }
    let before = Before::of_group(tx, (organization, group.id)).await?;
    let update = change_sql!(
        "UPDATE scim_groups SET updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND organization_id = $2 AND id = $3 AND version = $5"
    );
    let meaning = Meaning::done(Action::ScimGroupRolesChanged, group.id)
        .with(json!({ "organization_id": organization, "from": group.roles, "to": wanted }));
    let arguments = args![organization, group.id, cx.now, group.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the group")?;
    let delete = quiet_sql!(
        "goes with the group, whose change is recorded",
        "DELETE FROM scim_group_roles WHERE tenant_id = $1 AND organization_id = $2 AND group_id = $3"
    );
    tx.later(delete, args![organization, group.id]);
    for role in &wanted {
        let insert = quiet_sql!(
            "goes with the group, whose change is recorded",
            "INSERT INTO scim_group_roles (tenant_id, organization_id, group_id, role) VALUES ($1, $2, $3, $4)"
        );
        tx.later(insert, args![organization, group.id, role]);
    }
    before.tell(tx, cx, (organization, group.id)).await?;
    Ok(true)
}

/// The roles that the directory of an organization reaches, once and in order: those of its groups, whose people it chooses, and those
/// of the people that it has provisioned, whose addresses it changes.
pub async fn reached(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<Vec<String>> {
    let select = sql!(
        "WITH RECURSIVE around (id) AS (SELECT m.group_id FROM scim_users s JOIN group_members m \
         ON m.tenant_id = s.tenant_id AND m.tenant_user_id = s.id WHERE s.tenant_id = $1 AND s.organization_id = $2 \
         UNION SELECT n.group_id FROM around JOIN group_nesting n ON n.tenant_id = $1 AND n.member_id = around.id) \
         SELECT r.role AS role FROM around JOIN group_roles r ON r.tenant_id = $1 AND r.group_id = around.id \
         UNION SELECT g.role FROM scim_group_roles g WHERE g.tenant_id = $1 AND g.organization_id = $2 \
         UNION SELECT m.role FROM scim_users s JOIN role_members m ON m.tenant_id = s.tenant_id AND m.tenant_user_id = s.id \
         WHERE s.tenant_id = $1 AND s.organization_id = $2 \
         UNION SELECT o.role FROM scim_users s JOIN organization_roles o ON o.tenant_id = s.tenant_id AND o.tenant_user_id = s.id \
         WHERE s.tenant_id = $1 AND s.organization_id = $2 ORDER BY role"
    );
    tx.all(select, args![organization]).await?.iter().map(|row| row.text("role")).collect()
}
