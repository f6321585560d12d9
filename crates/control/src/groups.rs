//! `/api/v1/groups`: people who have roles together, and groups in groups.

use serde::{Deserialize, Serialize};
use svc_core::{GroupId, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::lists::Order;
use svc_domain::people::groups::{self, Configuration, Group};
use svc_http::{Json, List, Listing, NoContent, Path, Problem, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::{privileges, tenant_users, unknown};

/// A new group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Editors", "description": "Write notes", "roles": ["editor"] })))]
pub(crate) struct NewGroup {
    /// The name in the claim `groups`; unique in the tenant.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// What administrators read.
    #[serde(default)]
    #[schema(max_length = 500)]
    description: String,
    /// Names of the roles that its people have, and those of the groups in it.
    #[serde(default)]
    roles: Vec<String>,
}

/// What can be changed of a group: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Editors", "roles": ["editor"] })))]
pub(crate) struct GroupUpdate {
    /// The name in the claim `groups`; unique in the tenant.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// What administrators read.
    #[serde(default)]
    #[schema(max_length = 500)]
    description: String,
    /// Names of the roles that its people have, and those of the groups in it.
    #[serde(default)]
    roles: Vec<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only the group of this name.
    #[param(nullable = false)]
    name: Option<String>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

/// A person in a group.
#[derive(Debug, Serialize, ToSchema)]
struct GroupMember {
    /// The tenant user.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
}

/// A group in a group.
#[derive(Debug, Serialize, ToSchema)]
struct NestedGroup {
    /// The group that is in it.
    #[schema(value_type = String)]
    group_id: GroupId,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    const MEMBER: &str = "{id}/members/{tenant_user_id}";
    const NESTED: &str = "{id}/groups/{group_id}";
    Resource::at("groups", "Groups")
        .may_read("See the groups of this organisation and who is in them")
        .may_write("Create, change and delete groups, and choose who is in them")
        .crud::<Group>()
        .get("{id}/members", "List the people in a group, without those of groups in it", members)
        .put(MEMBER, "Put a tenant user into a group", add)
        .delete(MEMBER, "Take a tenant user out of a group", remove)
        .get("{id}/groups", "List the groups in a group, without those in them", inside)
        .put(NESTED, "Put a group into a group: its people have the roles of both", nest)
        .delete(NESTED, "Take a group out of a group", unnest)
}

impl Record for Group {
    const ONE: &'static str = "a group";
    const MANY: &'static str = "groups";

    type Stored = Self;
    type Id = GroupId;
    type Filter = Filter;
    type New = NewGroup;
    type Created = Self;
    type Change = GroupUpdate;

    fn head(group: &Self) -> (GroupId, i64) {
        (group.id, group.version)
    }

    fn present(group: &Self) -> GroupUpdate {
        let Configuration { name, description, roles } = group.configuration.clone();
        GroupUpdate { name, description, roles }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(group: &Self) -> Vec<&str> {
        vec![&group.configuration.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<GroupId>,
    ) -> Result<Vec<Self>> {
        if let Some(named) = filter.name.as_deref() {
            return Ok(page.only(groups::find_by_name(tx, named).await?, Self::names));
        }
        let (order, wanted) = page.ordered();
        groups::list_by(tx, order, wanted).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: GroupId) -> Result<Option<Self>> {
        groups::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewGroup) -> Result<(Self, Self)> {
        let NewGroup { name, description, roles } = new;
        privileges::for_roles(caller, tx, &roles).await?;
        let group = groups::create(tx, caller, &Configuration { name, description, roles }).await?;
        Ok((group.clone(), group))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, group: Self, wanted: GroupUpdate) -> Result<()> {
        let GroupUpdate { name, description, roles } = wanted;
        privileges::for_added_roles(caller, tx, &group.configuration.roles, &roles).await?;
        groups::update(tx, caller, &group, &Configuration { name, description, roles }).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, group: Self) -> Result<()> {
        groups::delete(tx, caller, &group).await
    }
}

async fn members(
    caller: TenantCx,
    Path(id): Path<GroupId>,
    Listing { page, .. }: Listing<TenantUserId>,
) -> Result<Json<List<GroupMember>>, Problem> {
    let mut tx = caller.read().await?;
    let group = find(&mut tx, id).await?;
    let found = groups::members(&mut tx, group.id, (page.after, page.fetch())).await?;
    let found = found.into_iter().map(|tenant_user_id| GroupMember { tenant_user_id }).collect();
    Ok(Json(caller.page(found, page.limit, |member: &GroupMember| member.tenant_user_id)?))
}

async fn add(
    caller: TenantCx,
    Path((id, user)): Path<(GroupId, TenantUserId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let (group, person) = (find(&mut tx, id).await?, tenant_users::find(&mut tx, user).await?);
    may_join(&caller, &mut tx, group.id).await?;
    groups::add(&mut tx, &caller, &group, &person).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn remove(
    caller: TenantCx,
    Path((id, user)): Path<(GroupId, TenantUserId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let (group, person) = (find(&mut tx, id).await?, tenant_users::find(&mut tx, user).await?);
    if !groups::remove(&mut tx, &caller, &group, &person).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}

async fn inside(
    caller: TenantCx,
    Path(id): Path<GroupId>,
    Listing { page, .. }: Listing<GroupId>,
) -> Result<Json<List<NestedGroup>>, Problem> {
    let mut tx = caller.read().await?;
    let group = find(&mut tx, id).await?;
    let found = groups::inside(&mut tx, group.id, (page.after, page.fetch())).await?;
    let found = found.into_iter().map(|group_id| NestedGroup { group_id }).collect();
    Ok(Json(caller.page(found, page.limit, |nested: &NestedGroup| nested.group_id)?))
}

async fn nest(
    caller: TenantCx,
    Path((outer, inner)): Path<(GroupId, GroupId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let (outer, inner) = (find(&mut tx, outer).await?, find(&mut tx, inner).await?);
    may_join(&caller, &mut tx, outer.id).await?;
    groups::nest(&mut tx, &caller, &outer, &inner).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn unnest(
    caller: TenantCx,
    Path((outer, inner)): Path<(GroupId, GroupId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let (outer, inner) = (find(&mut tx, outer).await?, find(&mut tx, inner).await?);
    if !groups::unnest(&mut tx, &caller, &outer, &inner).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}

/// The people of a group have its roles, and those of the groups that it is in.
async fn may_join(caller: &TenantCx, tx: &mut Tx<Tenant>, group: GroupId) -> Result<()> {
    let roles = groups::effective_roles(tx, group).await?;
    privileges::for_roles(caller, tx, &roles).await
}

async fn find(tx: &mut Tx<Tenant>, id: GroupId) -> Result<Group> {
    groups::find(tx, id).await?.ok_or_else(unknown)
}
