//! The roles that members of an organization get by a group of its directory emit events like any other change of roles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use svc_core::events::{Event, OrganizationMemberRoleChanged, OrganizationUpdated};
use svc_core::{Cx, OrganizationId, Result, ScimGroupId, TenantUserId};
use svc_db::{Tenant, Tx, args, sql};

use crate::document;
use crate::log::{Action, Meaning, record};
use crate::organizations;

/// Of how many members one change of a group tells; of more it tells that the organization changed.
const MOST: usize = 1_000;
/// How many members the audit entry names.
const NAMED: usize = 100;

/// What members hold: their roles by their ids.
type Held = BTreeMap<TenantUserId, BTreeSet<String>>;

/// The members whom a change of a group may concern, as they were before it; nothing where they are too many to be told of.
pub(super) struct Before(Option<Held>);

impl Before {
    /// Looks at these people.
    pub(super) async fn of(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        people: &BTreeSet<TenantUserId>,
    ) -> Result<Self> {
        if people.len() > MOST {
            return Ok(Self(None));
        }
        Ok(Self(Some(held(tx, organization, people.iter()).await?)))
    }

    /// Looks at the people of a group.
    pub(super) async fn of_group(
        tx: &mut Tx<Tenant>,
        (organization, group): (OrganizationId, ScimGroupId),
    ) -> Result<Self> {
        let select = sql!(
            "SELECT user_id FROM scim_group_members WHERE tenant_id = $1 AND organization_id = $2 AND group_id = $3 \
             ORDER BY user_id LIMIT $4"
        );
        let most = u32::try_from(MOST + 1).unwrap_or(u32::MAX);
        let rows = tx.all(select, args![organization, group, most]).await?;
        let people = rows.iter().map(|row| row.parse("user_id")).collect::<Result<_>>()?;
        Self::of(tx, organization, &people).await
    }

    /// Tells of those whose roles are others now.
    pub(super) async fn tell(
        self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        (organization_id, group): (OrganizationId, ScimGroupId),
    ) -> Result<()> {
        let meaning = Meaning::done(Action::OrganizationMemberRoleChanged, organization_id);
        let Some(before) = self.0 else {
            let Some(changed) = organizations::find(tx, organization_id).await? else { return Ok(()) };
            let (name, status) = (changed.configuration.name, changed.status.name());
            let facts = json!({ "directory_group_id": group });
            record(
                tx,
                cx,
                meaning.with(facts).telling(OrganizationUpdated { organization_id, name, status }),
            );
            return Ok(());
        };
        let after = held(tx, organization_id, before.keys()).await?;
        let changed: Vec<_> = after.into_iter().filter(|(id, roles)| before.get(id) != Some(roles)).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let named: Vec<_> = changed.iter().map(|(id, _)| id).take(NAMED).collect();
        let facts =
            json!({ "directory_group_id": group, "members": changed.len(), "tenant_user_ids": named });
        let events = changed.into_iter().map(|(tenant_user_id, roles)| {
            let roles = roles.into_iter().collect();
            Event::from(OrganizationMemberRoleChanged { organization_id, tenant_user_id, roles })
        });
        record(tx, cx, events.fold(meaning.with(facts), Meaning::telling));
        Ok(())
    }
}

/// The roles that members have now, by themselves and by groups; who is no member has none.
async fn held(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    people: impl Iterator<Item = &TenantUserId> + Send,
) -> Result<Held> {
    let mut calls = Vec::new();
    for person in people {
        let select = sql!(
            "SELECT tenant_user_id, held_roles FROM organization_records \
             WHERE tenant_id = $1 AND organization_id = $2 AND tenant_user_id = $3 AND status <> 'removed'"
        );
        calls.push(tx.call(select, args![organization, *person]));
    }
    let mut held = Held::new();
    // An empty flight would send what waits, at the cost of a round trip.
    if calls.is_empty() {
        return Ok(held);
    }
    for rows in tx.batch_of(calls).await? {
        for row in rows {
            held.insert(row.parse("tenant_user_id")?, document::load(&row, "held_roles")?);
        }
    }
    Ok(held)
}
