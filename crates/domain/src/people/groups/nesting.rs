//! Groups in groups: at most [`DEEPEST`] of them in one another, and none in itself.

use serde_json::json;
use svc_core::events::{GroupNested, GroupUnnested};
use svc_core::{Cx, Error, GroupId, Result};
use svc_db::{Row, Tenant, Tx, after, args, change_sql, sql};

use super::Group;
use super::store::{group, touch_everyone_in};
use super::telling::Before;
use crate::log::{Action, Meaning, change};

/// Most groups in one another.
const DEEPEST: i64 = 8;

/// Puts a group into another; returns whether it was not in it. `conflict` where it would be in itself, or too deep.
pub async fn nest(tx: &mut Tx<Tenant>, cx: &Cx, outer: &Group, inner: &Group) -> Result<bool> {
    // What the next statements find stays true until the commit.
    tx.hold("groups");
    let around = sql!(
        "WITH RECURSIVE around (id, depth) AS (SELECT CAST($2 AS TEXT), 1 UNION SELECT n.group_id, around.depth + 1 FROM around \
         JOIN group_nesting n ON n.tenant_id = $1 AND n.member_id = around.id) \
         SELECT id, CAST(MAX(depth) AS BIGINT) AS depth FROM around GROUP BY id"
    );
    let within = sql!(
        "WITH RECURSIVE within (id, depth) AS (SELECT CAST($2 AS TEXT), 1 UNION SELECT n.member_id, within.depth + 1 FROM within \
         JOIN group_nesting n ON n.tenant_id = $1 AND n.group_id = within.id) \
         SELECT id, CAST(MAX(depth) AS BIGINT) AS depth FROM within GROUP BY id"
    );
    let calls = [tx.call(around, args![outer.id]), tx.call(within, args![inner.id])];
    let [around, within] = tx.batch(calls).await?;
    let inner_id = inner.id.to_string();
    for row in &around {
        if row.text("id")? == inner_id {
            return Err(Error::conflict("the group would be in itself"));
        }
    }
    if deepest(&around)? + deepest(&within)? > DEEPEST {
        return Err(Error::conflict(format!("groups would be in one another {DEEPEST} times and more")));
    }
    let before = Before::of(tx, inner.id).await?;
    let insert = change_sql!(
        "INSERT INTO group_nesting (tenant_id, group_id, member_id, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (tenant_id, group_id, member_id) DO NOTHING"
    );
    let meaning = Meaning::done(Action::GroupNested, outer.id)
        .with(json!({ "member_group_id": inner.id }))
        .telling(GroupNested { group_id: outer.id, member_group_id: inner.id });
    let nested = change(tx, cx, insert, args![outer.id, inner.id, cx.now], meaning).await? > 0;
    if nested {
        touch_everyone_in(tx, cx, inner.id);
        before.tell(tx, cx).await?;
    }
    Ok(nested)
}

/// Takes a group out of another; returns whether it was in it.
pub async fn unnest(tx: &mut Tx<Tenant>, cx: &Cx, outer: &Group, inner: &Group) -> Result<bool> {
    let before = Before::of(tx, inner.id).await?;
    let delete =
        change_sql!("DELETE FROM group_nesting WHERE tenant_id = $1 AND group_id = $2 AND member_id = $3");
    let meaning = Meaning::done(Action::GroupUnnested, outer.id)
        .with(json!({ "member_group_id": inner.id }))
        .telling(GroupUnnested { group_id: outer.id, member_group_id: inner.id });
    let unnested = change(tx, cx, delete, args![outer.id, inner.id], meaning).await? > 0;
    if unnested {
        touch_everyone_in(tx, cx, inner.id);
        before.tell(tx, cx).await?;
    }
    Ok(unnested)
}

/// A page of the groups in a group by id, after `cursor`, without those that are in one of them.
pub async fn inside(
    tx: &mut Tx<Tenant>,
    group: GroupId,
    (cursor, limit): (Option<GroupId>, u32),
) -> Result<Vec<GroupId>> {
    let select = sql!(
        "SELECT member_id FROM group_nesting WHERE tenant_id = $1 AND group_id = $2 AND member_id > $3 \
         ORDER BY member_id LIMIT $4"
    );
    let rows = tx.all(select, args![group, after(cursor), limit]).await?;
    rows.iter().map(|row| row.parse("member_id")).collect()
}

/// All groups in a group, without those that are in one of them.
pub async fn groups_inside(tx: &mut Tx<Tenant>, outer: GroupId) -> Result<Vec<Group>> {
    let select = sql!(
        "SELECT g.id, g.name, g.description, g.roles, g.created_at, g.updated_at, g.version FROM group_nesting n \
         JOIN group_records g ON g.tenant_id = n.tenant_id AND g.id = n.member_id \
         WHERE n.tenant_id = $1 AND n.group_id = $2 ORDER BY g.name"
    );
    tx.all(select, args![outer]).await?.iter().map(group).collect()
}

fn deepest(rows: &[Row]) -> Result<i64> {
    rows.iter().map(|row| row.int("depth")).try_fold(0, |deepest, depth| Ok(deepest.max(depth?)))
}
