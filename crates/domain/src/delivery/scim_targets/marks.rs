//! Reasons to look at links: they are made where there is none yet, and their number grows.

use std::collections::BTreeSet;

use svc_core::{Cx, GroupId, Result, ScimTargetId};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

use super::people;

/// A person may have become another; a link is made for one whom the target gets.
pub(super) async fn person(tx: &mut Tx<Tenant>, cx: &Cx, target: ScimTargetId, id: &str) -> Result<()> {
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET wanted = wanted + 1 WHERE tenant_id = $1 AND target_id = $2 AND kind = 'user' \
         AND local_id = $3"
    );
    if tx.execute(update, args![target, id]).await? == 0 && people::gets(tx, target, id).await? {
        make(tx, cx, target, id);
    }
    Ok(())
}

/// Makes the link of a person who has none.
pub(super) fn make(tx: &mut Tx<Tenant>, cx: &Cx, target: ScimTargetId, id: &str) {
    let insert = quiet_sql!(
        "follows from changes, which are recorded",
        "INSERT INTO scim_links (tenant_id, target_id, kind, local_id, state, may_exist, regroup, wanted, seen, person_at, \
         created_at, updated_at) VALUES ($1, $2, 'user', $3, 'waiting', $4, $4, 1, 0, 0, $5, $5) \
         ON CONFLICT (tenant_id, target_id, kind, local_id) DO NOTHING"
    );
    tx.later(insert, args![target, id, false, cx.now]);
}

/// All links are looked at, and those who have none yet are searched for. What was pushed is pushed again if `is_forced`.
pub(super) fn everything(tx: &mut Tx<Tenant>, target: ScimTargetId, is_forced: bool) {
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET wanted = wanted + 1, pushed = CASE WHEN $3 THEN NULL ELSE pushed END \
         WHERE tenant_id = $1 AND target_id = $2"
    );
    tx.later(update, args![target, is_forced]);
    let search = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_targets SET backfill_after = '' WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(search, args![target]);
}

/// Forgets the ids of a target whose application was replaced by another. Each account is searched for by `externalId` again.
pub(super) fn forget_ids(tx: &mut Tx<Tenant>, target: ScimTargetId) {
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET remote_id = NULL, pushed = NULL, state = 'waiting', may_exist = $3 \
         WHERE tenant_id = $1 AND target_id = $2"
    );
    tx.later(update, args![target, true]);
}

/// A group and those that it is in may have become others.
pub(super) fn groups_around(tx: &mut Tx<Tenant>, cx: &Cx, target: ScimTargetId, group: &str) {
    let insert = quiet_sql!(
        "follows from changes, which are recorded",
        "INSERT INTO scim_links (tenant_id, target_id, kind, local_id, state, may_exist, regroup, wanted, seen, person_at, \
         created_at, updated_at) SELECT $1, $2, 'group', g.id, 'waiting', $4, $4, 1, 0, 0, CAST($5 AS BIGINT), \
         CAST($5 AS BIGINT) FROM user_groups g WHERE g.tenant_id = $1 AND g.id IN (WITH RECURSIVE around (id) AS \
         (SELECT CAST($3 AS TEXT) UNION SELECT n.group_id FROM around JOIN group_nesting n ON n.tenant_id = $1 \
         AND n.member_id = around.id) SELECT id FROM around) \
         ON CONFLICT (tenant_id, target_id, kind, local_id) DO UPDATE SET wanted = scim_links.wanted + 1"
    );
    tx.later(insert, args![target, group, false, cx.now]);
    gone_group(tx, target, group);
}

/// A group that is there no more has a link at most.
fn gone_group(tx: &mut Tx<Tenant>, target: ScimTargetId, group: &str) {
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET wanted = wanted + 1 WHERE tenant_id = $1 AND target_id = $2 AND kind = 'group' \
         AND local_id = $3 AND NOT EXISTS (SELECT 1 FROM user_groups g WHERE g.tenant_id = $1 AND g.id = $3)"
    );
    tx.later(update, args![target, group]);
}

/// The groups of people whose accounts have come or gone since the last time have other members now; what is gone for good is
/// forgotten. Returns how many people there were.
pub(super) async fn regroup(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (target, pushes_groups): (ScimTargetId, bool),
) -> Result<usize> {
    let take = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET regroup = $3 WHERE tenant_id = $1 AND target_id = $2 AND regroup RETURNING local_id"
    );
    let rows = tx.all(take, args![target, false]).await?;
    let mut groups = BTreeSet::new();
    for row in rows.iter().filter(|_| pushes_groups) {
        groups.extend(of_person(tx, &row.text("local_id")?).await?);
    }
    for group in groups {
        groups_around(tx, cx, target, &group.to_string());
    }
    let delete = quiet_sql!(
        "follows from changes, which are recorded",
        "DELETE FROM scim_links WHERE tenant_id = $1 AND target_id = $2 AND state = 'gone' AND wanted = seen"
    );
    tx.later(delete, args![target]);
    Ok(rows.len())
}

/// The groups of everyone with an account are to be pushed.
pub(super) fn regroup_all(tx: &mut Tx<Tenant>, target: ScimTargetId) {
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET regroup = $3 WHERE tenant_id = $1 AND target_id = $2 AND kind = 'user'"
    );
    tx.later(update, args![target, true]);
}

/// The groups that a person is in directly.
async fn of_person(tx: &mut Tx<Tenant>, person: &str) -> Result<Vec<GroupId>> {
    let select = sql!("SELECT group_id FROM group_members WHERE tenant_id = $1 AND tenant_user_id = $2");
    tx.all(select, args![person]).await?.iter().map(|row| row.parse("group_id")).collect()
}
