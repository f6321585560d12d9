//! From events to reasons: each target is led along the log of events, and looks at whom they may concern.
//!
//! Its position moves in the transaction that writes the reasons, so that no event is passed over.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_core::{Cx, Result, Seconds, TenantId};
use svc_db::{System, Tenant, Tx, args, quiet_sql, system_sql};

use super::store::{self, ScimTarget};
use super::{marks, people, queueing};
use crate::log::positions::{self, Positioned};
use crate::tenancy::tenants;

/// Most events along which a target is led in one transaction, and most people whom it finds.
const BATCH: u32 = 200;
/// Changes of accounts that are older were looked at, or are found when everyone is pushed again.
const RECENT: Seconds = Seconds(600);

/// Tenants with a target that has something to do.
pub async fn tenants_with_work(tx: &mut Tx<System>, cx: &Cx) -> Result<Vec<TenantId>> {
    let select = system_sql!(
        "SELECT t.tenant_id FROM scim_targets t JOIN event_positions p ON p.tenant_id = t.tenant_id WHERE t.active \
         AND t.position < p.last UNION SELECT tenant_id FROM scim_targets WHERE active AND backfill_after IS NOT NULL \
         UNION SELECT l.tenant_id FROM scim_links l JOIN scim_targets t ON t.tenant_id = l.tenant_id \
         AND t.id = l.target_id WHERE t.active AND t.held_until <= $1 AND l.wanted > l.seen AND l.delivery_id IS NULL \
         UNION SELECT l.tenant_id FROM scim_links l JOIN scim_targets t ON t.tenant_id = l.tenant_id \
         AND t.id = l.target_id WHERE t.active AND l.regroup \
         UNION SELECT l.tenant_id FROM scim_links l JOIN scim_targets t ON t.tenant_id = l.tenant_id \
         AND t.id = l.target_id WHERE t.active AND l.state = 'gone' \
         UNION SELECT l.tenant_id FROM accounts a JOIN tenant_users u ON u.account_id = a.id JOIN scim_links l \
         ON l.tenant_id = u.tenant_id AND l.local_id = u.id AND l.kind = 'user' JOIN scim_targets t \
         ON t.tenant_id = l.tenant_id AND t.id = l.target_id WHERE a.updated_at >= $2 AND a.updated_at > a.created_at \
         AND a.updated_at > l.person_at AND l.wanted = l.seen AND t.active"
    );
    tx.all(select, args![cx.now, cx.now - RECENT]).await?.iter().map(tenants::of_row).collect()
}

/// Leads the tenant's targets along, and queues looks at the links that have a reason; returns how much was done.
pub async fn lead(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<u64> {
    let mut done = 0;
    let held = hold_active(tx).await?;
    changed_accounts(tx, cx).await?;
    for (target, position, backfill_after) in held {
        done += along(tx, cx, &target, position).await?;
        if let Some(cursor) = backfill_after {
            done += backfill(tx, cx, &target, &cursor).await?;
        }
        done += marks::regroup(tx, cx, (target.id, target.configuration.push_groups)).await?;
        if target.held_until <= cx.now {
            done += queueing::queue(tx, cx, &target).await?;
        }
    }
    Ok(u64::try_from(done).unwrap_or_default())
}

type Held = (ScimTarget, i64, Option<String>);

/// The active targets, held until the transaction ends: another worker leads others.
async fn hold_active(tx: &mut Tx<Tenant>) -> Result<Vec<Held>> {
    let hold = quiet_sql!(
        "holds a row",
        "UPDATE scim_targets SET position = position WHERE tenant_id = $1 AND active RETURNING id, position, backfill_after"
    );
    let mut found = Vec::new();
    for row in tx.all(hold, args![]).await? {
        if let Some(target) = store::find(tx, row.parse("id")?).await? {
            found.push((target, row.int("position")?, row.maybe_text("backfill_after")?));
        }
    }
    Ok(found)
}

/// An account may change at another tenant, of which this tenant's log says nothing.
async fn changed_accounts(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<()> {
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_links SET wanted = wanted + 1 WHERE tenant_id = $1 AND kind = 'user' AND wanted = seen \
         AND local_id IN (SELECT u.id FROM accounts a JOIN tenant_users u ON u.tenant_id = $1 AND u.account_id = a.id \
         WHERE a.updated_at >= $2 AND a.updated_at > a.created_at) AND person_at < (SELECT a.updated_at FROM tenant_users u \
         JOIN accounts a ON a.id = u.account_id WHERE u.tenant_id = $1 AND u.id = scim_links.local_id)"
    );
    tx.execute(update, args![cx.now - RECENT]).await.map(|_| ())
}

async fn along(tx: &mut Tx<Tenant>, cx: &Cx, target: &ScimTarget, position: i64) -> Result<usize> {
    let events = positions::after(tx, position, BATCH).await?;
    let Some(last) = events.last() else { return Ok(0) };
    let mut concerned = Concerned::default();
    for event in &events {
        concerned.by(event);
    }
    if concerned.everyone {
        marks::everything(tx, target.id, false);
    }
    for person in &concerned.people {
        marks::person(tx, cx, target.id, person).await?;
    }
    for group in concerned.groups.iter().filter(|_| target.configuration.push_groups) {
        marks::groups_around(tx, cx, target.id, group);
    }
    let moved = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_targets SET position = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(moved, args![target.id, last.position]);
    Ok(events.len())
}

/// Finds people without a link.
async fn backfill(tx: &mut Tx<Tenant>, cx: &Cx, target: &ScimTarget, cursor: &str) -> Result<usize> {
    let found = people::after(tx, target.id, (cursor, BATCH)).await?;
    for person in &found {
        marks::make(tx, cx, target.id, &person.to_string());
    }
    let is_over = found.len() < usize::try_from(BATCH).unwrap_or_default();
    let next = found.last().filter(|_| !is_over).map(ToString::to_string);
    let update = quiet_sql!(
        "follows from changes, which are recorded",
        "UPDATE scim_targets SET backfill_after = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![target.id, next]);
    Ok(found.len())
}

/// Whom events may concern.
#[derive(Debug, Default, PartialEq)]
struct Concerned {
    people: BTreeSet<String>,
    groups: BTreeSet<String>,
    /// Everyone who is linked, and who may be pushed now.
    everyone: bool,
}

/// Beginnings of the types of events that may change what a person is, or whether the person is pushed.
const OF_PEOPLE: &[&str] = &[
    "account.",
    "tenant_user.",
    "admin.user.",
    "admin.group.member_",
    "org.member.",
    "org.invitation.accepted",
];
/// Types after which other people may be pushed than before.
const OF_MANY: &[&str] = &[
    "admin.group.updated",
    "admin.group.deleted",
    "admin.group.nested",
    "admin.group.unnested",
    "org.deleted",
];

impl Concerned {
    fn by(&mut self, event: &Positioned) {
        let is = |begins: &&str| event.event_type.starts_with(*begins);
        let is_of_groups = event.event_type.starts_with("admin.group.");
        self.everyone |= OF_MANY.contains(&event.event_type.as_str());
        if !is_of_groups && !OF_PEOPLE.iter().any(is) {
            return;
        }
        let envelope: Value = serde_json::from_str(&event.envelope).unwrap_or_default();
        let named = |name: &str| {
            let value = envelope.pointer("/data").and_then(|data| data.get(name)?.as_str());
            value.map(ToOwned::to_owned)
        };
        self.people.extend(named("tenant_user_id").filter(|_| OF_PEOPLE.iter().any(is)));
        self.groups.extend(named("group_id").filter(|_| is_of_groups));
    }
}

#[cfg(test)]
mod tests {
    use svc_core::{EventId, Timestamp};

    use super::*;

    fn concerned(event_type: &str, data: &Value) -> Concerned {
        let mut concerned = Concerned::default();
        concerned.by(&Positioned {
            position: 1,
            id: "evt_00000000000000000000000000".parse::<EventId>().unwrap(),
            event_type: event_type.to_owned(),
            envelope: serde_json::json!({ "data": data }).to_string(),
            created_at: Timestamp::from_secs(0),
        });
        concerned
    }

    #[test]
    fn an_event_concerns_the_person_or_the_group_that_it_names_and_some_concern_everyone() {
        let data =
            serde_json::json!({ "tenant_user_id": "usr_1", "group_id": "grp_1", "organization_id": "org_1" });
        for (event_type, people, groups, everyone) in [
            ("account.profile_changed", 1, 0, false),
            ("tenant_user.suspended", 1, 0, false),
            ("admin.user.created", 1, 0, false),
            ("org.member.removed", 1, 0, false),
            ("admin.group.member_added", 1, 1, false),
            ("admin.group.created", 0, 1, false),
            ("admin.group.deleted", 0, 1, true),
            ("org.deleted", 0, 0, true),
            ("auth.login.success", 0, 0, false),
            ("org.updated", 0, 0, false),
        ] {
            let found = concerned(event_type, &data);
            let counted = (found.people.len(), found.groups.len(), found.everyone);
            assert_eq!(counted, (people, groups, everyone), "{event_type}");
        }
        let without = concerned("account.email_verified", &serde_json::json!({ "tenant_user_id": null }));
        assert_eq!(without, Concerned::default());
    }
}
