//! The connectors of each tenant in memory.

use std::sync::Arc;

use svc_core::{ConnectorId, Result};
use svc_db::{SystemSql, Tenant, Tx, args, sql, system_sql};

use super::{Connector, store};
use crate::generations::{Generation, Generations};
use crate::memory;

/// Most bytes of connectors in memory.
const BYTES: u64 = 16 << 20;

/// Finds the connectors of a tenant; answers from memory.
pub type Connectors = Generations<TenantConnectors>;

/// The connectors of a tenant with which people can sign in, the oldest first.
#[derive(Debug, Default)]
pub struct TenantConnectors {
    /// Rises with every change of any of them.
    generation: i64,
    connectors: Vec<Arc<Connector>>,
}

impl Generation for TenantConnectors {
    const BYTES: u64 = BYTES;
    const CHANGED: SystemSql =
        system_sql!("SELECT tenant_id, generation FROM connector_sets WHERE updated_at >= $1");

    async fn read(tx: &mut Tx<Tenant>) -> Result<Self> {
        let generation = sql!("SELECT generation FROM connector_sets WHERE tenant_id = $1");
        let calls = [tx.call(generation, args![]), store::every(tx)];
        let [generation, rows] = tx.batch(calls).await?;
        let generation = generation.first().map_or(Ok(0), |row| row.int("generation"))?;
        let mut connectors = Vec::new();
        for row in &rows {
            // One of a newer version vouches for no one here.
            connectors
                .extend(store::connector(row)?.filter(|found| found.configuration.enabled).map(Arc::new));
        }
        Ok(Self { generation, connectors })
    }

    fn number(&self) -> i64 {
        self.generation
    }

    fn weight(&self) -> usize {
        self.connectors.iter().map(|connector| memory::weight(&**connector)).sum()
    }
}

impl TenantConnectors {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Connector>> {
        self.connectors.iter()
    }

    /// Whether one of them has this id.
    pub fn has(&self, id: ConnectorId) -> bool {
        self.connectors.iter().any(|connector| connector.id == id)
    }
}
