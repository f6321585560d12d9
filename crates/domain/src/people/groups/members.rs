//! The people of a group.

use serde_json::{Map, json};
use svc_core::events::{GroupMemberAdded, GroupMemberRemoved};
use svc_core::{Cx, Error, GroupId, Result, TenantUserId};
use svc_db::{Tenant, Tx, after, args, change_sql, quiet_sql, sql};

use super::Group;
use super::store::group;
use crate::delivery::signals;
use crate::log::{Action, Meaning, change};
use crate::people::tenant_users::{self, Person, Status};

/// Most groups that a person is in without a detour: all of their names may stand in a token.
const MOST_GROUPS: i64 = 200;

/// Puts a person into a group; returns whether the person was not in it.
pub async fn add(tx: &mut Tx<Tenant>, cx: &Cx, group: &Group, person: &Person) -> Result<bool> {
    if person.status == Status::Removed {
        return Err(tenant_users::stays_removed());
    }
    person.must_be_known()?;
    tx.hold(&format!("groups of {}", person.id));
    // One who is in the group is put there once more without a fault.
    let others = sql!(
        "SELECT COUNT(*) AS count FROM group_members \
         WHERE tenant_id = $1 AND tenant_user_id = $2 AND group_id <> $3"
    );
    if tx.one(others, args![person.id, group.id]).await?.int("count")? >= MOST_GROUPS {
        return Err(Error::conflict(format!("the person is in {MOST_GROUPS} groups, which is the most")));
    }
    let insert = change_sql!(
        "INSERT INTO group_members (tenant_id, group_id, tenant_user_id, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (tenant_id, group_id, tenant_user_id) DO NOTHING"
    );
    let meaning = Meaning::done(Action::GroupMemberAdded, group.id)
        .with(json!({ "tenant_user_id": person.id }))
        .telling(GroupMemberAdded { group_id: group.id, tenant_user_id: person.id });
    let added = change(tx, cx, insert, args![group.id, person.id, cx.now], meaning).await? > 0;
    moved(tx, cx, person, added).await
}

/// Takes a person out of a group; returns whether the person was in it.
pub async fn remove(tx: &mut Tx<Tenant>, cx: &Cx, group: &Group, person: &Person) -> Result<bool> {
    let delete = change_sql!(
        "DELETE FROM group_members WHERE tenant_id = $1 AND group_id = $2 AND tenant_user_id = $3"
    );
    let meaning = Meaning::done(Action::GroupMemberRemoved, group.id)
        .with(json!({ "tenant_user_id": person.id }))
        .telling(GroupMemberRemoved { group_id: group.id, tenant_user_id: person.id });
    let removed = change(tx, cx, delete, args![group.id, person.id], meaning).await? > 0;
    moved(tx, cx, person, removed).await
}

/// Gives the person another version, and tells receivers of signals where the roles are others now.
async fn moved(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, is_moved: bool) -> Result<bool> {
    if !is_moved {
        return Ok(false);
    }
    let update = quiet_sql!(
        "goes with the group, whose change is recorded",
        "UPDATE tenant_users SET updated_at = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![person.id, cx.now]).await?;
    let now = tenant_users::find(tx, person.id).await?;
    if let Some(now) = now.filter(|now| now.roles != person.roles) {
        let claims = Map::from_iter([("roles".to_owned(), json!(now.roles))]);
        signals::claims_changed(tx, cx, &now, claims).await?;
    }
    Ok(true)
}

/// A page of the people of a group by id, after `cursor`, without those who are in a group that is in it.
pub async fn members(
    tx: &mut Tx<Tenant>,
    group: GroupId,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<TenantUserId>> {
    let select = sql!(
        "SELECT m.tenant_user_id FROM group_members m \
         JOIN tenant_users u ON u.tenant_id = m.tenant_id AND u.id = m.tenant_user_id \
         WHERE m.tenant_id = $1 AND m.group_id = $2 AND m.tenant_user_id > $3 AND u.status <> 'removed' \
         ORDER BY m.tenant_user_id LIMIT $4"
    );
    let rows = tx.all(select, args![group, after(cursor), limit]).await?;
    rows.iter().map(|row| row.parse("tenant_user_id")).collect()
}

/// The groups that a person is in without a detour.
pub async fn of_person(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Vec<Group>> {
    let select = sql!(
        "SELECT g.id, g.name, g.description, g.roles, g.created_at, g.updated_at, g.version FROM group_members m \
         JOIN group_records g ON g.tenant_id = m.tenant_id AND g.id = m.group_id \
         WHERE m.tenant_id = $1 AND m.tenant_user_id = $2 ORDER BY g.name"
    );
    tx.all(select, args![person]).await?.iter().map(group).collect()
}
