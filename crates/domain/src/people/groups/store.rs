//! Groups as rows: made, changed, deleted, listed.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::events::{GroupCreated, GroupDeleted, GroupUpdated};
use svc_core::{Cx, Error, GroupId, Result};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::telling::Before;
use super::{Configuration, Group};
use crate::apis::roles;
use crate::checks::{check_description, require};
use crate::document;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::tenancy::quotas::{self, Quota};

/// Most roles of a group.
const MOST_ROLES: usize = 100;

/// Creates a group; the name must be free.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &Configuration) -> Result<Group> {
    let new = checked(tx, new).await?;
    quotas::check(tx, Quota::Groups).await?;
    let id: GroupId = cx.id();
    let insert = change_sql!(
        "INSERT INTO user_groups (tenant_id, id, name, description, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $5, 1)"
    );
    let meaning = Meaning::done(Action::GroupCreated, id)
        .with(json!({ "name": new.name, "roles": new.roles }))
        .telling(GroupCreated { group_id: id, name: new.name.clone(), roles: new.roles.clone() });
    let created = change(tx, cx, insert, args![id, &new.name, &new.description, cx.now], meaning).await;
    created.map_err(|error| error.if_taken(TAKEN))?;
    set_roles(tx, id, &new.roles);
    Ok(Group { id, configuration: new, created_at: cx.now, updated_at: cx.now, version: 1 })
}

const TAKEN: &str = "name: a group of this name exists";

/// Makes name, description and roles so; returns whether anything changed.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, present: &Group, new: &Configuration) -> Result<bool> {
    let new = checked(tx, new).await?;
    if new == present.configuration {
        return Ok(false);
    }
    let has_other_roles = new.roles != present.configuration.roles;
    let before = if has_other_roles { Some(Before::of(tx, present.id).await?) } else { None };
    let update = change_sql!(
        "UPDATE user_groups SET name = $3, description = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let meaning = Meaning::done(Action::GroupUpdated, present.id)
        .with(json!({ "name": new.name, "roles": new.roles }))
        .telling(GroupUpdated { group_id: present.id, name: new.name.clone(), roles: new.roles.clone() });
    let arguments = args![present.id, &new.name, &new.description, cx.now, present.version];
    let updated = change(tx, cx, update, arguments, meaning).await;
    check_version(updated.map_err(|error| error.if_taken(TAKEN))?, "the group")?;
    if has_other_roles {
        let delete = quiet_sql!(
            "goes with the group, whose change is recorded",
            "DELETE FROM group_roles WHERE tenant_id = $1 AND group_id = $2"
        );
        tx.later(delete, args![present.id]);
        set_roles(tx, present.id, &new.roles);
    }
    if has_other_roles || new.name != present.configuration.name {
        touch_everyone_in(tx, cx, present.id);
    }
    if let Some(before) = before {
        before.tell(tx, cx).await?;
    }
    Ok(true)
}

/// Deletes a group; its people and the groups in it stay.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, group: &Group) -> Result<()> {
    let before = Before::of(tx, group.id).await?;
    touch_everyone_in(tx, cx, group.id);
    let delete = change_sql!("DELETE FROM user_groups WHERE tenant_id = $1 AND id = $2 AND version = $3");
    let meaning = Meaning::done(Action::GroupDeleted, group.id)
        .with(json!({ "name": group.configuration.name }))
        .telling(GroupDeleted { group_id: group.id, name: group.configuration.name.clone() });
    check_version(change(tx, cx, delete, args![group.id, group.version], meaning).await?, "the group")?;
    before.tell(tx, cx).await
}

fn set_roles(tx: &mut Tx<Tenant>, group: GroupId, roles: &[String]) {
    for role in roles {
        let insert = quiet_sql!(
            "goes with the group, whose change is recorded",
            "INSERT INTO group_roles (tenant_id, group_id, role) VALUES ($1, $2, $3)"
        );
        tx.later(insert, args![group, role]);
    }
}

/// Gives all people in a group, and in those that are in it, another version: memory forgets them on every node.
pub(super) fn touch_everyone_in(tx: &mut Tx<Tenant>, cx: &Cx, group: GroupId) {
    let update = quiet_sql!(
        "goes with the group, whose change is recorded",
        "UPDATE tenant_users SET updated_at = $2, version = version + 1 WHERE tenant_id = $1 AND id IN ( \
         WITH RECURSIVE inside (id) AS (SELECT CAST($3 AS TEXT) UNION SELECT n.member_id FROM inside \
         JOIN group_nesting n ON n.tenant_id = $1 AND n.group_id = inside.id) \
         SELECT m.tenant_user_id FROM inside JOIN group_members m ON m.tenant_id = $1 AND m.group_id = inside.id)"
    );
    tx.later(update, args![cx.now, group]);
}

/// The roles that the people of a group have by it: its own, and those of the groups that it is in.
pub async fn effective_roles(tx: &mut Tx<Tenant>, group: GroupId) -> Result<Vec<String>> {
    let select = sql!(
        "WITH RECURSIVE around (id) AS (SELECT CAST($2 AS TEXT) UNION SELECT n.group_id FROM around \
         JOIN group_nesting n ON n.tenant_id = $1 AND n.member_id = around.id) \
         SELECT DISTINCT r.role FROM around JOIN group_roles r ON r.tenant_id = $1 AND r.group_id = around.id ORDER BY r.role"
    );
    tx.all(select, args![group]).await?.iter().map(|row| row.text("role")).collect()
}

/// Reads groups; the argument says which.
macro_rules! groups_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, name, name_key, description, roles, created_at, updated_at, version FROM group_records \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// One group by id.
pub async fn find(tx: &mut Tx<Tenant>, id: GroupId) -> Result<Option<Group>> {
    let select = groups_sql!("id = $2");
    tx.optional(select, args![id]).await?.as_ref().map(group).transpose()
}

/// The group of this name.
pub async fn find_by_name(tx: &mut Tx<Tenant>, name: &str) -> Result<Option<Group>> {
    let select = groups_sql!("name = $2");
    tx.optional(select, args![name]).await?.as_ref().map(group).transpose()
}

/// A page of groups by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, (cursor, limit): (Option<GroupId>, u32)) -> Result<Vec<Group>> {
    let select = groups_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| group(row).map(Some)).await
}

/// A page of groups in an order, of those that are searched for where it is by name.
pub async fn list_by(tx: &mut Tx<Tenant>, order: Order, wanted: Search<'_, GroupId>) -> Result<Vec<Group>> {
    let selects = Ordered {
        oldest: groups_sql!("id > $2 ORDER BY id LIMIT $3"),
        newest: groups_sql!("id < $2 ORDER BY id DESC LIMIT $3"),
        name: groups_sql!("(name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5"),
        name_descending: groups_sql!(
            "(name_key, id) < ($2, $3) AND name_key >= $4 ORDER BY name_key DESC, id DESC LIMIT $5"
        ),
    };
    lists::ordered(tx, selects, (order, wanted), |row| group(row).map(Some)).await
}

pub(super) fn group(row: &Row) -> Result<Group> {
    let roles: BTreeSet<String> = document::load(row, "roles")?;
    Ok(Group {
        id: row.parse("id")?,
        configuration: Configuration {
            name: row.text("name")?,
            description: row.text("description")?,
            roles: roles.into_iter().collect(),
        },
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}

/// The configuration with each role once and in order; all of them are roles of the tenant.
async fn checked(tx: &mut Tx<Tenant>, wanted: &Configuration) -> Result<Configuration> {
    let Configuration { name, description, roles } = wanted;
    Error::every([
        names::check(name, 100),
        check_description(description, 500),
        require(roles.len() <= MOST_ROLES, &format!("roles: use at most {MOST_ROLES}")),
    ])?;
    roles::check_known(tx, roles).await?;
    let roles: BTreeSet<_> = roles.iter().cloned().collect();
    Ok(Configuration {
        name: name.clone(),
        description: description.clone(),
        roles: roles.into_iter().collect(),
    })
}
