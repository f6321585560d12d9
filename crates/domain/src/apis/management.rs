//! The management API of each tenant: the audience of our own `/api/v1` and the scopes that its routes ask for.

use svc_core::{Cx, Result};
use svc_db::Tx;

use crate::apis::{self, ApiScope, Configuration};
use crate::tenancy::tenants::Tenant;

/// Every scope of the management API with the sentence that people read at consent.
pub const MANAGEMENT_SCOPES: &[(&str, &str)] = &[
    ("apis:read", "See the APIs of this organisation"),
    ("apis:write", "Create and change the APIs of this organisation"),
    ("applications:read", "See the applications of this organisation"),
    ("applications:write", "Create, change and delete the applications of this organisation"),
    ("audit:read", "Read the audit log of this organisation"),
    ("delegations:read", "See which applications act for people"),
    ("delegations:write", "End what applications do for people"),
    ("identity:approve", "See what waits for your approval, and decide it"),
    ("metrics:read", "Read the metrics of the service"),
    ("sessions:read", "See where people are signed in"),
    ("sessions:write", "Sign people out"),
    ("ssf.manage", "Receive signals about people, and choose which"),
    ("ssf.read", "See which signals about people are asked for"),
    ("trusted-issuers:read", "See whose assertions about people are believed"),
    ("trusted-issuers:write", "Choose whose assertions about people are believed"),
    ("users:read", "See the people of this organisation"),
    ("users:write", "Suspend, reactivate and remove people"),
];

/// The scopes that concern the person alone and need no role.
const PERSONAL: &[&str] = &["identity:approve"];

/// A person needs this role to be given a scope of the management API.
pub const ADMIN: &str = "admin";

/// Makes the tenant's record of the management API so; returns whether anything changed.
pub async fn ensure(tx: &mut Tx<svc_db::Tenant>, cx: &Cx, tenant: &Tenant) -> Result<bool> {
    let identifier = tenant.api_audience();
    let Some(present) = apis::find_by_identifier(tx, &identifier).await? else {
        apis::create(tx, cx, &identifier, &wanted(tenant, None)).await?;
        return Ok(true);
    };
    let wanted = wanted(tenant, Some(&present.configuration));
    apis::update(tx, cx, &present, &wanted, true).await
}

/// What the record says; who may introspect and how long tokens live stay the administrators' choice.
fn wanted(tenant: &Tenant, present: Option<&Configuration>) -> Configuration {
    let scope = |(name, description): &(&str, &str)| ApiScope {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        roles: if PERSONAL.contains(name) { Vec::new() } else { vec![ADMIN.to_owned()] },
    };
    Configuration {
        name: format!("{} management", tenant.name),
        scopes: MANAGEMENT_SCOPES.iter().map(scope).collect(),
        resource_servers: present.map(|present| present.resource_servers.clone()).unwrap_or_default(),
        access_token_lifetime_secs: present.and_then(|present| present.access_token_lifetime_secs),
        authorization_details_types: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_distinct_and_in_order() {
        assert!(MANAGEMENT_SCOPES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
