//! Organizations as they are found: one by its id or its slug, and pages of them, narrowed and in an order.

use svc_core::{OrganizationId, Result, TenantUserId};
use svc_db::{Call, Row, Tenant, Tx, Value, args, sql};

use super::{Organization, Status, find_member, sign_in};
use crate::document;
use crate::lists::{self, Order, Ordered, Search};

/// Which organizations a list shows: those that meet everything that is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Narrowed {
    /// Where they stand.
    pub status: Option<Status>,
    /// Who answers for them.
    pub owner: Option<TenantUserId>,
    /// Who is a present member of them.
    pub member: Option<TenantUserId>,
}

/// Reads organizations; the argument says from where, and which.
macro_rules! organizations_sql {
    ($from:literal) => {
        sql!(
            "SELECT id, slug, status, owner_id, configuration, sign_in_rules, name_key, created_at, updated_at, version FROM ",
            $from
        )
    };
}

/// One organization by id.
pub async fn find(tx: &mut Tx<Tenant>, id: OrganizationId) -> Result<Option<Organization>> {
    let [rows] = tx.batch([of_id(tx, id)]).await?;
    one(&rows)
}

/// Selects one organization, to be read with others in one round trip.
pub(crate) fn of_id(tx: &Tx<Tenant>, id: OrganizationId) -> Call {
    let select = organizations_sql!("organizations WHERE tenant_id = $1 AND id = $2");
    tx.call(select, args![id])
}

/// The organization that a statement yielded.
pub(crate) fn one(rows: &[Row]) -> Result<Option<Organization>> {
    rows.first().map(organization).transpose()
}

/// The organization of this slug.
pub async fn find_by_slug(tx: &mut Tx<Tenant>, slug: &str) -> Result<Option<Organization>> {
    let select = organizations_sql!("organizations WHERE tenant_id = $1 AND slug = $2");
    tx.optional(select, args![slug]).await?.as_ref().map(organization).transpose()
}

/// A page of organizations by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<OrganizationId>, u32),
) -> Result<Vec<Organization>> {
    lists::page(tx, ALL.oldest, (cursor, limit), |row| organization(row).map(Some)).await
}

/// A page of organizations in an order, of those that are searched for where it is by name.
pub async fn list_by(
    tx: &mut Tx<Tenant>,
    narrowed: &Narrowed,
    (order, wanted): (Order, Search<'_, OrganizationId>),
) -> Result<Vec<Organization>> {
    let (selects, narrowed) = narrowed.statements();
    lists::ordered_in(tx, selects, (order, wanted), &narrowed, |row| organization(row).map(Some)).await
}

impl Narrowed {
    /// Whether an organization is one of those that are asked for.
    pub async fn fits(&self, tx: &mut Tx<Tenant>, organization: &Organization) -> Result<bool> {
        let is_shown = self.status.is_none_or(|status| status == organization.status)
            && self.owner.is_none_or(|owner| owner == organization.owner_id);
        match self.member {
            Some(member) if is_shown => Ok(find_member(tx, organization.id, member).await?.is_some()),
            _ => Ok(is_shown),
        }
    }

    /// The statements that list them, with what these take first.
    fn statements(&self) -> (Ordered, Vec<Value>) {
        let status = self.status.map_or("", Status::name);
        match (self.member, self.owner, self.status) {
            (Some(member), owner, _) => {
                let owner = owner.map(|id| id.to_string()).unwrap_or_default();
                (OF_MEMBER, args![member, status, owner].to_vec())
            }
            (None, Some(owner), _) => (OF_OWNER, args![owner, status].to_vec()),
            (None, None, Some(_)) => (IN_STATUS, args![status].to_vec()),
            (None, None, None) => (ALL, Vec::new()),
        }
    }
}

const ALL: Ordered = Ordered {
    oldest: organizations_sql!("organizations WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"),
    newest: organizations_sql!("organizations WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"),
    name: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND (name_key, id) > ($2, $3) AND name_key < $4 \
         ORDER BY name_key, id LIMIT $5"
    ),
    name_descending: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND (name_key, id) < ($2, $3) AND name_key >= $4 \
         ORDER BY name_key DESC, id DESC LIMIT $5"
    ),
};

const IN_STATUS: Ordered = Ordered {
    oldest: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND status = $2 AND id > $3 ORDER BY id LIMIT $4"
    ),
    newest: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND status = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
    ),
    name: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND status = $2 AND (name_key, id) > ($3, $4) AND name_key < $5 \
         ORDER BY name_key, id LIMIT $6"
    ),
    name_descending: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND status = $2 AND (name_key, id) < ($3, $4) AND name_key >= $5 \
         ORDER BY name_key DESC, id DESC LIMIT $6"
    ),
};

/// The status is only looked at: no more is read than one person's organizations.
const OF_OWNER: Ordered = Ordered {
    oldest: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND owner_id = $2 AND id > $4 AND ($3 = '' OR status = $3) \
         ORDER BY id LIMIT $5"
    ),
    newest: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND owner_id = $2 AND id < $4 AND ($3 = '' OR status = $3) \
         ORDER BY id DESC LIMIT $5"
    ),
    name: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND owner_id = $2 AND (name_key, id) > ($4, $5) AND name_key < $6 \
         AND ($3 = '' OR status = $3) ORDER BY name_key, id LIMIT $7"
    ),
    name_descending: organizations_sql!(
        "organizations WHERE tenant_id = $1 AND owner_id = $2 AND (name_key, id) < ($4, $5) AND name_key >= $6 \
         AND ($3 = '' OR status = $3) ORDER BY name_key DESC, id DESC LIMIT $7"
    ),
};

/// The memberships of the person are read first, and joined in this order alone.
const OF_MEMBER: Ordered = Ordered {
    oldest: organizations_sql!(
        "(SELECT m.tenant_id AS of_tenant, m.organization_id FROM organization_members m WHERE m.tenant_id = $1 \
         AND m.tenant_user_id = $2 AND m.organization_id > $5 AND (SELECT COUNT(*) FROM tenant_users u \
         WHERE u.tenant_id = $1 AND u.id = m.tenant_user_id AND u.status <> 'removed') = 1) AS joined \
         CROSS JOIN organizations WHERE tenant_id = of_tenant AND id = organization_id AND ($3 = '' OR status = $3) AND ($4 = '' OR owner_id = $4) \
         ORDER BY organization_id LIMIT $6"
    ),
    newest: organizations_sql!(
        "(SELECT m.tenant_id AS of_tenant, m.organization_id FROM organization_members m WHERE m.tenant_id = $1 \
         AND m.tenant_user_id = $2 AND m.organization_id < $5 AND (SELECT COUNT(*) FROM tenant_users u \
         WHERE u.tenant_id = $1 AND u.id = m.tenant_user_id AND u.status <> 'removed') = 1) AS joined \
         CROSS JOIN organizations WHERE tenant_id = of_tenant AND id = organization_id AND ($3 = '' OR status = $3) AND ($4 = '' OR owner_id = $4) \
         ORDER BY organization_id DESC LIMIT $6"
    ),
    name: organizations_sql!(
        "(SELECT m.tenant_id AS of_tenant, m.organization_id FROM organization_members m WHERE m.tenant_id = $1 \
         AND m.tenant_user_id = $2 AND (SELECT COUNT(*) FROM tenant_users u \
         WHERE u.tenant_id = $1 AND u.id = m.tenant_user_id AND u.status <> 'removed') = 1) AS joined \
         CROSS JOIN organizations WHERE tenant_id = of_tenant AND id = organization_id AND ($3 = '' OR status = $3) AND ($4 = '' OR owner_id = $4) \
         AND (name_key, id) > ($5, $6) AND name_key < $7 ORDER BY name_key, id LIMIT $8"
    ),
    name_descending: organizations_sql!(
        "(SELECT m.tenant_id AS of_tenant, m.organization_id FROM organization_members m WHERE m.tenant_id = $1 \
         AND m.tenant_user_id = $2 AND (SELECT COUNT(*) FROM tenant_users u \
         WHERE u.tenant_id = $1 AND u.id = m.tenant_user_id AND u.status <> 'removed') = 1) AS joined \
         CROSS JOIN organizations WHERE tenant_id = of_tenant AND id = organization_id AND ($3 = '' OR status = $3) AND ($4 = '' OR owner_id = $4) \
         AND (name_key, id) < ($5, $6) AND name_key >= $7 ORDER BY name_key DESC, id DESC LIMIT $8"
    ),
};

fn organization(row: &Row) -> Result<Organization> {
    let status = row.text("status")?;
    Ok(Organization {
        id: row.parse("id")?,
        slug: row.text("slug")?,
        // What is not known to be active is not.
        status: if status == Status::Active.name() { Status::Active } else { Status::Suspended },
        owner_id: row.parse("owner_id")?,
        configuration: document::load(row, "configuration")?,
        sign_in: sign_in::read(row)?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}
