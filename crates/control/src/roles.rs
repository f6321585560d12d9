//! `/api/v1/roles`: what a tenant's people may have, and which scopes of APIs that permits.

use serde::{Deserialize, Serialize};
use svc_core::{Result, RoleId};
use svc_db::{Tenant, Tx};
use svc_domain::apis::roles::{self, Configuration, Permission, Role};
use svc_domain::lists::Order;
use svc_http::TenantCx;
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::privileges;
use crate::record::Record;
use crate::resource::Resource;

/// A new role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "support", "description": "Helps people who cannot sign in" })))]
pub(crate) struct NewRole {
    /// The name in memberships, tokens and scopes of APIs; it never changes.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What can be changed of a role: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "description": "Helps people who cannot sign in" })))]
pub(crate) struct RoleUpdate {
    /// What administrators read.
    #[serde(default)]
    #[schema(max_length = 500)]
    description: String,
    /// Scopes that its members may be given though these are bound to roles.
    #[serde(default)]
    permissions: Vec<Permission>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only the role of this name.
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

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("roles", "Roles")
        .may_read("See the roles of this organisation and what they permit")
        .may_write("Create, change and delete roles")
        .crud::<Role>()
}

impl Record for Role {
    const ONE: &'static str = "a role";
    const MANY: &'static str = "roles";

    type Stored = Self;
    type Id = RoleId;
    type Filter = Filter;
    type New = NewRole;
    type Created = Self;
    type Change = RoleUpdate;

    fn head(role: &Self) -> (RoleId, i64) {
        (role.id, role.version)
    }

    fn present(role: &Self) -> RoleUpdate {
        let Configuration { description, permissions } = role.configuration.clone();
        RoleUpdate { description, permissions }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(role: &Self) -> Vec<&str> {
        vec![&role.name]
    }

    async fn list(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<RoleId>,
    ) -> Result<Vec<Self>> {
        let tenant = &caller.tenant;
        if let Some(named) = filter.name.as_deref() {
            return Ok(page.only(roles::find_by_name(tx, tenant, named).await?, Self::names));
        }
        let (order, wanted) = page.ordered();
        roles::list_by(tx, tenant, order, wanted).await
    }

    async fn find(caller: &TenantCx, tx: &mut Tx<Tenant>, id: RoleId) -> Result<Option<Self>> {
        roles::find(tx, &caller.tenant, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewRole) -> Result<(Self, Self)> {
        let configuration = new.configuration.at(&caller.tenant);
        privileges::for_permissions(caller, &[], &configuration.permissions)?;
        let role = roles::create(tx, caller, &caller.tenant, (&new.name, &configuration)).await?;
        Ok((role.clone(), role))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, role: Self, wanted: RoleUpdate) -> Result<()> {
        let RoleUpdate { description, permissions } = wanted;
        let configuration = Configuration { description, permissions }.at(&caller.tenant);
        privileges::for_permissions(caller, &role.configuration.permissions, &configuration.permissions)?;
        roles::update(tx, caller, &caller.tenant, (&role, &configuration)).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, role: Self) -> Result<()> {
        roles::delete(tx, caller, &caller.tenant, &role).await
    }
}
