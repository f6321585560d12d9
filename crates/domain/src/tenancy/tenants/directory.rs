//! Finds the tenant of a request by its host, from memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use svc_config::Config;
use svc_core::{Class, Error, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, Tx, args, system_sql};

use super::Tenant;
use super::naming::Naming;
use crate::memory::{self, CacheCounts, Kept};

/// Finds tenants by host or id; answers from memory.
pub struct Tenants {
    db: Db,
    naming: Naming,
    /// Whom a host has named; the record decides whether it still does.
    by_host: Kept<String, TenantRef>,
    by_id: Kept<TenantRef, Arc<Tenant>>,
    /// The version of the feature switches; a tenant that was read with an older one is read again.
    switches: AtomicI64,
}

/// Most bytes of tenants kept in memory.
const KEPT: u64 = 16 << 20;
/// Most bytes of hosts.
const HOSTS: u64 = 4 << 20;

/// Reads tenants; the argument says which.
macro_rules! tenants_sql {
    ($which:literal) => {
        system_sql!(
            "SELECT id, slug, name, custom_domain, status, settings, texts, version, \
             (SELECT p.configuration FROM plans p WHERE p.id = tenants.plan_id) AS configuration, \
             (SELECT switched_off FROM feature_switches) AS switched_off, \
             (SELECT f.version FROM feature_switches f) AS switches_version FROM tenants WHERE ",
            $which
        )
    };
}

impl Tenants {
    /// An empty directory over `db`.
    pub fn new(db: Db, config: &Config) -> Result<Self> {
        let naming = Naming::of(config)?;
        let by_id = memory::bounded(KEPT, |_, tenant: &Arc<Tenant>| {
            size_of::<Tenant>()
                + tenant.name.len()
                + memory::weight(&(&tenant.settings, &tenant.plan, &*tenant.texts))
        });
        let by_host = memory::bounded(HOSTS, |host: &String, _| host.len());
        Ok(Self { db, naming, by_host, by_id, switches: AtomicI64::default() })
    }

    /// The tenant that `host` (without port) names: custom domain, `<slug>.<base_domain>`, else the default tenant.
    pub async fn at_host(&self, host: &str) -> Result<Arc<Tenant>> {
        let known = self.by_host.find(host).and_then(|id| self.known(id));
        if let Some(tenant) = known.filter(|tenant| self.naming.is_named(host, tenant)) {
            return usable(tenant);
        }
        // Boxed: the state of the rare way would be part of every request.
        let tenant = Box::pin(self.load_at_host(host)).await?;
        self.by_host.insert(host.to_owned(), tenant.id.reference());
        self.by_id.insert(tenant.id.reference(), Arc::clone(&tenant));
        usable(tenant)
    }

    /// How often the tenant of a host was in memory.
    pub fn counts(&self) -> CacheCounts {
        self.by_host.counts()
    }

    /// A tenant that is already proven.
    pub async fn by_id(&self, id: TenantId) -> Result<Arc<Tenant>> {
        if let Some(tenant) = self.known(id.reference()) {
            return usable(tenant);
        }
        let tenant = Box::pin(self.load(id)).await?;
        self.by_id.insert(id.reference(), Arc::clone(&tenant));
        usable(tenant)
    }

    /// The same, for work that was left behind: nothing where the tenant is gone or suspended.
    pub async fn find(&self, id: TenantId) -> Result<Option<Arc<Tenant>>> {
        match self.by_id(id).await {
            Ok(tenant) => Ok(Some(tenant)),
            Err(error) if error.class() == Class::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The host of a tenant's slug, at which it answers whatever domain it has.
    pub fn slug_host(&self, tenant: &Tenant) -> String {
        self.naming.slug_host(&tenant.slug)
    }

    /// Whether memory has what a host names, so that the database need not be asked.
    pub fn knows(&self, host: &str) -> bool {
        self.by_host.get(host).is_some_and(|id| self.known(id).is_some())
    }

    /// Whether a host is one of a tenant's own domains, for the host allow-list.
    pub async fn is_custom_domain(&self, host: &str) -> bool {
        self.at_host(host).await.is_ok_and(|tenant| tenant.custom_domain.as_deref() == Some(host))
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!("SELECT id, custom_domain, version FROM tenants WHERE updated_at >= $1");
        for row in tx.all(changed, args![since]).await? {
            let (id, version): (TenantRef, i64) = (row.parse("id")?, row.int("version")?);
            // The window overlaps the last one; what was read since then is current.
            if self.by_id.get(&id).is_some_and(|tenant| tenant.version != version) {
                self.by_id.invalidate(&id);
            }
            // Until it was given to this tenant, the domain may have named the default tenant.
            if let Some(domain) = row.maybe_text("custom_domain")? {
                self.by_host.invalidate(&domain);
            }
        }
        // What was not asked for is given back even where no request comes that would do it.
        self.by_id.run_pending_tasks();
        Ok(())
    }

    /// Forgets everything; the next request reads it again.
    pub fn forget(&self) {
        self.by_host.invalidate_all();
        self.by_id.invalidate_all();
    }

    /// Takes in that operators have switched something on or off.
    pub async fn refresh_switches(&self, tx: &mut Tx<System>) -> Result<()> {
        let select = system_sql!("SELECT version FROM feature_switches");
        self.switches.store(tx.one(select, args![]).await?.int("version")?, Ordering::Relaxed);
        Ok(())
    }

    fn known(&self, id: TenantRef) -> Option<Arc<Tenant>> {
        let current = self.switches.load(Ordering::Relaxed);
        self.by_id.get(&id).filter(|tenant| tenant.switches.version >= current)
    }

    async fn load(&self, id: TenantId) -> Result<Arc<Tenant>> {
        self.read(&mut self.db.read_system().await?, id).await
    }

    /// The tenant as an operator's transaction sees it, which may have made or changed it.
    pub async fn read(&self, tx: &mut Tx<System>, id: TenantId) -> Result<Arc<Tenant>> {
        let select = tenants_sql!("id = $1");
        let row = tx.optional(select, args![id]).await?.ok_or_else(unknown)?;
        self.naming.tenant(&row).map(Arc::new)
    }

    async fn load_at_host(&self, host: &str) -> Result<Arc<Tenant>> {
        let mut tx = self.db.read_system().await?;
        let custom = tenants_sql!("custom_domain = $1");
        if let Some(row) = tx.optional(custom, args![host]).await? {
            return self.naming.tenant(&row).map(Arc::new);
        }
        let slug = self.naming.slug_of(host).ok_or_else(unknown)?;
        let by_slug = tenants_sql!("slug = $1");
        let row = tx.optional(by_slug, args![slug]).await?.ok_or_else(unknown)?;
        self.naming.tenant(&row).map(Arc::new)
    }
}

fn unknown() -> Error {
    Error::not_found("no tenant answers at this address")
}

fn usable(tenant: Arc<Tenant>) -> Result<Arc<Tenant>> {
    if tenant.is_active { Ok(tenant) } else { Err(unknown()) }
}
