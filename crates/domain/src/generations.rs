//! A cache of all records of one kind that a tenant has, such as its hooks. They are read once, and again after one of them changes;
//! that a tenant has none is remembered too.

use std::future::Future;
use std::sync::Arc;

use svc_core::{Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, SystemSql, Tenant, Tx, args};

use crate::memory::{self, CacheCounts, Forgettings, Kept};

/// All records of a kind that a tenant has, with the generation that they were read at.
pub trait Generation: Send + Sync + Sized + 'static {
    /// Most bytes of it in memory, of all tenants together.
    const BYTES: u64;
    /// Reads `tenant_id` and `generation` of the tenants that changed some of it since `$1`.
    const CHANGED: SystemSql;

    /// Reads what a tenant has.
    fn read(tx: &mut Tx<Tenant>) -> impl Future<Output = Result<Self>> + Send;

    /// Increases with every change of one of the records.
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

    /// Drops the entries of tenants whose records changed since `since`, on this node or another.
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

    /// Hits and misses of the cache.
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
