//! The keys that seal the secrets of tenants: random, stored wrapped by the root key, and kept in memory once they were used. Nothing that
//! a destroyed key has sealed can be opened.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use svc_core::events::TenantKeyDestroyed;
use svc_core::{Cx, Error, OrInternal as _, Result, TenantId, TenantRef, Timestamp};
use svc_db::{
    Db, Row, System, Tenant, Tx, args, change_system_sql, quiet_sql, quiet_system_sql, sql, system_sql,
};
use svc_keys::keyring::{TenantKeys, key_id};
use svc_keys::{Custody, KeyManagement, KeyUse, Keyring, Purpose, Sealer};

use super::withdrawal;
use crate::log::{Action, Log, Meaning, change_across};
use crate::tenancy::tenants;

/// What seals for tenants.
pub struct TenantSealers {
    db: Db,
    keyring: Keyring,
    management: Arc<dyn KeyManagement>,
    known: RwLock<HashMap<TenantRef, Arc<TenantKeys>>>,
}

/// The first key of a tenant that a transaction is about to make; it is kept by that transaction.
pub struct FreshKey {
    id: u32,
    wrapped: Vec<u8>,
    by: i64,
    keys: Arc<TenantKeys>,
    keyring: Keyring,
}

/// A key as it is stored.
struct Stored {
    id: u32,
    wrapped: Vec<u8>,
}

/// Most keys that one run wraps again.
const BATCH: u32 = 100;

impl TenantSealers {
    /// Knows no key yet.
    pub fn new(db: Db, custody: &Custody) -> Self {
        Self {
            db,
            keyring: custody.keyring().clone(),
            management: custody.management(),
            known: RwLock::default(),
        }
    }

    /// What seals for a tenant; its first key is made here. Asked before a transaction begins, because key management may be
    /// another process. Unavailable where a key that is not in memory cannot be unwrapped.
    pub async fn of(&self, tenant: TenantId, purpose: Purpose, cx: &Cx) -> Result<Sealer> {
        let keys = match self.present(tenant) {
            Some(keys) => keys,
            None => self.load(tenant, cx).await?,
        };
        Ok(self.keyring.sealer(purpose).of_tenant(keys))
    }

    /// Takes a tenant's key into memory before a transaction that may have to seal with it. Where that cannot be done, what
    /// seals with it fails and nothing else.
    pub async fn prepare(&self, tenant: TenantId, cx: &Cx) {
        if self.present(tenant).is_none()
            && let Err(error) = self.load(tenant, cx).await
        {
            tracing::warn!(request_id = cx.request_id, %tenant, ?error, "the tenant's key cannot be had");
        }
    }

    /// The same as [`TenantSealers::of`] for a tenant whose key is in memory.
    pub fn held(&self, tenant: TenantId, purpose: Purpose) -> Result<Sealer> {
        let keys = self.present(tenant);
        let keys = keys.ok_or_else(|| Error::unavailable("the tenant's key is not in memory"))?;
        Ok(self.keyring.sealer(purpose).of_tenant(keys))
    }

    /// The same for a tenant that has a key; nothing is made, and `None` where it has none.
    pub async fn existing(&self, tenant: TenantId, purpose: Purpose, cx: &Cx) -> Result<Option<Sealer>> {
        if self.present(tenant).is_none() && live(&mut self.db.read(tenant).await?).await?.0.is_empty() {
            return Ok(None);
        }
        self.of(tenant, purpose, cx).await.map(Some)
    }

    /// The first key of a tenant that is not there yet. Made before the transaction begins that makes the tenant.
    pub async fn fresh(&self, tenant: TenantRef, cx: &Cx) -> Result<FreshKey> {
        let (id, plain) = (1, TenantKeys::fresh(&*cx.entropy));
        let (wrapped, by) = self.wrapped(tenant, id, &*plain, cx).await?;
        let keys = Arc::new(TenantKeys::new([(id, plain)]));
        Ok(FreshKey { id, wrapped, by, keys, keyring: self.keyring.clone() })
    }

    fn present(&self, tenant: TenantId) -> Option<Arc<TenantKeys>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(&tenant.reference()).cloned()
    }

    /// Forgets keys that were destroyed or added since `since`, here or on another node; they are read again when they are needed.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let select = system_sql!(
            "SELECT tenant_id, id, destroyed_at FROM tenant_keys WHERE destroyed_at >= $1 \
             UNION SELECT tenant_id, id, destroyed_at FROM tenant_keys WHERE created_at >= $1 AND destroyed_at IS NULL"
        );
        let changed = tx.all(select, args![since]).await?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for row in &changed {
            let (tenant, id): (TenantRef, _) = (row.parse("tenant_id")?, id_of(row)?);
            let is_destroyed = row.maybe_time("destroyed_at")?.is_some();
            if known.get(&tenant).is_some_and(|keys| keys.has(id) == is_destroyed) {
                known.remove(&tenant);
            }
        }
        Ok(())
    }

    /// Wraps keys that an earlier version of the root wrapped by the one that seals now; returns how many.
    pub async fn rewrap(&self, db: &Db, cx: &Cx) -> Result<u64> {
        let select = system_sql!(
            "SELECT tenant_id, id, wrapped_key FROM tenant_keys WHERE destroyed_at IS NULL AND wrapped_by < $1 \
             ORDER BY wrapped_by LIMIT $2"
        );
        let present = i64::from(self.keyring.sealing_version(cx.now));
        let rows = db.read_system().await?.all(select, args![present, BATCH]).await?;
        let mut done = 0;
        for row in &rows {
            let (tenant, stored) = (tenants::of_row(row)?, Stored::of_row(row)?);
            let tenant_ref = tenant.reference();
            let plain =
                self.management.unwrap(of(tenant_ref), &stored.id.to_string(), &stored.wrapped).await?;
            let (wrapped, by) = self.wrapped(tenant_ref, stored.id, &plain, cx).await?;
            let update = quiet_system_sql!(
                "the same key, wrapped by another version of the root",
                "UPDATE tenant_keys SET wrapped_key = $3, wrapped_by = $4 \
                 WHERE tenant_id = $1 AND id = $2 AND wrapped_key = $5"
            );
            let mut tx = db.begin_system().await?;
            done +=
                tx.execute(update, args![tenant, i64::from(stored.id), wrapped, by, stored.wrapped]).await?;
            tx.commit().await?;
        }
        Ok(done)
    }

    async fn load(&self, tenant: TenantId, cx: &Cx) -> Result<Arc<TenantKeys>> {
        let (mut stored, highest) = live(&mut self.db.read(tenant).await?).await?;
        if stored.is_empty() {
            self.make(tenant, highest + 1, cx).await?;
            (stored, _) = live(&mut self.db.read(tenant).await?).await?;
        }
        let mut keys = Vec::new();
        for Stored { id, wrapped } in stored {
            let plain = self.management.unwrap(of(tenant.reference()), &id.to_string(), &wrapped).await?;
            let secret: [u8; 32] = plain.as_slice().try_into().or_internal()?;
            keys.push((id, secret.into()));
        }
        let keys = Arc::new(TenantKeys::new(keys));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(tenant.reference(), Arc::clone(&keys));
        Ok(keys)
    }

    /// Makes the key `id`, which follows those that were read when none was live: of two nodes that found none one wins, also where
    /// the other has committed meanwhile.
    async fn make(&self, tenant: TenantId, id: u32, cx: &Cx) -> Result<()> {
        let (wrapped, by) =
            self.wrapped(tenant.reference(), id, &*TenantKeys::fresh(&*cx.entropy), cx).await?;
        let insert = quiet_sql!(
            "made with the first secret that it seals",
            "INSERT INTO tenant_keys (tenant_id, id, wrapped_key, wrapped_by, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT DO NOTHING"
        );
        let mut tx = self.db.begin(tenant).await?;
        tx.execute(insert, args![i64::from(id), wrapped, by, cx.now]).await?;
        tx.commit().await
    }

    async fn wrapped(&self, tenant: TenantRef, id: u32, key: &[u8], cx: &Cx) -> Result<(Vec<u8>, i64)> {
        let wrapped = self.management.wrap(of(tenant), &id.to_string(), key, cx).await?;
        let by = key_id(&wrapped).ok_or_else(|| Error::internal("a wrapped key names no version"))?;
        Ok((wrapped, i64::from(by)))
    }
}

impl FreshKey {
    /// What seals by it.
    pub fn sealer(&self, purpose: Purpose) -> Sealer {
        self.keyring.sealer(purpose).of_tenant(Arc::clone(&self.keys))
    }

    /// Keeps it as the tenant's first.
    pub async fn keep(&self, tx: &mut Tx<Tenant>, cx: &Cx) -> Result<()> {
        let insert = quiet_sql!(
            "made with the first secret that it seals",
            "INSERT INTO tenant_keys (tenant_id, id, wrapped_key, wrapped_by, created_at) VALUES ($1, $2, $3, $4, $5)"
        );
        let arguments = args![i64::from(self.id), self.wrapped.clone(), self.by, cx.now];
        tx.execute(insert, arguments).await.map(drop)
    }
}

/// Destroys the keys of a tenant. Nothing that they sealed can be opened any more, and tokens of its own signing keys are no longer
/// valid. Returns how many keys there were.
pub async fn destroy(tx: &mut Tx<System>, cx: &Cx, tenant: TenantId) -> Result<u64> {
    let update = change_system_sql!(
        "UPDATE tenant_keys SET wrapped_key = NULL, destroyed_at = $2 WHERE tenant_id = $1 AND destroyed_at IS NULL \
         RETURNING id"
    );
    let destroyed = change_across(tx, cx, update, args![tenant, cx.now], |row| {
        let key = row.int("id")?;
        let meaning = Meaning::done(Action::TenantKeyDestroyed, key).telling(TenantKeyDestroyed { key });
        Ok((Log::Of(tenant.reference()), meaning))
    })
    .await?;
    Ok(destroyed.len() as u64 + withdrawal::of_tenant(tx, cx, tenant).await?)
}

/// The keys that were not destroyed, and the highest id that was ever given: of one statement, so that they belong together.
async fn live(tx: &mut Tx<Tenant>) -> Result<(Vec<Stored>, u32)> {
    let select =
        sql!("SELECT id, wrapped_key, destroyed_at FROM tenant_keys WHERE tenant_id = $1 ORDER BY id");
    let (mut live, mut highest) = (Vec::new(), 0);
    for row in &tx.all(select, args![]).await? {
        highest = id_of(row)?;
        if row.maybe_time("destroyed_at")?.is_none() {
            live.push(Stored::of_row(row)?);
        }
    }
    Ok((live, highest))
}

impl Stored {
    fn of_row(row: &Row) -> Result<Self> {
        Ok(Self { id: id_of(row)?, wrapped: row.bytes("wrapped_key")? })
    }
}

fn id_of(row: &Row) -> Result<u32> {
    u32::try_from(row.int("id")?).or_internal()
}

fn of(tenant: TenantRef) -> KeyUse {
    KeyUse { purpose: Purpose::TenantKeys, tenant: Some(tenant) }
}
