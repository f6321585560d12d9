//! Lists of tenants for operators: narrowed, in an order, and those whose name or slug begins with what is searched.

use svc_core::{PlanId, Result, TenantRef};
use svc_db::{Row, System, SystemSql, Tx, Value, args, system_sql};

use super::records::{Standing, TenantRecord, record};
use crate::lists::{self, Order, Ordered, Search};

/// Which tenants a list shows: those that meet everything that is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Narrowed {
    /// Whether they answer.
    pub standing: Option<Standing>,
    /// Their plan.
    pub plan_id: Option<PlanId>,
}

/// Reads tenants whose data are there. The arguments are the name that a list is ordered by, and from where they are read, and which.
macro_rules! tenants_sql {
    ($key:literal, $from:literal) => {
        system_sql!(
            "SELECT id, slug, name, custom_domain, status, settings, plan_id, delete_at, created_at, updated_at, version, ",
            $key,
            " AS name_key FROM ",
            $from
        )
    };
}

/// A page of tenants in an order.
pub async fn list(
    tx: &mut Tx<System>,
    narrowed: Narrowed,
    (order, wanted): (Order, Search<'_, TenantRef>),
) -> Result<Vec<TenantRecord>> {
    let (selects, narrowed) = narrowed.statements();
    lists::ordered_in(tx, selects, (order, wanted), &narrowed, |row| record(row).map(Some)).await
}

/// A page of those whose name or slug begins with a text, in the order of what was found; each tenant once.
pub async fn search(
    tx: &mut Tx<System>,
    narrowed: Narrowed,
    (order, wanted): (Order, Search<'_, TenantRef>),
) -> Result<Vec<TenantRecord>> {
    let standing = narrowed.standing.map_or("", Standing::name);
    let plan = narrowed.plan_id.map(|id| id.to_string()).unwrap_or_default();
    let narrowed = args![standing, plan];
    let read = |row: &Row| {
        let tenant = record(row)?;
        let first = lists::found(&[&tenant.name, &tenant.slug], wanted.beginning);
        // What is found by both is shown at the first.
        Ok((first == Some(row.text("name_key")?)).then_some(tenant))
    };
    if order == Order::NameDescending {
        lists::by_name_descending(tx, SEARCHED_DESCENDING, wanted, narrowed, read).await
    } else {
        lists::by_name(tx, SEARCHED, wanted, narrowed, read).await
    }
}

impl Narrowed {
    /// The statements that list them, with what these take first.
    fn statements(self) -> (Ordered<SystemSql>, Vec<Value>) {
        match (self.plan_id, self.standing) {
            (None, None) => (ALL, Vec::new()),
            (None, Some(standing)) => (OF_STANDING, args![standing.name()].to_vec()),
            (Some(plan), None) => (ON_PLAN, args![plan].to_vec()),
            (Some(plan), Some(standing)) => (ON_PLAN_OF_STANDING, args![plan, standing.name()].to_vec()),
        }
    }
}

const ALL: Ordered<SystemSql> = Ordered {
    oldest: tenants_sql!("name_key", "tenants WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT $2"),
    newest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND id < $1 ORDER BY id DESC LIMIT $2"
    ),
    name: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND (name_key, id) > ($1, $2) AND name_key < $3 \
         ORDER BY name_key, id LIMIT $4"
    ),
    name_descending: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND (name_key, id) < ($1, $2) AND name_key >= $3 \
         ORDER BY name_key DESC, id DESC LIMIT $4"
    ),
};

const OF_STANDING: Ordered<SystemSql> = Ordered {
    oldest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND standing = $1 AND id > $2 ORDER BY id LIMIT $3"
    ),
    newest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND standing = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
    ),
    name: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND standing = $1 AND (name_key, id) > ($2, $3) AND name_key < $4 \
         ORDER BY name_key, id LIMIT $5"
    ),
    name_descending: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND standing = $1 AND (name_key, id) < ($2, $3) AND name_key >= $4 \
         ORDER BY name_key DESC, id DESC LIMIT $5"
    ),
};

const ON_PLAN: Ordered<SystemSql> = Ordered {
    oldest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    ),
    newest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
    ),
    name: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND (name_key, id) > ($2, $3) AND name_key < $4 \
         ORDER BY name_key, id LIMIT $5"
    ),
    name_descending: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND (name_key, id) < ($2, $3) AND name_key >= $4 \
         ORDER BY name_key DESC, id DESC LIMIT $5"
    ),
};

const ON_PLAN_OF_STANDING: Ordered<SystemSql> = Ordered {
    oldest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND standing = $2 AND id > $3 ORDER BY id LIMIT $4"
    ),
    newest: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND standing = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
    ),
    name: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND standing = $2 AND (name_key, id) > ($3, $4) \
         AND name_key < $5 ORDER BY name_key, id LIMIT $6"
    ),
    name_descending: tenants_sql!(
        "name_key",
        "tenants WHERE deleted_at IS NULL AND plan_id = $1 AND standing = $2 AND (name_key, id) < ($3, $4) \
         AND name_key >= $5 ORDER BY name_key DESC, id DESC LIMIT $6"
    ),
};

/// Each of the two is a range of its own index, whose last columns tell whether a tenant is wanted. Joined in this order alone.
const SEARCHED: SystemSql = tenants_sql!(
    "found_key",
    "(SELECT found_id, found_key FROM (SELECT found_id, found_key FROM (\
     SELECT id AS found_id, name_key AS found_key FROM tenants WHERE deleted_at IS NULL AND (name_key, id) > ($3, $4) \
     AND name_key < $5 AND ($1 = '' OR standing = $1) AND ($2 = '' OR plan_id = $2) ORDER BY name_key, id LIMIT $6) AS names \
     UNION SELECT found_id, found_key FROM (\
     SELECT id AS found_id, slug_key AS found_key FROM tenants WHERE deleted_at IS NULL AND (slug_key, id) > ($3, $4) \
     AND slug_key < $5 AND ($1 = '' OR standing = $1) AND ($2 = '' OR plan_id = $2) ORDER BY slug_key, id LIMIT $6) AS slugs\
     ) AS each_name ORDER BY found_key, found_id LIMIT $6) AS found CROSS JOIN tenants \
     WHERE deleted_at IS NULL AND id = found_id ORDER BY found_key, found_id"
);

const SEARCHED_DESCENDING: SystemSql = tenants_sql!(
    "found_key",
    "(SELECT found_id, found_key FROM (SELECT found_id, found_key FROM (\
     SELECT id AS found_id, name_key AS found_key FROM tenants WHERE deleted_at IS NULL AND (name_key, id) < ($3, $4) \
     AND name_key >= $5 AND ($1 = '' OR standing = $1) AND ($2 = '' OR plan_id = $2) \
     ORDER BY name_key DESC, id DESC LIMIT $6) AS names \
     UNION SELECT found_id, found_key FROM (\
     SELECT id AS found_id, slug_key AS found_key FROM tenants WHERE deleted_at IS NULL AND (slug_key, id) < ($3, $4) \
     AND slug_key >= $5 AND ($1 = '' OR standing = $1) AND ($2 = '' OR plan_id = $2) \
     ORDER BY slug_key DESC, id DESC LIMIT $6) AS slugs\
     ) AS each_name ORDER BY found_key DESC, found_id DESC LIMIT $6) AS found CROSS JOIN tenants \
     WHERE deleted_at IS NULL AND id = found_id ORDER BY found_key DESC, found_id DESC"
);
