//! `/api/v1/organizations/{id}/directory-groups`: the groups of an organization's directory, and the roles that the tenant gives to
//! their people.

use serde::{Deserialize, Serialize};
use svc_core::{OrganizationId, Result, ScimGroupId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::organizations;
use svc_domain::scim::groups::{self, ProvisionedGroup};
use svc_http::{IfMatch, Json, List, Listing, Path, Problem, TenantCx, Versioned};
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::{privileges, record, unknown};

/// A group that the directory of an organization provisioned.
#[derive(Debug, Serialize, ToSchema)]
struct DirectoryGroup {
    /// Its id, which is also that of its SCIM resource.
    #[schema(value_type = String)]
    id: ScimGroupId,
    /// The name of the group in the directory.
    display_name: String,
    /// The directory's own id of the group; null where it gave none.
    external_id: Option<String>,
    /// Names of the roles that its people have in the organization.
    roles: Vec<String>,
    /// When it was provisioned.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// The roles that the people of a directory's group get.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "roles": ["editor"] })))]
struct DirectoryGroupRoles {
    /// Names of the roles that its people have in the organization.
    #[schema(max_items = 100)]
    roles: Vec<String>,
}

/// Adds the routes to those of organizations.
pub(crate) fn routes(organizations: Resource) -> Resource {
    const GROUP: &str = "{id}/directory-groups/{directory_group_id}";
    organizations
        .get("{id}/directory-groups", "List the groups of an organization's directory", list)
        .get(GROUP, "Read a group of an organization's directory", read)
        .put(GROUP, "Give the people of a directory's group roles in the organization", give)
}

async fn list(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Listing { page, .. }: Listing<ScimGroupId>,
) -> Result<Json<List<DirectoryGroup>>, Problem> {
    let mut tx = caller.read().await?;
    organizations::find(&mut tx, id).await?.ok_or_else(unknown)?;
    let found = groups::page_after(&mut tx, id, (page.after, page.fetch())).await?;
    let found = found.into_iter().map(DirectoryGroup::from).collect();
    Ok(Json(caller.page(found, page.limit, |group: &DirectoryGroup| group.id)?))
}

async fn read(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, ScimGroupId)>,
) -> Result<Versioned<DirectoryGroup>, Problem> {
    Ok(versioned(find(&mut caller.read().await?, ids).await?))
}

async fn give(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, ScimGroupId)>,
    if_match: IfMatch,
    Json(wanted): Json<DirectoryGroupRoles>,
) -> Result<Versioned<DirectoryGroup>, Problem> {
    let (mut tx, held) = record::begin(&caller, &ids.1).await?;
    let group = find(&mut tx, ids).await?;
    if_match.check(held, group.version)?;
    let roles: Vec<_> = group.roles.iter().cloned().collect();
    privileges::for_added_roles(&caller, &mut tx, &roles, &wanted.roles).await?;
    groups::set_roles(&mut tx, &caller, (ids.0, &group), &wanted.roles).await?;
    let group = find(&mut tx, ids).await?;
    tx.commit().await?;
    Ok(versioned(group))
}

async fn find(
    tx: &mut Tx<Tenant>,
    (organization, id): (OrganizationId, ScimGroupId),
) -> Result<ProvisionedGroup> {
    groups::find(tx, organization, id).await?.ok_or_else(unknown)
}

fn versioned(group: ProvisionedGroup) -> Versioned<DirectoryGroup> {
    Versioned { version: group.version, record: group.into() }
}

impl From<ProvisionedGroup> for DirectoryGroup {
    fn from(group: ProvisionedGroup) -> Self {
        let ProvisionedGroup { id, display_name, external_id, roles, created_at, updated_at, .. } = group;
        Self { id, display_name, external_id, roles: roles.into_iter().collect(), created_at, updated_at }
    }
}
