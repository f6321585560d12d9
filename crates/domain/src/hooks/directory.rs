//! The hooks of each tenant in memory.

use svc_core::{AppId, Error, Result};
use svc_db::{SystemSql, Tenant, Tx, args, sql, system_sql};

use super::{Hook, Point, store};
use crate::generations::{Generation, Generations};
use crate::memory;

/// Most bytes of hooks in memory.
const BYTES: u64 = 16 << 20;

/// Finds the hooks of a tenant; answers from memory.
pub type Hooks = Generations<TenantHooks>;

/// The active hooks of a tenant, in the order in which they are asked.
pub struct TenantHooks {
    /// Rises with every change of any of them.
    generation: i64,
    hooks: Vec<Hook>,
}

impl Generation for TenantHooks {
    const BYTES: u64 = BYTES;
    const CHANGED: SystemSql =
        system_sql!("SELECT tenant_id, generation FROM hook_sets WHERE updated_at >= $1");

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

    fn number(&self) -> i64 {
        self.generation
    }

    fn weight(&self) -> usize {
        memory::weight(&self.hooks)
    }
}

impl TenantHooks {
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
