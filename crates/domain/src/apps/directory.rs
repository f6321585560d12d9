//! Applications in memory: the look-up on every token request.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use svc_core::{AppId, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Db, System, Tx, args, system_sql};

use super::{App, is_document_address, store};
use crate::memory::{self, CacheCounts, Kept};

/// Finds applications by `client_id`; answers from memory.
pub struct Apps {
    db: Db,
    kept: Kept<(TenantRef, AppId), Arc<App>>,
    /// Applications by the address of their metadata document.
    addresses: Kept<(TenantRef, String), AppId>,
    /// Origins that were asked about.
    origins: Kept<(TenantRef, String), Known>,
    /// How often applications of a tenant have changed since the process started; absent means never.
    changes: RwLock<HashMap<TenantRef, u64>>,
}

/// Whether an application of the tenant registered an origin, as of a change of its applications.
#[derive(Clone, Copy)]
struct Known {
    is_registered: bool,
    change: u64,
}

/// Most bytes of applications kept in memory.
const KEPT: u64 = 32 << 20;
/// Most bytes of addresses, and of origins.
const NAMES: u64 = 4 << 20;

impl Apps {
    /// An empty directory over `db`.
    pub fn new(db: Db) -> Self {
        Self {
            db,
            kept: memory::bounded(KEPT, |_, app: &Arc<App>| {
                size_of::<App>() + memory::weight(&app.configuration)
            }),
            addresses: memory::bounded(NAMES, |(_, address), _| address.len()),
            origins: memory::bounded(NAMES, |(_, origin), _| origin.len()),
            changes: RwLock::default(),
        }
    }

    /// The application that a `client_id` names in this tenant.
    pub async fn find(&self, tenant: TenantId, client_id: &str) -> Result<Option<Arc<App>>> {
        match client_id.parse::<AppId>() {
            Ok(id) => self.find_by_id(tenant, id).await,
            Err(_) if is_document_address(client_id) => self.find_by_address(tenant, client_id).await,
            Err(_) => Ok(None),
        }
    }

    /// How often an application was in memory.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    async fn find_by_id(&self, tenant: TenantId, id: AppId) -> Result<Option<Arc<App>>> {
        let key = (tenant.reference(), id);
        if let Some(app) = self.kept.find(&key) {
            return Ok(Some(app));
        }
        // Boxed: the state of the rare way would be part of every request.
        let found = Box::pin(async { store::find(&mut self.db.read(tenant).await?, id).await }).await?;
        let Some(app) = found.map(Arc::new) else { return Ok(None) };
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
        let found =
            Box::pin(async { store::find_by_handle(&mut self.db.read(tenant).await?, address).await })
                .await?;
        let Some(app) = found.map(Arc::new) else { return Ok(None) };
        self.addresses.insert(key, app.id);
        Ok(Some(app))
    }

    /// Whether scripts of `origin` may call on behalf of one of the tenant's applications.
    pub async fn has_origin(&self, tenant: TenantId, origin: &str) -> Result<bool> {
        let key = (tenant.reference(), origin.to_owned());
        // Read before the database is: a change that comes in between makes the answer outdated, not current.
        let change = self.change_of(key.0);
        if let Some(known) = self.origins.get(&key).filter(|known| known.change == change) {
            return Ok(known.is_registered);
        }
        let is_registered =
            Box::pin(async { store::has_origin(&mut self.db.read(tenant).await?, origin).await }).await?;
        self.origins.insert(key, Known { is_registered, change });
        Ok(is_registered)
    }

    fn change_of(&self, tenant: TenantRef) -> u64 {
        let changes = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        changes.get(&tenant).copied().unwrap_or_default()
    }

    fn note_change(&self, tenant: TenantRef) {
        let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        *changes.entry(tenant).or_default() += 1;
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed = system_sql!("SELECT tenant_id, id, version FROM apps WHERE updated_at >= $1");
        for row in tx.all(changed, args![since]).await? {
            let key = (row.parse("tenant_id")?, row.parse("id")?);
            let version = row.int("version")?;
            self.note_change(key.0);
            // The window overlaps the last one; what was read since then is current.
            if self.kept.get(&key).is_some_and(|kept| kept.version != version) {
                self.kept.invalidate(&key);
            }
        }
        // A deleted row cannot be seen; its revocation can.
        let deleted =
            system_sql!("SELECT tenant_id, value FROM revocations WHERE kind = 'app' AND revoked_at >= $1");
        for row in tx.all(deleted, args![since]).await? {
            let tenant = row.parse("tenant_id")?;
            self.note_change(tenant);
            // A document's address has no entry of its own to forget.
            if let Ok(id) = row.parse("value") {
                self.kept.invalidate(&(tenant, id));
            }
        }
        // What was not asked for is given back even where no request comes that would do it.
        self.kept.run_pending_tasks();
        Ok(())
    }
}
