//! Which roles permit the scopes of an API: what a token is narrowed by is kept with the API, in memory.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx, args, sql};

use super::{Configuration, Permission};
use crate::apis::control_plane::CONTROL_PLANE;
use crate::apis::store::find_by_identifier;
use crate::checks::check_description;
use crate::document;
use crate::tenancy::tenants;

/// Most APIs that one role names.
const MOST: usize = 100;

/// The roles that permit each scope of one API.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Granted(BTreeMap<String, BTreeSet<String>>);

impl Granted {
    /// What the roles of the tenant permit at the API that is stored by this name.
    pub(crate) async fn at(tx: &mut Tx<Tenant>, stored: &str) -> Result<Self> {
        let select =
            sql!("SELECT name, configuration FROM roles WHERE tenant_id = $1 AND configuration <> '{}'");
        let mut granted: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for row in tx.all(select, args![]).await? {
            let (name, configuration) =
                (row.text("name")?, document::load::<Configuration>(&row, "configuration")?);
            let here = configuration.permissions.into_iter().filter(|permission| permission.api == stored);
            for scope in here.flat_map(|permission| permission.scopes) {
                granted.entry(scope).or_default().insert(name.clone());
            }
        }
        Ok(Self(granted))
    }

    /// Whether no role permits anything there.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A role that permits the scope.
    pub(crate) fn one_with(&self, scope: &str) -> Option<&str> {
        self.0.get(scope)?.first().map(String::as_str)
    }

    /// Whether one of these roles permits the scope.
    pub(crate) fn has(&self, scope: &str, roles: &[String]) -> bool {
        self.0.get(scope).is_some_and(|granted| roles.iter().any(|role| granted.contains(role)))
    }
}

/// The configuration as it is stored: the service's own APIs by their names, each API and each scope once.
pub(super) async fn stored(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    wanted: &Configuration,
) -> Result<Configuration> {
    check_description(&wanted.description, 500)?;
    if wanted.permissions.len() > MOST {
        return Err(Error::bad_request(format!("permissions: name at most {MOST} APIs")));
    }
    let mut permissions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Permission { api, scopes } in &wanted.permissions {
        let known = scopes_of(tx, tenant, api).await?;
        if scopes.is_empty() {
            return Err(Error::bad_request(format!(
                "permissions: name a scope of the API {api}, or leave it out"
            )));
        }
        if let Some(scope) = scopes.iter().find(|scope| !known.contains(*scope)) {
            return Err(Error::bad_request(format!("permissions: the API {api} has no scope {scope:?}")));
        }
        let stored = tenant.stored_audience(api).to_owned();
        permissions.entry(stored).or_default().extend(scopes.iter().cloned());
    }
    let permission =
        |(api, scopes): (_, BTreeSet<_>)| Permission { api, scopes: scopes.into_iter().collect() };
    Ok(Configuration {
        description: wanted.description.clone(),
        permissions: permissions.into_iter().map(permission).collect(),
    })
}

async fn scopes_of(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, api: &str) -> Result<BTreeSet<String>> {
    // Its scopes are for operators, whom no tenant makes.
    let is_closed = tenant.stored_audience(api) == CONTROL_PLANE;
    let found = if is_closed { None } else { find_by_identifier(tx, tenant, api).await? };
    let found = found.ok_or_else(|| Error::bad_request(format!("permissions: there is no API {api:?}")))?;
    Ok(found.configuration.scopes.into_iter().map(|scope| scope.name).collect())
}
