//! Pages of the applications of one type, of those that are enabled or disabled, and of those of the first party or of others.
//!
//! An index has the three before what the list is ordered by. Where one of the two flags is not asked for, both of its values are:
//! a page is the first of what four ranges of the index have, some of which are the same range.

use svc_core::{AppId, Result};
use svc_db::{Tenant, Tx, Value, args, sql};

use super::store::{app, list_by};
use super::{App, Kind};
use crate::lists::{self, Order, Ordered, Search};

/// Which applications a list shows: those that meet everything that is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Narrowed {
    /// What kind of program they are.
    pub kind: Option<Kind>,
    /// Whether they get anything.
    pub enabled: Option<bool>,
    /// Whether they are the tenant's own.
    pub first_party: Option<bool>,
}

impl Narrowed {
    /// Whether an application is one of those that are asked for.
    pub fn fits(self, app: &App) -> bool {
        self.kind.is_none_or(|kind| kind == app.configuration.kind)
            && self.enabled.is_none_or(|enabled| enabled == app.enabled)
            && self.first_party.is_none_or(|first_party| first_party == app.configuration.first_party)
    }

    fn is_any(self) -> bool {
        self.kind.is_none() && self.enabled.is_none() && self.first_party.is_none()
    }

    /// The statements that list them, with what these take first.
    fn statements(self) -> (Ordered, Vec<Value>) {
        let both = |flag: Option<bool>| flag.map_or([false, true], |flag| [flag, flag]);
        let ([enabled, or_enabled], [first, or_first]) = (both(self.enabled), both(self.first_party));
        let mut taken = args![enabled, or_enabled, first, or_first].to_vec();
        taken.extend(self.kind.map(|kind| Value::from(kind.name())));
        (if self.kind.is_some() { OF_KIND } else { OF_FLAGS }, taken)
    }
}

/// A page of applications in an order, of those that are searched for where it is by name.
pub async fn list_narrowed(
    tx: &mut Tx<Tenant>,
    narrowed: Narrowed,
    (order, wanted): (Order, Search<'_, AppId>),
) -> Result<Vec<App>> {
    if narrowed.is_any() {
        return list_by(tx, order, wanted).await;
    }
    let (selects, narrowed) = narrowed.statements();
    lists::ordered_in(tx, selects, (order, wanted), &narrowed, app).await
}

/// Reads the first applications of four ranges. The arguments are what these are ordered by before the id, where they start, their order,
/// the limit, and the order of what was found.
macro_rules! ranges_sql {
    ($key:literal, $start:literal, $order:literal, $limit:literal, $found:literal) => {
        sql!(
            "SELECT id, handle, enabled, secret_digest, former_secret_digest, former_secret_expires_at, configuration, \
             name_key, created_at, updated_at, version FROM (SELECT of_tenant, app_id, app_key FROM (\
             SELECT of_tenant, app_id, app_key FROM (SELECT tenant_id AS of_tenant, id AS app_id, ",
            $key,
            " AS app_key FROM apps WHERE tenant_id = $1 AND enabled = $2 AND first_party = $4",
            $start,
            $order,
            $limit,
            ") AS range_a UNION SELECT of_tenant, app_id, app_key FROM (SELECT tenant_id AS of_tenant, id AS app_id, ",
            $key,
            " AS app_key FROM apps WHERE tenant_id = $1 AND enabled = $2 AND first_party = $5",
            $start,
            $order,
            $limit,
            ") AS range_b UNION SELECT of_tenant, app_id, app_key FROM (SELECT tenant_id AS of_tenant, id AS app_id, ",
            $key,
            " AS app_key FROM apps WHERE tenant_id = $1 AND enabled = $3 AND first_party = $4",
            $start,
            $order,
            $limit,
            ") AS range_c UNION SELECT of_tenant, app_id, app_key FROM (SELECT tenant_id AS of_tenant, id AS app_id, ",
            $key,
            " AS app_key FROM apps WHERE tenant_id = $1 AND enabled = $3 AND first_party = $5",
            $start,
            $order,
            $limit,
            ") AS range_d) AS each_range",
            $found,
            $limit,
            ") AS found CROSS JOIN apps WHERE tenant_id = of_tenant AND id = app_id",
            $found
        )
    };
}

const OF_FLAGS: Ordered = Ordered {
    oldest: ranges_sql!("''", " AND id > $6", " ORDER BY id", " LIMIT $7", " ORDER BY app_id"),
    newest: ranges_sql!("''", " AND id < $6", " ORDER BY id DESC", " LIMIT $7", " ORDER BY app_id DESC"),
    name: ranges_sql!(
        "name_key",
        " AND (name_key, id) > ($6, $7) AND name_key < $8",
        " ORDER BY name_key, id",
        " LIMIT $9",
        " ORDER BY app_key, app_id"
    ),
    name_descending: ranges_sql!(
        "name_key",
        " AND (name_key, id) < ($6, $7) AND name_key >= $8",
        " ORDER BY name_key DESC, id DESC",
        " LIMIT $9",
        " ORDER BY app_key DESC, app_id DESC"
    ),
};

const OF_KIND: Ordered = Ordered {
    oldest: ranges_sql!("''", " AND kind = $6 AND id > $7", " ORDER BY id", " LIMIT $8", " ORDER BY app_id"),
    newest: ranges_sql!(
        "''",
        " AND kind = $6 AND id < $7",
        " ORDER BY id DESC",
        " LIMIT $8",
        " ORDER BY app_id DESC"
    ),
    name: ranges_sql!(
        "name_key",
        " AND kind = $6 AND (name_key, id) > ($7, $8) AND name_key < $9",
        " ORDER BY name_key, id",
        " LIMIT $10",
        " ORDER BY app_key, app_id"
    ),
    name_descending: ranges_sql!(
        "name_key",
        " AND kind = $6 AND (name_key, id) < ($7, $8) AND name_key >= $9",
        " ORDER BY name_key DESC, id DESC",
        " LIMIT $10",
        " ORDER BY app_key DESC, app_id DESC"
    ),
};
