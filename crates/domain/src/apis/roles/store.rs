//! Roles as rows: made, changed, deleted, listed.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::events::{RoleCreated, RoleDeleted, RoleUpdated};
use svc_core::{Cx, Error, Result, RoleId};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::{Configuration, Role, is_built_in, permissions, uses};
use crate::document;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::tenancy::tenants;

/// Most roles of a tenant: all of them are read with each API that is not in memory.
const MOST: i64 = 1000;
/// Most characters of a name.
const LONGEST_NAME: usize = 100;

/// Creates a role; the name must be free.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    tenant: &tenants::Tenant,
    (name, new): (&str, &Configuration),
) -> Result<Role> {
    names::check(name, LONGEST_NAME)?;
    if is_built_in(name) {
        return Err(Error::conflict("name: the service itself keeps a role of this name"));
    }
    tx.hold("roles");
    let count = sql!("SELECT COUNT(*) AS count FROM roles WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= MOST {
        return Err(Error::conflict(format!(
            "a tenant has at most {MOST} roles; delete those that are not used"
        )));
    }
    let stored = permissions::stored(tx, tenant, new).await?;
    let id: RoleId = cx.id();
    let insert = change_sql!(
        "INSERT INTO roles (tenant_id, id, name, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $5, 1)"
    );
    let meaning = Meaning::done(Action::RoleCreated, id)
        .with(json!({ "name": name, "permissions": stored.permissions }))
        .telling(RoleCreated { role_id: id, name: name.to_owned() });
    let created = change(tx, cx, insert, args![id, name, document::store(&stored)?, cx.now], meaning).await;
    created.map_err(|error| error.if_taken("name: a role of this name exists"))?;
    Ok(Role {
        id,
        name: name.to_owned(),
        built_in: false,
        configuration: stored.at(tenant),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    })
}

/// Makes sure that a role on which the service relies is there.
pub async fn ensure(tx: &mut Tx<Tenant>, cx: &Cx, name: &str) -> Result<()> {
    let id: RoleId = cx.id();
    let insert = change_sql!(
        "INSERT INTO roles (tenant_id, id, name, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, '{}', $4, $4, 1) ON CONFLICT (tenant_id, name) DO NOTHING"
    );
    let meaning = Meaning::done(Action::RoleCreated, id)
        .with(json!({ "name": name }))
        .telling(RoleCreated { role_id: id, name: name.to_owned() });
    change(tx, cx, insert, args![id, name, cx.now], meaning).await?;
    Ok(())
}

/// Makes the configuration so; returns whether anything changed.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    tenant: &tenants::Tenant,
    (present, new): (&Role, &Configuration),
) -> Result<bool> {
    tx.hold("roles");
    let stored = permissions::stored(tx, tenant, new).await?;
    let shown = stored.clone().at(tenant);
    if shown == present.configuration {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE roles SET configuration = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $5"
    );
    let permissions = shown.permissions.iter().map(|permission| json!(permission)).collect();
    let meaning = Meaning::done(Action::RoleUpdated, present.id)
        .with(json!({ "name": present.name, "permissions": stored.permissions }))
        .telling(RoleUpdated { role_id: present.id, name: present.name.clone(), permissions });
    let arguments = args![present.id, document::store(&stored)?, cx.now, present.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the role")?;
    Ok(true)
}

/// Deletes a role that no present member has, and that nothing names any more.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, tenant: &tenants::Tenant, role: &Role) -> Result<()> {
    if role.built_in {
        return Err(Error::conflict("the service itself relies on this role"));
    }
    tx.hold("roles");
    uses::check_none(tx, tenant, &role.name).await?;
    let of_removed = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM organization_roles WHERE tenant_id = $1 AND role = $2 AND (SELECT u.status FROM tenant_users u \
         WHERE u.tenant_id = $1 AND u.id = organization_roles.tenant_user_id) = 'removed'"
    );
    tx.later(of_removed, args![&role.name]);
    let delete = change_sql!("DELETE FROM roles WHERE tenant_id = $1 AND id = $2 AND version = $3");
    let meaning = Meaning::done(Action::RoleDeleted, role.id)
        .with(json!({ "name": role.name }))
        .telling(RoleDeleted { role_id: role.id, name: role.name.clone() });
    check_version(change(tx, cx, delete, args![role.id, role.version], meaning).await?, "the role")
}

/// Refuses names that no role of the tenant has. Until the transaction ends, none of them is deleted.
pub async fn check_known(tx: &mut Tx<Tenant>, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    tx.hold("roles");
    for name in names.iter().collect::<BTreeSet<_>>() {
        if find_row(tx, name).await?.is_none() {
            return Err(Error::bad_request(format!("roles: there is no role {name:?}; create it first")));
        }
    }
    Ok(())
}

/// Those of the names that a role of the tenant has. Until the transaction ends, none of them is deleted.
pub async fn known(tx: &mut Tx<Tenant>, names: &[String]) -> Result<Vec<String>> {
    tx.hold("roles");
    let mut known = Vec::new();
    for name in names {
        if find_row(tx, name).await?.is_some() {
            known.push(name.clone());
        }
    }
    Ok(known)
}

/// Reads roles; the argument says which.
macro_rules! roles_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, name, name_key, configuration, created_at, updated_at, version FROM roles WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// One role by id.
pub async fn find(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, id: RoleId) -> Result<Option<Role>> {
    let select = roles_sql!("id = $2");
    tx.optional(select, args![id]).await?.map(|row| role(&row, tenant)).transpose()
}

/// The role of this name.
pub async fn find_by_name(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, name: &str) -> Result<Option<Role>> {
    find_row(tx, name).await?.map(|row| role(&row, tenant)).transpose()
}

async fn find_row(tx: &mut Tx<Tenant>, name: &str) -> Result<Option<Row>> {
    let select = roles_sql!("name = $2");
    tx.optional(select, args![name]).await
}

/// A page of roles by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    (cursor, limit): (Option<RoleId>, u32),
) -> Result<Vec<Role>> {
    let select = roles_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| role(row, tenant).map(Some)).await
}

/// A page of roles in an order, of those that are searched for where it is by name.
pub async fn list_by(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    order: Order,
    wanted: Search<'_, RoleId>,
) -> Result<Vec<Role>> {
    let selects = Ordered {
        oldest: roles_sql!("id > $2 ORDER BY id LIMIT $3"),
        newest: roles_sql!("id < $2 ORDER BY id DESC LIMIT $3"),
        name: roles_sql!("(name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5"),
        name_descending: roles_sql!(
            "(name_key, id) < ($2, $3) AND name_key >= $4 ORDER BY name_key DESC, id DESC LIMIT $5"
        ),
    };
    lists::ordered(tx, selects, (order, wanted), |row| role(row, tenant).map(Some)).await
}

fn role(row: &Row, tenant: &tenants::Tenant) -> Result<Role> {
    let name = row.text("name")?;
    Ok(Role {
        id: row.parse("id")?,
        built_in: is_built_in(&name),
        name,
        configuration: document::load::<Configuration>(row, "configuration")?.at(tenant),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}
