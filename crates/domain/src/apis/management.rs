//! The management API of each tenant: the audience of our own `/api/v1` and the scopes that its routes ask for.

use svc_core::{Cx, Result};
use svc_db::{Tx, args, change_sql};

use crate::apis::{Api, ApiScope, Configuration, roles, store};
use crate::log::{Action, Meaning, change};
pub use crate::tenancy::tenants::MANAGEMENT;
use crate::tenancy::tenants::Tenant;

/// The scopes that concern the person alone and need no role.
const PERSONAL: &[&str] = &["identity:approve", "identity:read", "identity:write"];

/// A person needs this role to be given a scope of the management API, or a role that permits the scope.
pub const ADMIN: &str = "admin";

/// A scope of the management API with the sentence that people read at consent.
pub type ScopeSentence = (&'static str, &'static str);

/// What [`ensure`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ensured {
    /// There was none.
    Created,
    /// Its scopes or its name differed.
    Updated,
    /// It was as it has to be.
    Unchanged,
}

/// Gives the tenant's record of the management API these scopes, and the tenant the role that opens them.
pub async fn ensure(
    tx: &mut Tx<svc_db::Tenant>,
    cx: &Cx,
    tenant: &Tenant,
    scopes: &[ScopeSentence],
) -> Result<Ensured> {
    roles::ensure(tx, cx, ADMIN).await?;
    let Some(present) = find(tx, tenant).await? else {
        store::insert(tx, cx, MANAGEMENT, &wanted(tenant, scopes, None)).await?;
        return Ok(Ensured::Created);
    };
    let wanted = wanted(tenant, scopes, Some(&present.configuration));
    let is_renamed = named(tx, cx, tenant, &present).await?;
    let present = Api { version: present.version + i64::from(is_renamed), ..present };
    let is_updated = store::keep(tx, cx, &present, &wanted, true).await?;
    Ok(if is_renamed || is_updated { Ensured::Updated } else { Ensured::Unchanged })
}

/// The management API of a tenant with its present identifier.
pub async fn find(tx: &mut Tx<svc_db::Tenant>, tenant: &Tenant) -> Result<Option<Api>> {
    match store::find_stored(tx, tenant, MANAGEMENT).await? {
        // Earlier versions stored the identifier itself.
        None => store::find_stored(tx, tenant, &tenant.api_audience()).await,
        found => Ok(found),
    }
}

/// Gives the record of an earlier version its name; returns whether it had none.
async fn named(tx: &mut Tx<svc_db::Tenant>, cx: &Cx, tenant: &Tenant, present: &Api) -> Result<bool> {
    let update = change_sql!(
        "UPDATE apis SET identifier = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND identifier = $5"
    );
    let arguments = args![present.id, MANAGEMENT, cx.now, tenant.api_audience()];
    let meaning = Meaning::done(Action::ApiUpdated, present.id);
    Ok(change(tx, cx, update, arguments, meaning).await? > 0)
}

/// Whether a configuration differs from the present one in nothing but what is the administrators' choice: who answers for the API,
/// and how long tokens live.
pub fn is_choice(present: &Configuration, wanted: &Configuration) -> bool {
    let chosen = Configuration {
        resource_servers: wanted.resource_servers.clone(),
        access_token_lifetime_secs: wanted.access_token_lifetime_secs,
        ..present.clone()
    };
    chosen == *wanted
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
        access_token_claims: present.map(|present| present.access_token_claims.clone()).unwrap_or_default(),
        custom_claims: present.map(|present| present.custom_claims.clone()).unwrap_or_default(),
        authorization_details_types: Vec::new(),
    }
}
