//! Applications in memory: the look-up on every token request.

use std::sync::Arc;

use moka::sync::Cache;
use svc_core::{AppId, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, Tx, args, system_sql};

use super::{App, is_document_address, store};

/// Finds applications by `client_id`; answers from memory.
pub struct Apps {
    db: Db,
    kept: Cache<(TenantRef, AppId), Arc<App>>,
    /// Applications by the address of their metadata document.
    addresses: Cache<(TenantRef, String), AppId>,
    /// Origins that were asked about, and whether an application registered them.
    origins: Cache<(TenantRef, String), bool>,
}

/// Most applications kept in memory.
const KEPT: u64 = 20_000;

impl Apps {
    /// An empty directory over `db`.
    pub fn new(db: Db) -> Self {
        Self { db, kept: Cache::new(KEPT), addresses: Cache::new(KEPT), origins: Cache::new(KEPT) }
    }

    /// The application that a `client_id` names in this tenant.
    pub async fn find(&self, tenant: TenantId, client_id: &str) -> Result<Option<Arc<App>>> {
        match client_id.parse::<AppId>() {
            Ok(id) => self.find_by_id(tenant, id).await,
            Err(_) if is_document_address(client_id) => self.find_by_address(tenant, client_id).await,
            Err(_) => Ok(None),
        }
    }

    async fn find_by_id(&self, tenant: TenantId, id: AppId) -> Result<Option<Arc<App>>> {
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

    async fn find_by_address(&self, tenant: TenantId, address: &str) -> Result<Option<Arc<App>>> {
        let key = (tenant.reference(), address.to_owned());
        if let Some(id) = self.addresses.get(&key)
            && let Some(app) = self.find_by_id(tenant, id).await?
        {
            return Ok(Some(app));
        }
        let found = {
            let mut tx = self.db.read(tenant).await?;
            store::find_by_handle(&mut tx, address).await?
        };
        let Some(app) = found.map(Arc::new) else { return Ok(None) };
        self.addresses.insert(key, app.id);
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
        let changed = system_sql!("SELECT tenant_id, id, version FROM apps WHERE updated_at >= $1");
        for row in tx.all(changed, args![since]).await? {
            let key = (row.parse("tenant_id")?, row.parse("id")?);
            let version = row.int("version")?;
            // The window overlaps the last one; what was read since then is current.
            if self.kept.get(&key).is_none_or(|kept| kept.version != version) {
                self.kept.invalidate(&key);
                self.origins.invalidate_all();
            }
        }
        // A deleted row cannot be seen; its revocation can.
        let deleted =
            system_sql!("SELECT tenant_id, value FROM revocations WHERE kind = 'app' AND revoked_at >= $1");
        for row in tx.all(deleted, args![since]).await? {
            // A document's address has no entry of its own to forget.
            if let Ok(id) = row.parse("value") {
                self.kept.invalidate(&(row.parse("tenant_id")?, id));
            }
        }
        Ok(())
    }
}
