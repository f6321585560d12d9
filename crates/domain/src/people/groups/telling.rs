//! Receivers of signals hear of each person who has other roles by a change of a group, as they do of one who joins or leaves it.

use std::collections::BTreeMap;

use svc_core::{Cx, GroupId, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, sql};

use crate::delivery::signals;
use crate::people::tenant_users::{self, Person, Status};

/// Of how many people one change of a group tells: each is a signal of its own.
const MOST: u32 = 1_000;
/// How many people are read in one round trip.
const TOGETHER: usize = 100;

/// The roles of those whom a change of a group may concern, as they were before it; nothing where no stream would carry it.
pub(super) struct Before(BTreeMap<TenantUserId, Vec<String>>);

impl Before {
    /// Looks at the people of a group, and of those that are in it.
    pub(super) async fn of(tx: &mut Tx<Tenant>, group: GroupId) -> Result<Self> {
        if !signals::is_anybody_listening(tx).await? {
            return Ok(Self(BTreeMap::new()));
        }
        let select = sql!(
            "WITH RECURSIVE inside (id) AS (SELECT CAST($2 AS TEXT) UNION SELECT n.member_id FROM inside \
             JOIN group_nesting n ON n.tenant_id = $1 AND n.group_id = inside.id) \
             SELECT DISTINCT m.tenant_user_id FROM inside JOIN group_members m ON m.tenant_id = $1 \
             AND m.group_id = inside.id ORDER BY m.tenant_user_id LIMIT $3"
        );
        let rows = tx.all(select, args![group, MOST]).await?;
        let ids = rows.iter().map(|row| row.parse("tenant_user_id")).collect::<Result<Vec<_>>>()?;
        let people = people(tx, &ids).await?;
        Ok(Self(people.into_iter().map(|person| (person.id, person.roles)).collect()))
    }

    /// Tells of those who have other roles now.
    pub(super) async fn tell(self, tx: &mut Tx<Tenant>, cx: &Cx) -> Result<()> {
        let ids: Vec<_> = self.0.keys().copied().collect();
        for now in people(tx, &ids).await? {
            if self.0.get(&now.id) != Some(&now.roles) {
                signals::note_roles(tx, cx, &now)?;
            }
        }
        Ok(())
    }
}

/// Those of these people whom the tenant has not removed.
async fn people(tx: &mut Tx<Tenant>, ids: &[TenantUserId]) -> Result<Vec<Person>> {
    let mut people = Vec::with_capacity(ids.len());
    for some in ids.chunks(TOGETHER) {
        let calls = some.iter().map(|id| tenant_users::of_id(tx, *id)).collect();
        for rows in tx.batch_of(calls).await? {
            people.extend(tenant_users::one(&rows)?.filter(|person| person.status != Status::Removed));
        }
    }
    Ok(people)
}
