//! The people in groups of a directory, all of whom it provisioned itself.

use std::collections::BTreeSet;

use svc_core::{Error, OrganizationId, Result, ScimGroupId, TenantUserId};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

/// The people of a group, by id.
pub async fn members(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    group: ScimGroupId,
) -> Result<BTreeSet<TenantUserId>> {
    let select = sql!(
        "SELECT user_id FROM scim_group_members WHERE tenant_id = $1 AND organization_id = $2 AND group_id = $3"
    );
    let rows = tx.all(select, args![organization, group]).await?;
    rows.iter().map(|row| row.parse("user_id")).collect()
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
