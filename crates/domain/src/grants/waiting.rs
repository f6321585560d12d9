//! Polled requests that wait for their decision, in memory: a device asks again every few seconds, and nearly always in vain
//! (RFC 8628 §3.5, OpenID CIBA §11).
//!
//! Only what waits is kept. A decision names its row, so that this process forgets it with the commit; another node finds it
//! by the time of the decision.

use svc_core::{AppId, Digest, Result, Seconds, TenantId, TenantRef, Timestamp};
use svc_db::{Db, Rows, System, Tx, Written, args, system_sql};

use crate::grants::polled::{Polled, Standing, State};
use crate::memory::{self, Forgettings};

/// Finds where a request stands; answers from memory while it waits.
pub struct Waiting {
    db: Db,
    /// The ids of requests, by what their applications poll with.
    ids: memory::Kept<(TenantRef, Polled, Digest), String>,
    requests: memory::Kept<(TenantRef, String), Waits>,
    forgettings: Forgettings,
}

/// A request that waited when it was read.
#[derive(Clone)]
struct Waits {
    app: AppId,
    interval: Seconds,
    expires_at: Timestamp,
    read_at: Timestamp,
}

/// Most bytes of requests, and of their ids.
const KEPT: u64 = 16 << 20;
/// How long memory is believed: nodes of a version that does not note the time of a decision may serve at the same time.
const BELIEVED: Seconds = Seconds(60);
const TABLES: [&str; 2] = ["device_codes", "ciba_requests"];

impl Waiting {
    /// Nothing yet, over `db`.
    pub fn new(db: Db) -> Self {
        Self {
            db,
            ids: memory::bounded(KEPT, |_, id: &String| size_of::<Digest>() + id.len()),
            requests: memory::bounded(KEPT, |(_, id), _| size_of::<Waits>() + id.len()),
            forgettings: Forgettings::default(),
        }
    }

    /// Whether anything of a table is kept.
    pub fn keeps(table: &str) -> bool {
        TABLES.contains(&table)
    }

    /// Where a request stands.
    pub async fn standing(
        &self,
        (tenant, polled): (TenantId, Polled),
        digest: Digest,
        now: Timestamp,
    ) -> Result<Option<Standing>> {
        let key = (tenant.reference(), polled, digest);
        let known = self.ids.get(&key).and_then(|id| self.kept(tenant.reference(), id, now));
        match known {
            Some(standing) => Ok(Some(standing)),
            // Boxed: the state of the rare way would be part of every request.
            None => Box::pin(self.read(tenant, key, now)).await,
        }
    }

    fn kept(&self, tenant: TenantRef, id: String, now: Timestamp) -> Option<Standing> {
        let request = self.requests.get(&(tenant, id.clone()))?;
        let is_believed =
            request.read_at <= now && now < request.read_at + BELIEVED && now < request.expires_at;
        let Waits { app, interval, expires_at, .. } = request;
        is_believed.then_some(Standing { id, app, state: State::Pending, interval, expires_at })
    }

    async fn read(
        &self,
        tenant: TenantId,
        key: (TenantRef, Polled, Digest),
        now: Timestamp,
    ) -> Result<Option<Standing>> {
        let before = self.forgettings.number();
        let mut tx = self.db.read(tenant).await?;
        let found = key.1.standing(&mut tx, key.2, now).await?;
        if let Some(standing) = found.as_ref().filter(|standing| standing.state == State::Pending) {
            self.keep(key, standing, now);
            if self.forgettings.number() != before {
                self.requests.invalidate(&(key.0, standing.id.clone()));
            }
        }
        Ok(found)
    }

    fn keep(&self, key: (TenantRef, Polled, Digest), standing: &Standing, now: Timestamp) {
        let Standing { id, app, interval, expires_at, .. } = standing.clone();
        self.requests.insert((key.0, id.clone()), Waits { app, interval, expires_at, read_at: now });
        self.ids.insert(key, id);
    }

    /// Forgets what a commit of this process has written. Statements that name no row concern none that waits.
    pub fn forget(&self, written: &[Written]) {
        for written in written.iter().filter(|written| Self::keeps(written.table)) {
            if let Rows::One { tenant: Some(tenant), id } = &written.rows
                && let Ok(tenant) = tenant.parse()
            {
                self.forgettings.count();
                self.requests.invalidate(&(tenant, id.clone()));
            }
        }
    }

    /// Forgets what was decided since `since`, so that a decision on another node is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let device_codes = system_sql!("SELECT tenant_id, id FROM device_codes WHERE decided_at >= $1");
        let ciba_requests = system_sql!("SELECT tenant_id, id FROM ciba_requests WHERE decided_at >= $1");
        let calls = [tx.call(device_codes, args![since]), tx.call(ciba_requests, args![since])];
        let [device_codes, ciba_requests] = tx.batch(calls).await?;
        for row in device_codes.iter().chain(&ciba_requests) {
            self.forgettings.count();
            self.requests.invalidate(&(row.parse("tenant_id")?, row.text("id")?));
        }
        // What was not asked for is given back even where no request comes that would do it.
        self.requests.run_pending_tasks();
        self.ids.run_pending_tasks();
        Ok(())
    }
}
