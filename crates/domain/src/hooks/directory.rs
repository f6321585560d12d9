//! The hooks of each tenant in memory, read once until one of them changes: a tenant without hooks pays for none.

use std::sync::Arc;

use svc_core::{AppId, Error, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, Tenant, Tx, args, sql, system_sql};

use super::{Hook, Point, store};
use crate::memory::{self, CacheCounts, Forgettings, Kept};

/// Most bytes of hooks in memory.
const BYTES: u64 = 16 << 20;

/// Finds the hooks of a tenant; answers from memory.
pub struct Hooks {
    db: Db,
    kept: Kept<TenantRef, Arc<TenantHooks>>,
    forgettings: Forgettings,
}

/// The active hooks of a tenant, in the order in which they are asked.
pub struct TenantHooks {
    /// Rises with every change of any of them.
    generation: i64,
    hooks: Vec<Hook>,
}

impl Hooks {
    /// Nothing yet, over `db`.
    pub fn new(db: Db) -> Self {
        let weigh = |_: &TenantRef, hooks: &Arc<TenantHooks>| memory::weight(&hooks.hooks);
        Self { db, kept: memory::bounded(BYTES, weigh), forgettings: Forgettings::default() }
    }

    /// Forgets the hooks of tenants that changed some since `since`, here or on another node.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!("SELECT tenant_id, generation FROM hook_sets WHERE updated_at >= $1");
        let changed = tx.all(changed, args![since]).await?;
        if !changed.is_empty() {
            self.forgettings.count();
        }
        for row in changed {
            let (tenant, generation) = (row.parse::<TenantRef>("tenant_id")?, row.int("generation")?);
            if self.kept.get(&tenant).is_some_and(|kept| kept.generation != generation) {
                self.kept.invalidate(&tenant);
            }
        }
        self.kept.run_pending_tasks();
        Ok(())
    }

    /// How often memory had a tenant's hooks.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    /// The hooks of a tenant.
    pub async fn of(&self, tenant: TenantId) -> Result<Arc<TenantHooks>> {
        if let Some(kept) = self.kept.find(&tenant.reference()) {
            return Ok(kept);
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(self.load(tenant)).await
    }

    async fn load(&self, tenant: TenantId) -> Result<Arc<TenantHooks>> {
        let before = self.forgettings.number();
        let loaded = Arc::new(TenantHooks::read(&mut self.db.read(tenant).await?).await?);
        self.kept.insert(tenant.reference(), Arc::clone(&loaded));
        if self.forgettings.number() != before {
            self.kept.invalidate(&tenant.reference());
        }
        Ok(loaded)
    }
}

impl TenantHooks {
    async fn read(tx: &mut Tx<Tenant>) -> Result<Self> {
        let generation = sql!("SELECT generation FROM hook_sets WHERE tenant_id = $1");
        let hooks = sql!(
            "SELECT id, point, configuration, sealed_secret, sealed_former_secret, former_expires_at, created_at, \
             updated_at, version FROM hooks WHERE tenant_id = $1 ORDER BY id"
        );
        let calls = [tx.call(generation, args![]), tx.call(hooks, args![])];
        let [generation, rows] = tx.batch(calls).await?;
        let generation = generation.first().map_or(Ok(0), |row| row.int("generation"))?;
        let mut hooks = Vec::new();
        for row in &rows {
            // A point of a newer version is not reached here. A hook of a newer kind, at a point that is, cannot be asked, and
            // what cannot be asked allows nothing.
            let point = row.text("point")?;
            if Point::ALL.iter().any(|known| known.name() == point) {
                hooks.push(store::hook(row)?.ok_or_else(|| Error::internal("a hook is of a newer version"))?);
            }
        }
        hooks.retain(|hook| hook.configuration.is_active);
        hooks.sort_by_key(|hook| (hook.configuration.order, hook.id));
        Ok(Self { generation, hooks })
    }

    /// Those that are asked at a point about an application, in order. Where there is none, those that are asked about each.
    pub fn at(&self, point: Point, application: Option<AppId>) -> impl Iterator<Item = &Hook> {
        let is_asked = move |hook: &&Hook| {
            let configuration = &hook.configuration;
            let ids = &configuration.application_ids;
            let is_named = application.is_some_and(|application| ids.contains(&application));
            configuration.point == point && (ids.is_empty() || is_named)
        };
        self.hooks.iter().filter(is_asked)
    }
}
