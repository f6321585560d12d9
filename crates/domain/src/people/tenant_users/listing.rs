//! Lists of tenant users: by id, of one kind, and those whose name or address begins with what is searched.

use svc_core::{Result, TenantUserId};
use svc_db::{Row, Tenant, Tx, after, args, before, sql};

use super::finding::person;
use super::{Person, Status};
use crate::lists::{self, Search};

/// Reads people with what their list is ordered by; the second argument says which.
macro_rules! people_sql {
    ($key:literal, $from:literal) => {
        sql!(
            "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
             credentials_changed_at, account_status, created_at, updated_at, account_updated_at, ",
            $key,
            " AS name_key FROM ",
            $from
        )
    };
}

/// A page of memberships by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, (cursor, limit): (Option<TenantUserId>, u32)) -> Result<Vec<Person>> {
    let select = people_sql!("id", "people WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    tx.all(select, args![after(cursor), limit]).await?.iter().map(person).collect()
}

/// The same of one status.
pub async fn list_of(
    tx: &mut Tx<Tenant>,
    status: Status,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    let select =
        people_sql!("id", "people WHERE tenant_id = $1 AND status = $2 AND id > $3 ORDER BY id LIMIT $4");
    tx.all(select, args![status.name(), after(cursor), limit]).await?.iter().map(person).collect()
}

/// A page of memberships by id, before `cursor`: the last created one first.
pub async fn list_newest(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    let select = people_sql!("id", "people WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    tx.all(select, args![before(cursor), limit]).await?.iter().map(person).collect()
}

/// The same of one status.
pub async fn list_newest_of(
    tx: &mut Tx<Tenant>,
    status: Status,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    let select = people_sql!(
        "id",
        "people WHERE tenant_id = $1 AND status = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
    );
    tx.all(select, args![status.name(), before(cursor), limit]).await?.iter().map(person).collect()
}

/// A page of guests by id, after `cursor`, or of those who are none.
pub async fn list_guests(
    tx: &mut Tx<Tenant>,
    are_guests: bool,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    let select = if are_guests {
        people_sql!(
            "id",
            "people WHERE tenant_id = $1 AND guest_used_at IS NOT NULL AND id > $2 ORDER BY id LIMIT $3"
        )
    } else {
        people_sql!(
            "id",
            "people WHERE tenant_id = $1 AND guest_used_at IS NULL AND id > $2 ORDER BY id LIMIT $3"
        )
    };
    tx.all(select, args![after(cursor), limit]).await?.iter().map(person).collect()
}

/// The same of those who have a role of their own.
pub async fn list_with_role(
    tx: &mut Tx<Tenant>,
    role: &str,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Person>> {
    let select = people_sql!(
        "id",
        "people WHERE tenant_id = $1 AND id IN (SELECT tenant_user_id FROM role_members WHERE tenant_id = $1 AND role = $2 \
         AND tenant_user_id > $3 ORDER BY tenant_user_id LIMIT $4) ORDER BY id"
    );
    tx.all(select, args![role, after(cursor), limit]).await?.iter().map(person).collect()
}

/// A page of those, in one status if any is named, whose address, full name or user name begins with a text, in the order of what was
/// found; each person once.
pub async fn search(
    tx: &mut Tx<Tenant>,
    status: Option<Status>,
    wanted: Search<'_, TenantUserId>,
) -> Result<Vec<Person>> {
    // Each of the three is a range of its own index, of which no more is read than the page has. Joined in this order alone.
    let select = people_sql!(
        "found.name_key",
        "(SELECT tenant_id, tenant_user_id, name_key FROM (\
         SELECT tenant_id, tenant_user_id, name_key FROM (SELECT tenant_id, tenant_user_id, email_key AS name_key FROM tenant_user_names \
         WHERE tenant_id = $1 AND (email_key, tenant_user_id) > ($2, $3) AND email_key < $4 AND ($5 = '' OR status = $5) \
         ORDER BY email_key, tenant_user_id LIMIT $6) AS addresses \
         UNION SELECT tenant_id, tenant_user_id, name_key FROM (SELECT tenant_id, tenant_user_id, name_key FROM tenant_user_names \
         WHERE tenant_id = $1 AND (name_key, tenant_user_id) > ($2, $3) AND name_key < $4 AND ($5 = '' OR status = $5) \
         ORDER BY name_key, tenant_user_id LIMIT $6) AS full_names \
         UNION SELECT tenant_id, tenant_user_id, name_key FROM (SELECT tenant_id, tenant_user_id, username_key AS name_key FROM tenant_user_names \
         WHERE tenant_id = $1 AND (username_key, tenant_user_id) > ($2, $3) AND username_key < $4 AND ($5 = '' OR status = $5) \
         ORDER BY username_key, tenant_user_id LIMIT $6) AS usernames\
         ) AS each_name ORDER BY name_key, tenant_user_id LIMIT $6) AS found \
         CROSS JOIN people WHERE people.tenant_id = found.tenant_id AND people.id = found.tenant_user_id ORDER BY found.name_key, id"
    );
    let in_status = args![status.map_or("", Status::name)];
    let read = |row: &Row| {
        let person = person(row)?;
        let first = lists::found(&person.names(), wanted.beginning);
        // Who is found by several names is shown at the first.
        Ok((first == Some(row.text("name_key")?)).then_some(person))
    };
    lists::search_in(tx, select, wanted, in_status, read).await
}
