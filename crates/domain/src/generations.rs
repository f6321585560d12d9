//! What each tenant has of a kind, such as its hooks, in memory: read once until some of it changes, so that a tenant that has
//! none pays for none.

use std::future::Future;
use std::sync::Arc;

use svc_core::{Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, SystemSql, Tenant, Tx, args};

use crate::memory::{self, CacheCounts, Forgettings, Kept};

/// All that a tenant has of a kind, as of one generation.
pub trait Generation: Send + Sync + Sized + 'static {
    /// Most bytes of it in memory, of all tenants together.
    const BYTES: u64;
    /// Reads `tenant_id` and `generation` of the tenants that changed some of it since `$1`.
    const CHANGED: SystemSql;

    /// Reads what a tenant has.
    fn read(tx: &mut Tx<Tenant>) -> impl Future<Output = Result<Self>> + Send;

    /// Rises with every change of any of it.
    fn number(&self) -> i64;

    /// About how many bytes it takes.
    fn weight(&self) -> usize;
}

/// Finds what a tenant has; answers from memory.
pub struct Generations<G> {
    db: Db,
    kept: Kept<TenantRef, Arc<G>>,
    forgettings: Forgettings,
}

impl<G: Generation> Generations<G> {
    /// Nothing yet, over `db`.
    pub fn new(db: Db) -> Self {
        let weigh = |_: &TenantRef, generation: &Arc<G>| generation.weight();
        Self { db, kept: memory::bounded(G::BYTES, weigh), forgettings: Forgettings::default() }
    }

    /// Forgets what tenants have that changed some of it since `since`, here or on another node.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = tx.all(G::CHANGED, args![since]).await?;
        if !changed.is_empty() {
            self.forgettings.count();
        }
        for row in changed {
            let (tenant, number) = (row.parse::<TenantRef>("tenant_id")?, row.int("generation")?);
            if self.kept.get(&tenant).is_some_and(|kept| kept.number() != number) {
                self.kept.invalidate(&tenant);
            }
        }
        self.kept.run_pending_tasks();
        Ok(())
    }

    /// How often memory had what a tenant has.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    /// What a tenant has, if memory has it already.
    pub fn at_hand(&self, tenant: TenantId) -> Option<Arc<G>> {
        self.kept.get(&tenant.reference())
    }

    /// What a tenant has.
    pub async fn of(&self, tenant: TenantId) -> Result<Arc<G>> {
        if let Some(kept) = self.kept.find(&tenant.reference()) {
            return Ok(kept);
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(self.load(tenant)).await
    }

    async fn load(&self, tenant: TenantId) -> Result<Arc<G>> {
        let before = self.forgettings.number();
        let loaded = Arc::new(G::read(&mut self.db.read(tenant).await?).await?);
        self.kept.insert(tenant.reference(), Arc::clone(&loaded));
        if self.forgettings.number() != before {
            self.kept.invalidate(&tenant.reference());
        }
        Ok(loaded)
    }
}
