//! Reads of groups of directories.

use svc_core::{OrganizationId, Result, ScimGroupId, TenantUserId};
use svc_db::{Row, Tenant, Tx, after, args, sql};

use super::ProvisionedGroup;
use crate::document;
use crate::scim::key;

/// Reads groups; the argument says which.
macro_rules! scim_groups_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, display_name, external_id, document, roles, created_at, updated_at, version, \
             (SELECT COUNT(*) FROM scim_group_members m WHERE m.tenant_id = $1 AND m.organization_id = $2 \
             AND m.group_id = scim_group_records.id) AS size FROM scim_group_records WHERE tenant_id = $1 AND organization_id = $2 AND ",
            $which
        )
    };
}

/// One of them.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: ScimGroupId,
) -> Result<Option<ProvisionedGroup>> {
    let select = scim_groups_sql!("id = $3");
    tx.optional(select, args![organization, id]).await?.as_ref().map(record).transpose()
}

/// Up to `limit` of this name, whose case does not count.
pub async fn find_by_name(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (name, limit): (&str, u32),
) -> Result<Vec<ProvisionedGroup>> {
    let select = scim_groups_sql!("name_key = $3 ORDER BY id LIMIT $4");
    tx.all(select, args![organization, key(name), limit]).await?.iter().map(record).collect()
}

/// The one that the directory itself calls by this id.
pub async fn find_by_external_id(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: &str,
) -> Result<Option<ProvisionedGroup>> {
    let select = scim_groups_sql!("external_id = $3");
    tx.optional(select, args![organization, id]).await?.as_ref().map(record).transpose()
}

/// The groups that a person is in, by id.
pub async fn of_member(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    person: TenantUserId,
) -> Result<Vec<ProvisionedGroup>> {
    let select = scim_groups_sql!(
        "id IN (SELECT group_id FROM scim_group_members WHERE tenant_id = $1 AND organization_id = $2 AND user_id = $3) ORDER BY id"
    );
    tx.all(select, args![organization, person]).await?.iter().map(record).collect()
}

/// A page by id, after `offset` others.
pub async fn page(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (offset, limit): (i64, u32),
) -> Result<Vec<ProvisionedGroup>> {
    let select = scim_groups_sql!(
        "id IN (SELECT id FROM scim_groups WHERE tenant_id = $1 AND organization_id = $2 ORDER BY id LIMIT $4 OFFSET $3) ORDER BY id"
    );
    tx.all(select, args![organization, offset, limit]).await?.iter().map(record).collect()
}

/// A page by id, after `cursor`.
pub async fn page_after(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (cursor, limit): (Option<ScimGroupId>, u32),
) -> Result<Vec<ProvisionedGroup>> {
    let select = scim_groups_sql!("id > $3 ORDER BY id LIMIT $4");
    tx.all(select, args![organization, after(cursor), limit]).await?.iter().map(record).collect()
}

/// How many there are.
pub async fn count(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<i64> {
    let select =
        sql!("SELECT COUNT(*) AS count FROM scim_groups WHERE tenant_id = $1 AND organization_id = $2");
    tx.one(select, args![organization]).await?.int("count")
}

fn record(row: &Row) -> Result<ProvisionedGroup> {
    Ok(ProvisionedGroup {
        id: row.parse("id")?,
        display_name: row.text("display_name")?,
        external_id: row.maybe_text("external_id")?,
        document: document::load(row, "document")?,
        roles: document::load(row, "roles")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
        size: row.int("size")?,
    })
}
