//! What keeps a role from being deleted: those who have it, and what names it, which would mean the next role of that name as well.

use std::collections::BTreeSet;

use serde::Deserialize;
use svc_core::{Error, Result};
use svc_db::{Row, Tenant, TenantSql, Tx, args, sql};
use url::form_urlencoded;

use crate::apis::store as apis;
use crate::document;
use crate::tenancy::tenants;

/// Records that are read at once.
const PAGE: u32 = 200;

/// What the settings of a tenant name.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    second_factor_roles: BTreeSet<String>,
}

/// What a connection for single sign-on gives.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Connection {
    jit: Given,
    group_roles: Vec<Given>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    roles: Vec<String>,
}

impl Connection {
    fn gives(&self, role: &str) -> bool {
        let mut given = self.group_roles.iter().chain([&self.jit]).flat_map(|given| &given.roles);
        given.any(|name| name == role)
    }
}

/// Refuses a role that is still used, and says by what.
pub(super) async fn check_none(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, role: &str) -> Result<()> {
    check_holders(tx, role).await?;
    check_scopes(tx, tenant, role).await?;
    check_settings(tx, role).await?;
    let pushed = sql!(
        "SELECT target_id FROM scim_target_people WHERE tenant_id = $1 AND kind = 'role' AND value = $2 LIMIT 1"
    );
    if let Some(row) = tx.optional(pushed, args![role]).await? {
        let target = row.text("target_id")?;
        return Err(in_use(&format!("the SCIM target {target} pushes those who have it")));
    }
    check_connections(tx, role).await?;
    check_invitations(tx, role).await
}

fn in_use(how: &str) -> Error {
    Error::conflict(format!("the role is in use: {how}"))
}

/// Present members who have the role by themselves, in an organization, by a group or by a group of a directory.
async fn check_holders(tx: &mut Tx<Tenant>, role: &str) -> Result<()> {
    let held = sql!(
        "SELECT m.tenant_user_id FROM role_members m JOIN tenant_users u ON u.tenant_id = m.tenant_id AND u.id = m.tenant_user_id \
         WHERE m.tenant_id = $1 AND m.role = $2 AND u.status <> 'removed' LIMIT 1"
    );
    if let Some(row) = tx.optional(held, args![role]).await? {
        let member = row.text("tenant_user_id")?;
        let name: String = form_urlencoded::byte_serialize(role.as_bytes()).collect();
        return Err(in_use(&format!(
            "tenant user {member} has it; take it from all of `/api/v1/tenant-users?role={name}` first"
        )));
    }
    let of_group = sql!("SELECT group_id FROM group_roles WHERE tenant_id = $1 AND role = $2 LIMIT 1");
    if let Some(row) = tx.optional(of_group, args![role]).await? {
        return Err(in_use(&format!("group {} has it", row.text("group_id")?)));
    }
    let there = sql!(
        "SELECT r.organization_id FROM organization_roles r JOIN tenant_users u ON u.tenant_id = r.tenant_id \
         AND u.id = r.tenant_user_id WHERE r.tenant_id = $1 AND r.role = $2 AND u.status <> 'removed' LIMIT 1"
    );
    if let Some(row) = tx.optional(there, args![role]).await? {
        let organization = row.text("organization_id")?;
        return Err(in_use(&format!("a member of organization {organization} has it")));
    }
    let of_directory =
        sql!("SELECT organization_id FROM scim_group_roles WHERE tenant_id = $1 AND role = $2 LIMIT 1");
    if let Some(row) = tx.optional(of_directory, args![role]).await? {
        let organization = row.text("organization_id")?;
        return Err(in_use(&format!("a group of the directory of organization {organization} has it")));
    }
    Ok(())
}

/// The settings as they are stored: another node may have changed them a moment ago, which memory does not know yet.
async fn check_settings(tx: &mut Tx<Tenant>, role: &str) -> Result<()> {
    let select = sql!(
        "SELECT t.settings AS settings FROM roles r JOIN tenants t ON r.tenant_id = t.id WHERE r.tenant_id = $1 AND r.name = $2"
    );
    let Some(row) = tx.optional(select, args![role]).await? else { return Ok(()) };
    if document::load::<Settings>(&row, "settings")?.second_factor_roles.contains(role) {
        return Err(in_use("`second_factor_roles` of the tenant settings names it"));
    }
    Ok(())
}

/// A scope that loses the last of its roles would be open to everybody.
async fn check_scopes(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, role: &str) -> Result<()> {
    let mut cursor = None;
    loop {
        let page = apis::list(tx, tenant, (cursor, PAGE)).await?;
        for api in &page {
            let mut scopes = api.configuration.scopes.iter();
            if let Some(scope) = scopes.find(|scope| scope.roles.iter().any(|name| name == role)) {
                let (scope, api) = (&scope.name, &api.identifier);
                return Err(in_use(&format!("the scope {scope} of the API {api} names it")));
            }
        }
        cursor = page.last().map(|api| api.id);
        if page.len() < PAGE as usize {
            return Ok(());
        }
    }
}

async fn check_connections(tx: &mut Tx<Tenant>, role: &str) -> Result<()> {
    let select = sql!(
        "SELECT id, organization_id, configuration FROM sso_connections WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    );
    check_each(tx, select, |row| {
        if !document::load::<Connection>(row, "configuration")?.gives(role) {
            return Ok(None);
        }
        let (id, organization) = (row.text("id")?, row.text("organization_id")?);
        Ok(Some(format!("the SSO connection {id} of organization {organization} gives it")))
    })
    .await
}

/// One that has lapsed counts too: it may be sent again for as long as it is there.
async fn check_invitations(tx: &mut Tx<Tenant>, role: &str) -> Result<()> {
    let select = sql!(
        "SELECT id, organization_id, roles FROM organization_invitations WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    );
    check_each(tx, select, |row| {
        if !document::load::<Vec<String>>(row, "roles")?.iter().any(|name| name == role) {
            return Ok(None);
        }
        let (id, organization) = (row.text("id")?, row.text("organization_id")?);
        Ok(Some(format!("the invitation {id} to organization {organization} gives it")))
    })
    .await
}

/// Looks at each row of `select`, which takes the id before a page and the limit: `how` says how a row uses the role, if it does.
async fn check_each(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
    how: impl Fn(&Row) -> Result<Option<String>>,
) -> Result<()> {
    let mut after = String::new();
    loop {
        let rows = tx.all(select, args![&after, PAGE]).await?;
        for row in &rows {
            if let Some(how) = how(row)? {
                return Err(in_use(&how));
            }
        }
        match rows.last() {
            Some(last) if rows.len() >= PAGE as usize => after = last.text("id")?,
            _ => return Ok(()),
        }
    }
}
