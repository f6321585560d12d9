//! Lists of tenant users by id, from either end: those of a status, a type, a role, a group and an organization, in any combination,
//! who were made in a time.

use svc_core::{GroupId, OrganizationId, Result, TenantUserId};
use svc_db::{Tenant, TenantSql, Times, Tx, Value, args, sql};

use super::finding::person;
use super::{Person, Status};

/// Which people.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// Of this status.
    pub status: Option<Status>,
    /// Guests, or those who are none.
    pub are_guests: Option<bool>,
    /// The present members of this organization.
    pub organization: Option<OrganizationId>,
    /// The present members of this group, without those of the groups that are in it.
    pub group: Option<GroupId>,
    /// Who have this role of their own.
    pub role: Option<String>,
    /// Who were made in this time.
    pub times: Times,
    /// Whether the last created one comes first.
    pub is_newest_first: bool,
}

/// Reads people of the whole tenant, the first one first and the last one first; the argument says which. Each choice is a range of an
/// index.
macro_rules! people_sql {
    ($which:literal) => {
        [
            sql!(
                "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
                 credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
                 FROM people WHERE tenant_id = $1 AND ",
                $which,
                "id > $2 AND id < $3 ORDER BY id LIMIT $4"
            ),
            sql!(
                "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
                 credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
                 FROM people WHERE tenant_id = $1 AND ",
                $which,
                "id > $2 AND id < $3 ORDER BY id DESC LIMIT $4"
            ),
        ]
    };
}

/// Reads members of something within the tenant, in the same two orders; the arguments say of what. The members are a range of an index,
/// and what else is asked for is looked up for each of them, by subqueries: a join could begin with any of its tables.
macro_rules! members_sql {
    ($members:literal, $which:literal) => {
        [
            sql!(
                "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
                 credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
                 FROM (SELECT m.tenant_id, m.tenant_user_id FROM ",
                $members,
                " m WHERE m.tenant_id = $1 AND ",
                $which,
                " AND m.tenant_user_id > $2 AND m.tenant_user_id < $3 \
                 AND (SELECT COUNT(*) FROM tenant_users u WHERE u.tenant_id = $1 AND u.id = m.tenant_user_id \
                 AND u.status IN ($5, $6, $7, $8, $9) \
                 AND CASE WHEN u.guest_used_at IS NULL THEN 'human' ELSE 'anonymous' END IN ($10, $11)) = 1 \
                 ORDER BY m.tenant_user_id LIMIT $4) AS found \
                 CROSS JOIN people WHERE people.tenant_id = found.tenant_id AND people.id = found.tenant_user_id ORDER BY id"
            ),
            sql!(
                "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
                 credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
                 FROM (SELECT m.tenant_id, m.tenant_user_id FROM ",
                $members,
                " m WHERE m.tenant_id = $1 AND ",
                $which,
                " AND m.tenant_user_id > $2 AND m.tenant_user_id < $3 \
                 AND (SELECT COUNT(*) FROM tenant_users u WHERE u.tenant_id = $1 AND u.id = m.tenant_user_id \
                 AND u.status IN ($5, $6, $7, $8, $9) \
                 AND CASE WHEN u.guest_used_at IS NULL THEN 'human' ELSE 'anonymous' END IN ($10, $11)) = 1 \
                 ORDER BY m.tenant_user_id DESC LIMIT $4) AS found \
                 CROSS JOIN people WHERE people.tenant_id = found.tenant_id AND people.id = found.tenant_user_id ORDER BY id DESC"
            ),
        ]
    };
}

/// A page of all memberships by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, page: (Option<TenantUserId>, u32)) -> Result<Vec<Person>> {
    list_which(tx, &Which::default(), page).await
}

/// The same of one status.
pub async fn list_of(
    tx: &mut Tx<Tenant>,
    status: Status,
    page: (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    list_which(tx, &Which { status: Some(status), ..Which::default() }, page).await
}

/// A page of some memberships, after `cursor` in their order.
pub async fn list_which(
    tx: &mut Tx<Tenant>,
    which: &Which,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    let Some(([oldest, newest], narrowed)) = which.statements() else { return Ok(Vec::new()) };
    let (select, [start, end]) = if which.is_newest_first {
        (newest, which.times.before(cursor))
    } else {
        (oldest, which.times.after(cursor))
    };
    let arguments = [&args![start, end, limit][..], &narrowed].concat();
    tx.all(select, &arguments).await?.iter().map(person).collect()
}

impl Which {
    /// What reads them in either order, with what it takes after the page; none where there can be no such people.
    fn statements(&self) -> Option<([TenantSql; 2], Vec<Value>)> {
        let organization = self.organization.map(Value::from);
        let group = self.group.map(Value::from);
        let role = self.role.as_deref().map(Value::from);
        let within: Vec<_> = [organization, group, role].into_iter().flatten().collect();
        if within.is_empty() {
            let status = self.status.map(Status::name);
            let narrowed = [status, self.are_guests.map(type_of)].into_iter().flatten();
            return Some((self.of_tenant(), narrowed.map(Value::from).collect()));
        }
        let statuses = self.statuses();
        if statuses.is_empty() {
            return None;
        }
        // One for each place of the statement, some of them several times.
        let places = statuses.iter().cycle().take(Status::ALL.len());
        let statuses = places.map(|status| Value::from(status.name()));
        let types = match self.are_guests {
            None => ["human", "anonymous"],
            Some(are_guests) => [type_of(are_guests); 2],
        };
        let types = types.map(Value::from);
        Some((self.of_members(), statuses.chain(types).chain(within).collect()))
    }

    /// The statuses that are asked for. Who is removed is no present member of an organization or a group.
    fn statuses(&self) -> Vec<Status> {
        let are_present = self.organization.is_some() || self.group.is_some();
        let is_asked_for = |status: &Status| self.status.is_none_or(|asked| asked == *status);
        let may_be = |status: &Status| *status != Status::Removed || !are_present;
        Status::ALL.into_iter().filter(|status| is_asked_for(status) && may_be(status)).collect()
    }

    fn of_tenant(&self) -> [TenantSql; 2] {
        match (self.status.is_some(), self.are_guests.is_some()) {
            (false, false) => people_sql!(""),
            (true, false) => people_sql!("status = $5 AND "),
            (false, true) => {
                people_sql!("CASE WHEN guest_used_at IS NULL THEN 'human' ELSE 'anonymous' END = $5 AND ")
            }
            (true, true) => people_sql!(
                "status = $5 AND CASE WHEN guest_used_at IS NULL THEN 'human' ELSE 'anonymous' END = $6 AND "
            ),
        }
    }

    fn of_members(&self) -> [TenantSql; 2] {
        match (self.organization.is_some(), self.group.is_some(), self.role.is_some()) {
            (true, false, false) => members_sql!("organization_members", "m.organization_id = $12"),
            (false, true, false) => members_sql!("group_members", "m.group_id = $12"),
            (false, false, _) => members_sql!("role_members", "m.role = $12"),
            (true, true, false) => members_sql!(
                "organization_members",
                "m.organization_id = $12 \
                 AND (SELECT COUNT(*) FROM group_members g WHERE g.tenant_id = $1 \
                 AND g.group_id = $13 AND g.tenant_user_id = m.tenant_user_id) = 1"
            ),
            (true, false, true) => members_sql!(
                "organization_members",
                "m.organization_id = $12 \
                 AND (SELECT COUNT(*) FROM role_members r WHERE r.tenant_id = $1 \
                 AND r.role = $13 AND r.tenant_user_id = m.tenant_user_id) = 1"
            ),
            (false, true, true) => members_sql!(
                "group_members",
                "m.group_id = $12 \
                 AND (SELECT COUNT(*) FROM role_members r WHERE r.tenant_id = $1 \
                 AND r.role = $13 AND r.tenant_user_id = m.tenant_user_id) = 1"
            ),
            (true, true, true) => members_sql!(
                "organization_members",
                "m.organization_id = $12 \
                 AND (SELECT COUNT(*) FROM group_members g WHERE g.tenant_id = $1 \
                 AND g.group_id = $13 AND g.tenant_user_id = m.tenant_user_id) = 1 \
                 AND (SELECT COUNT(*) FROM role_members r WHERE r.tenant_id = $1 \
                 AND r.role = $14 AND r.tenant_user_id = m.tenant_user_id) = 1"
            ),
        }
    }
}

/// The type, as the index of types has it.
fn type_of(is_guest: bool) -> &'static str {
    if is_guest { "anonymous" } else { "human" }
}
