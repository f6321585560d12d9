//! The management API of each tenant: the audience of our own `/api/v1` and the scopes that its routes ask for.

use svc_core::{Cx, Result};
use svc_db::Tx;

use crate::apis::{self, ApiScope, Configuration};
use crate::tenancy::tenants::Tenant;

/// The scopes that concern the person alone and need no role.
const PERSONAL: &[&str] = &["identity:approve"];

/// A person needs this role to be given a scope of the management API.
pub const ADMIN: &str = "admin";

/// A scope of the management API with the sentence that people read at consent.
pub type ScopeSentence = (&'static str, &'static str);

/// Gives the tenant's record of the management API these scopes; returns whether anything changed.
pub async fn ensure(
    tx: &mut Tx<svc_db::Tenant>,
    cx: &Cx,
    tenant: &Tenant,
    scopes: &[ScopeSentence],
) -> Result<bool> {
    let identifier = tenant.api_audience();
    let Some(present) = apis::find_by_identifier(tx, &identifier).await? else {
        apis::create(tx, cx, &identifier, &wanted(tenant, scopes, None)).await?;
        return Ok(true);
    };
    let wanted = wanted(tenant, scopes, Some(&present.configuration));
    apis::update(tx, cx, &present, &wanted, true).await
}

/// What the record says; who may introspect and how long tokens live stay the administrators' choice.
fn wanted(tenant: &Tenant, scopes: &[ScopeSentence], present: Option<&Configuration>) -> Configuration {
    let scope = |(name, description): &ScopeSentence| ApiScope {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        roles: if PERSONAL.contains(name) { Vec::new() } else { vec![ADMIN.to_owned()] },
    };
    Configuration {
        name: format!("{} management", tenant.name),
        scopes: scopes.iter().map(scope).collect(),
        resource_servers: present.map(|present| present.resource_servers.clone()).unwrap_or_default(),
        access_token_lifetime_secs: present.and_then(|present| present.access_token_lifetime_secs),
        access_token_typ: present.map(|present| present.access_token_typ).unwrap_or_default(),
        authorization_details_types: Vec::new(),
    }
}
