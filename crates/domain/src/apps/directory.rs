//! Applications in memory: the look-up on every token request.

use std::sync::Arc;

use moka::sync::Cache;
use svc_core::{AppId, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, Tx, args, system_sql};

use super::{App, store};

/// Finds applications by `client_id`; answers from memory.
pub struct Apps {
    db: Db,
    kept: Cache<(TenantRef, AppId), Arc<App>>,
    /// Origins that were asked about, and whether an application registered them.
    origins: Cache<(TenantRef, String), bool>,
}

/// Most applications kept in memory.
const KEPT: u64 = 20_000;

impl Apps {
    /// An empty directory over `db`.
    pub fn new(db: Db) -> Self {
        Self { db, kept: Cache::new(KEPT), origins: Cache::new(KEPT) }
    }

    /// The application that a `client_id` names in this tenant.
    pub async fn find(&self, tenant: TenantId, client_id: &str) -> Result<Option<Arc<App>>> {
        let Ok(id) = client_id.parse::<AppId>() else { return Ok(None) };
        let key = (tenant.reference(), id);
        if let Some(app) = self.kept.get(&key) {
            return Ok(Some(app));
        }
        let mut tx = self.db.read(tenant).await?;
        let Some(app) = store::find(&mut tx, id).await? else { return Ok(None) };
        let app = Arc::new(app);
        self.kept.insert(key, Arc::clone(&app));
        Ok(Some(app))
    }

    /// Whether scripts of `origin` may call on behalf of one of the tenant's applications.
    pub async fn has_origin(&self, tenant: TenantId, origin: &str) -> Result<bool> {
        let key = (tenant.reference(), origin.to_owned());
        if let Some(known) = self.origins.get(&key) {
            return Ok(known);
        }
        let mut tx = self.db.read(tenant).await?;
        let known = store::has_origin(&mut tx, origin).await?;
        self.origins.insert(key, known);
        Ok(known)
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!("SELECT tenant_id, id FROM apps WHERE updated_at >= $1");
        let changed = tx.all(changed, args![since]).await?;
        for row in &changed {
            self.kept.invalidate(&(row.parse("tenant_id")?, row.parse("id")?));
        }
        // Few changes, few origins: forgetting all of them is simpler than knowing which.
        if !changed.is_empty() {
            self.origins.invalidate_all();
        }
        // A deleted row cannot be seen; its revocation can.
        let deleted = system_sql!("SELECT tenant_id, value FROM revocations WHERE kind = 'app' AND revoked_at >= $1");
        for row in tx.all(deleted, args![since]).await? {
            self.kept.invalidate(&(row.parse("tenant_id")?, row.parse("value")?));
        }
        Ok(())
    }
}
