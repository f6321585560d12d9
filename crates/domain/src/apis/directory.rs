//! Finds APIs by the identifier that a request names (`resource`, RFC 8707 §2), from memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use svc_core::{Result, Scope, TenantRef, Timestamp};
use svc_db::{Db, System, Tenant, Tx, args, system_sql};
use url::Url;

use super::Api;
use super::roles::Granted;
use super::store::{enabled, find_by_identifier};
use crate::memory::{self, CacheCounts, Forgettings, Kept};
use crate::tenancy::tenants::{self, CONTROL_PLANE, MANAGEMENT};

/// Finds APIs by identifier; answers from memory.
pub struct Apis {
    db: Db,
    /// Also what is no API: requests name the tenant itself, and identifiers of elsewhere.
    kept: Kept<(TenantRef, String), Known>,
    forgettings: Forgettings,
    /// What the enabled APIs of each tenant offer together.
    offers: Kept<TenantRef, Arc<Offer>>,
}

/// What is known of an identifier: the API that has it, or that none has.
#[derive(Clone)]
struct Known(Option<Arc<Api>>);

impl Known {
    fn enabled(self) -> Option<Arc<Api>> {
        self.0.filter(|api| api.enabled)
    }
}

/// What all enabled APIs of a tenant offer together.
struct Offer {
    /// The issuer at which they were read: the identifier of the management API follows it.
    issuer: String,
    /// Their scopes.
    scope: Arc<Scope>,
    /// The names of their types of authorization details, each once and in order.
    types: Arc<Vec<String>>,
    /// The API of each path, by identifier; nothing where several have it.
    paths: BTreeMap<String, Option<String>>,
}

/// Most bytes of APIs kept in memory.
const KEPT: u64 = 16 << 20;
/// Most bytes of names of types.
const NAMES: u64 = 4 << 20;

impl Apis {
    /// An empty directory over `db`.
    pub fn new(db: Db) -> Self {
        Self {
            db,
            kept: memory::bounded(KEPT, |(_, identifier), Known(api): &Known| {
                let weight =
                    |api: &Arc<Api>| size_of::<Api>() + memory::weight(&(&api.configuration, &api.granted));
                identifier.len() + api.as_ref().map_or(0, weight)
            }),
            forgettings: Forgettings::default(),
            offers: memory::bounded(NAMES, |_, offer: &Arc<Offer>| {
                memory::weight(&(&*offer.types, &*offer.scope, &offer.paths))
            }),
        }
    }

    /// The enabled API with this identifier, read in the caller's transaction if it has to be read at all: a second
    /// connection next to the one already held could wait for ever.
    pub async fn find_in(
        &self,
        tx: &mut Tx<Tenant>,
        tenant: &tenants::Tenant,
        identifier: &str,
    ) -> Result<Option<Arc<Api>>> {
        if let Some(known) = self.known(tenant, identifier) {
            return Ok(known.enabled());
        }
        self.load(tx, tenant, identifier).await
    }

    async fn load(
        &self,
        tx: &mut Tx<Tenant>,
        tenant: &tenants::Tenant,
        identifier: &str,
    ) -> Result<Option<Arc<Api>>> {
        let (key, before) = (key(tenant, identifier), self.forgettings.number());
        let found = match find_by_identifier(tx, tenant, identifier).await? {
            Some(api) => Some(Arc::new(Api { granted: Granted::at(tx, &key.1).await?, ..api })),
            None => None,
        };
        let found = Known(found);
        self.kept.insert(key.clone(), found.clone());
        if self.forgettings.number() != before {
            self.kept.invalidate(&key);
        }
        Ok(found.enabled())
    }

    /// The enabled API with this identifier.
    pub async fn find(&self, tenant: &tenants::Tenant, identifier: &str) -> Result<Option<Arc<Api>>> {
        if let Some(known) = self.known(tenant, identifier) {
            return Ok(known.enabled());
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(async { self.load(&mut self.db.read(tenant.id).await?, tenant, identifier).await }).await
    }

    /// What memory knows of an identifier. The management API has the identifier of the issuer at which it was read. A stored
    /// name is no identifier, and must not be looked up: it has the place of the API that it stands for.
    fn known(&self, tenant: &tenants::Tenant, identifier: &str) -> Option<Known> {
        if [MANAGEMENT, CONTROL_PLANE].contains(&identifier) {
            return Some(Known(None));
        }
        let is_same = |Known(api): &Known| api.as_ref().is_none_or(|api| api.identifier == identifier);
        self.kept.find(&key(tenant, identifier)).filter(is_same)
    }

    /// How often memory knew of an identifier.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    /// The types of authorization details of a tenant's enabled APIs, each once and in order.
    pub async fn details_types(&self, tenant: &tenants::Tenant) -> Result<Arc<Vec<String>>> {
        Ok(Arc::clone(&self.offer(tenant).await?.types))
    }

    /// Every scope of a tenant's enabled APIs.
    pub async fn scope(&self, tenant: &tenants::Tenant) -> Result<Arc<Scope>> {
        Ok(Arc::clone(&self.offer(tenant).await?.scope))
    }

    /// The only enabled API whose identifier has this path.
    pub async fn at_path(&self, tenant: &tenants::Tenant, path: &str) -> Result<Option<Arc<Api>>> {
        let offer = self.offer(tenant).await?;
        match offer.paths.get(path) {
            Some(Some(identifier)) => self.find(tenant, identifier).await,
            _ => Ok(None),
        }
    }

    async fn offer(&self, tenant: &tenants::Tenant) -> Result<Arc<Offer>> {
        let known = self.offers.get(&tenant.id.reference());
        if let Some(offer) = known.filter(|offer| offer.issuer == tenant.issuer) {
            return Ok(offer);
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(self.load_offer(tenant)).await
    }

    async fn load_offer(&self, tenant: &tenants::Tenant) -> Result<Arc<Offer>> {
        let before = self.forgettings.number();
        let apis = enabled(&mut self.db.read(tenant.id).await?, tenant).await?;
        let types: BTreeSet<String> = apis.iter().flat_map(Api::details_types).map(str::to_owned).collect();
        let scope = apis.iter().fold(Scope::default(), |all, api| all.union(&api.scope()));
        let types = Arc::new(types.into_iter().collect());
        let (issuer, scope) = (tenant.issuer.clone(), Arc::new(scope));
        let offer = Arc::new(Offer { issuer, scope, types, paths: paths(&apis) });
        self.offers.insert(tenant.id.reference(), Arc::clone(&offer));
        if self.forgettings.number() != before {
            self.offers.invalidate(&tenant.id.reference());
        }
        Ok(offer)
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed =
            system_sql!("SELECT tenant_id, id, identifier, version FROM apis WHERE updated_at >= $1");
        let changed = tx.all(changed, args![since]).await?;
        if !changed.is_empty() {
            self.forgettings.count();
        }
        for row in changed {
            let (tenant, id, version) = (row.parse("tenant_id")?, row.parse("id")?, row.int("version")?);
            self.offers.invalidate(&tenant);
            // The management API may still be stored by an identifier.
            for identifier in [row.text("identifier")?, MANAGEMENT.to_owned()] {
                let key = (tenant, identifier);
                // The window overlaps the last one; what was read since then is current.
                let is_outdated =
                    |Known(api): Known| api.is_none_or(|kept| kept.id == id && kept.version != version);
                if self.kept.get(&key).is_some_and(is_outdated) {
                    self.kept.invalidate(&key);
                }
            }
        }
        self.refresh_roles(tx, since).await?;
        // What was not asked for is given back even where no request comes that would do it.
        self.kept.run_pending_tasks();
        Ok(())
    }

    /// Forgets the APIs of the tenants whose roles changed: any of them may be permitted to more people, or to fewer.
    async fn refresh_roles(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!(
            "SELECT tenant_id, identifier FROM apis WHERE tenant_id IN (SELECT tenant_id FROM roles WHERE updated_at >= $1)"
        );
        let changed = tx.all(changed, args![since]).await?;
        if !changed.is_empty() {
            self.forgettings.count();
        }
        for row in changed {
            let tenant: TenantRef = row.parse("tenant_id")?;
            for identifier in [row.text("identifier")?, MANAGEMENT.to_owned()] {
                self.kept.invalidate(&(tenant, identifier));
            }
        }
        Ok(())
    }
}

fn paths(apis: &[Api]) -> BTreeMap<String, Option<String>> {
    let mut paths = BTreeMap::new();
    for Api { identifier, .. } in apis {
        if let Some(path) = path_of(identifier) {
            paths.entry(path).and_modify(|only| *only = None).or_insert_with(|| Some(identifier.clone()));
        }
    }
    paths
}

/// The path of an address, without the slashes around it.
pub fn path_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.path().trim_matches('/').to_owned()).filter(|path| !path.is_empty())
}

fn key(tenant: &tenants::Tenant, identifier: &str) -> (TenantRef, String) {
    (tenant.id.reference(), tenant.stored_audience(identifier).to_owned())
}
