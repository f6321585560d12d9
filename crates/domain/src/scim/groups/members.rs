//! The people in groups of a directory, all of whom it provisioned itself.

use svc_core::{Error, OrganizationId, Result, ScimGroupId, TenantUserId};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

use crate::document;

/// A person in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The person.
    pub id: TenantUserId,
    /// The sign-in name in the directory.
    pub user_name: String,
}

/// The people of a group by id.
pub async fn members(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    group: ScimGroupId,
) -> Result<Vec<Member>> {
    let select = sql!(
        "SELECT u.id, u.document FROM scim_group_members m \
         JOIN scim_users u ON u.tenant_id = m.tenant_id AND u.organization_id = m.organization_id AND u.id = m.user_id \
         WHERE m.tenant_id = $1 AND m.organization_id = $2 AND m.group_id = $3 ORDER BY m.user_id"
    );
    let rows = tx.all(select, args![organization, group]).await?;
    let member = |row: &svc_db::Row| {
        let document: serde_json::Map<String, serde_json::Value> = document::load(row, "document")?;
        let user_name = document.get("userName").and_then(serde_json::Value::as_str).unwrap_or_default();
        Ok(Member { id: row.parse("id")?, user_name: user_name.to_owned() })
    };
    rows.iter().map(member).collect()
}

/// Puts a person into a group. `bad_request` where the directory has not provisioned the person.
pub(super) async fn add(
    tx: &mut Tx<Tenant>,
    (organization, group): (OrganizationId, ScimGroupId),
    person: TenantUserId,
) -> Result<()> {
    let insert = quiet_sql!(
        "goes with the group, whose change is recorded",
        "INSERT INTO scim_group_members (tenant_id, organization_id, group_id, user_id) \
         SELECT tenant_id, organization_id, $3, id FROM scim_users WHERE tenant_id = $1 AND organization_id = $2 AND id = $4 \
         ON CONFLICT (tenant_id, organization_id, group_id, user_id) DO NOTHING"
    );
    if tx.execute(insert, args![organization, group, person]).await? == 0 {
        return Err(Error::bad_request(format!(
            "members: the directory has provisioned no person with the id {person}"
        ))
        .called("invalidValue"));
    }
    Ok(())
}

/// Takes a person out of a group.
pub(super) fn remove(
    tx: &mut Tx<Tenant>,
    (organization, group): (OrganizationId, ScimGroupId),
    person: TenantUserId,
) {
    let delete = quiet_sql!(
        "goes with the group, whose change is recorded",
        "DELETE FROM scim_group_members WHERE tenant_id = $1 AND organization_id = $2 AND group_id = $3 AND user_id = $4"
    );
    tx.later(delete, args![organization, group, person]);
}
