//! The search for tenant users: those whose name or address begins with a text.

use svc_core::{Result, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, sql};

use super::finding::person;
use super::{Person, Status};
use crate::lists::{self, Search};

/// A page of the people, in one status if any is named, whose address, full name or user name begins with a text, in the order of what was
/// found; each person once.
pub async fn search(
    tx: &mut Tx<Tenant>,
    status: Option<Status>,
    wanted: Search<'_, TenantUserId>,
) -> Result<Vec<Person>> {
    // Each of the three is a range of its own index, of which no more is read than the page has. Joined in this order alone.
    let select = sql!(
        "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
         credentials_changed_at, account_status, created_at, updated_at, account_updated_at, found.name_key AS name_key \
         FROM (SELECT tenant_id, tenant_user_id, name_key FROM (\
         SELECT tenant_id, tenant_user_id, name_key FROM (SELECT tenant_id, tenant_user_id, email_key AS name_key FROM tenant_user_names \
         WHERE tenant_id = $1 AND (email_key, tenant_user_id) > ($3, $4) AND email_key < $5 AND ($2 = '' OR status = $2) \
         ORDER BY email_key, tenant_user_id LIMIT $6) AS addresses \
         UNION SELECT tenant_id, tenant_user_id, name_key FROM (SELECT tenant_id, tenant_user_id, name_key FROM tenant_user_names \
         WHERE tenant_id = $1 AND (name_key, tenant_user_id) > ($3, $4) AND name_key < $5 AND ($2 = '' OR status = $2) \
         ORDER BY name_key, tenant_user_id LIMIT $6) AS full_names \
         UNION SELECT tenant_id, tenant_user_id, name_key FROM (SELECT tenant_id, tenant_user_id, username_key AS name_key FROM tenant_user_names \
         WHERE tenant_id = $1 AND (username_key, tenant_user_id) > ($3, $4) AND username_key < $5 AND ($2 = '' OR status = $2) \
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
    lists::by_name(tx, select, wanted, in_status, read).await
}
