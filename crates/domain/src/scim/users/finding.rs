//! Reads of provisioned people; every look-up of a directory has an index.

use serde_json::{Map, Value};
use svc_core::{OrganizationId, Result, TenantUserId, Timestamp};
use svc_db::{Call, Row, Tenant, Tx, after, args, sql};

use super::{Group, ProvisionedUser};
use crate::document;
use crate::people::tenant_users::Status;
use crate::scim::key;

/// Reads provisioned people; the argument says which.
macro_rules! scim_users_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, external_id, document, status, group_list, created_at, updated_at, version, member_updated_at, member_version \
             FROM scim_user_records WHERE tenant_id = $1 AND organization_id = $2 AND ",
            $which
        )
    };
}

/// One of them.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: TenantUserId,
) -> Result<Option<ProvisionedUser>> {
    let select = scim_users_sql!("id = $3");
    tx.optional(select, args![organization, id]).await?.as_ref().map(record).transpose()
}

/// The one with this sign-in name, whose case does not count.
pub async fn find_by_user_name(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    name: &str,
) -> Result<Option<ProvisionedUser>> {
    let [rows] = tx.batch([of_user_name(tx, organization, name)]).await?;
    rows.first().map(record).transpose()
}

/// Selects the one with this sign-in name, to be read with others in one round trip.
pub(super) fn of_user_name(tx: &Tx<Tenant>, organization: OrganizationId, name: &str) -> Call {
    let select = scim_users_sql!("user_name_key = $3");
    tx.call(select, args![organization, key(name)])
}

/// The one whom the directory itself calls so.
pub async fn find_by_external_id(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: &str,
) -> Result<Option<ProvisionedUser>> {
    let [rows] = tx.batch([of_external_id(tx, organization, id)]).await?;
    rows.first().map(record).transpose()
}

/// Selects the one whom the directory calls so, to be read with others in one round trip.
pub(super) fn of_external_id(tx: &Tx<Tenant>, organization: OrganizationId, id: &str) -> Call {
    let select = scim_users_sql!("external_id = $3");
    tx.call(select, args![organization, id])
}

/// Up to `limit` with this address, whose case does not count.
pub async fn find_by_email(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (address, limit): (&str, u32),
) -> Result<Vec<ProvisionedUser>> {
    let select = scim_users_sql!(
        "id IN (SELECT user_id FROM scim_user_emails WHERE tenant_id = $1 AND organization_id = $2 AND value_key = $3 \
         ORDER BY user_id LIMIT $4) ORDER BY id"
    );
    tx.all(select, args![organization, key(address), limit]).await?.iter().map(record).collect()
}

/// The resource of a person as the directory of their organization gave it, if one speaks for the person, and when it last did.
pub async fn resource_of(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
) -> Result<Option<(OrganizationId, Map<String, Value>, Timestamp)>> {
    let select =
        sql!("SELECT organization_id, document, updated_at FROM scim_users WHERE tenant_id = $1 AND id = $2");
    let Some(row) = tx.optional(select, args![person]).await? else { return Ok(None) };
    Ok(Some((row.parse("organization_id")?, document::load(&row, "document")?, row.time("updated_at")?)))
}

/// A page by id, after `offset` others: the ids are counted in an index, and only the page is read.
pub async fn page(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (offset, limit): (i64, u32),
) -> Result<Vec<ProvisionedUser>> {
    let select = scim_users_sql!(
        "id IN (SELECT id FROM scim_users WHERE tenant_id = $1 AND organization_id = $2 ORDER BY id LIMIT $4 OFFSET $3) ORDER BY id"
    );
    tx.all(select, args![organization, offset, limit]).await?.iter().map(record).collect()
}

/// A page by id, after `cursor`.
pub async fn page_after(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<ProvisionedUser>> {
    let select = scim_users_sql!("id > $3 ORDER BY id LIMIT $4");
    tx.all(select, args![organization, after(cursor), limit]).await?.iter().map(record).collect()
}

/// How many there are.
pub async fn count(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<i64> {
    let select =
        sql!("SELECT COUNT(*) AS count FROM scim_users WHERE tenant_id = $1 AND organization_id = $2");
    tx.one(select, args![organization]).await?.int("count")
}

fn record(row: &Row) -> Result<ProvisionedUser> {
    let mut groups: Vec<Group> = document::load(row, "group_list")?;
    groups.sort_by_key(|group| group.id);
    Ok(ProvisionedUser {
        id: row.parse("id")?,
        external_id: row.maybe_text("external_id")?,
        document: document::load(row, "document")?,
        status: Status::stored(&row.text("status")?)?,
        groups,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?.max(row.time("member_updated_at")?),
        version: row.int("version")?,
        member_version: row.int("member_version")?,
    })
}
