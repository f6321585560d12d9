//! Opening an engine, and how a transaction begins on each.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use svc_core::{Error, Result, TenantId};

use crate::counts::{Connections, Counters, Counts};
use crate::memory::Memory;
use crate::sqlite::Place;
use crate::tx::{Inner, System, Tenant, Tx};
use crate::{pg, sqlite};

/// An open database.
#[derive(Clone)]
pub struct Db {
    pub(crate) store: Store,
    counters: Arc<Counters>,
    memory: Option<Weak<dyn Memory>>,
}

#[derive(Clone)]
pub(crate) enum Store {
    Pg(pg::Pool),
    Sqlite(sqlite::Store),
}

/// Which engine is behind the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// PostgreSQL.
    Postgres,
    /// The embedded engine.
    Sqlite,
}

/// Pool and session settings, in the words of `[database]`.
#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// Most connections at once.
    pub max_connections: u32,
    /// Connections kept open.
    pub min_connections: u32,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// Idle connections are closed after this; zero keeps them.
    pub idle_timeout: Duration,
    /// Connections are replaced after this; zero keeps them.
    pub max_lifetime: Duration,
    /// Prepared statements kept per connection.
    pub statement_cache_capacity: usize,
    /// Ping a connection before use; costs a third of reads.
    pub test_before_acquire: bool,
    /// PostgreSQL ends a statement that runs longer; zero never.
    pub statement_timeout: Duration,
    /// PostgreSQL ends a transaction that idles longer; zero never.
    pub idle_in_transaction_timeout: Duration,
    /// Refuse a PostgreSQL connection without TLS, unless the URL has `sslmode=`.
    pub require_ssl: bool,
    /// A PEM file of authorities that PostgreSQL's certificate may be of, besides the public ones and `sslrootcert`.
    pub authorities: Option<PathBuf>,
    /// PostgreSQL schema to work in, instead of the role's default.
    pub schema: Option<String>,
}

impl Default for PoolSettings {
    fn default() -> Self {
        Self {
            max_connections: 10,
            min_connections: 0,
            connect_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_mins(10),
            max_lifetime: Duration::from_mins(30),
            statement_cache_capacity: 200,
            test_before_acquire: false,
            statement_timeout: Duration::from_secs(15),
            idle_in_transaction_timeout: Duration::from_secs(30),
            require_ssl: false,
            authorities: None,
            schema: None,
        }
    }
}

impl Db {
    /// Opens `url` (`postgres://…` or `sqlite:…`). No connection is made before the first use, so that a database that is
    /// down at start is an outage, not a crash.
    pub fn open(url: &str, settings: &PoolSettings) -> Result<Self> {
        let counters = Arc::new(Counters::default());
        let store = match engine_of(url)? {
            Engine::Postgres => Store::Pg(pg::Pool::open(url, settings, Arc::clone(&counters))?),
            Engine::Sqlite => Store::Sqlite(sqlite::Store::open(url, settings, Arc::clone(&counters))?),
        };
        Ok(Self { store, counters, memory: None })
    }

    /// The same database for a process that keeps records in memory: a commit returns when memory has taken it in.
    #[must_use]
    pub fn remembered_by(&self, memory: Weak<dyn Memory>) -> Self {
        Self { memory: Some(memory), ..self.clone() }
    }

    /// Which engine this is.
    pub fn engine(&self) -> Engine {
        match &self.store {
            Store::Pg(_) => Engine::Postgres,
            Store::Sqlite(_) => Engine::Sqlite,
        }
    }

    /// What was asked of the engine so far.
    pub fn counts(&self) -> Counts {
        self.counters.totals()
    }

    /// The connections at this moment. Readers of SQLite are used without waiting, so that only those at rest are known.
    pub fn connections(&self) -> Connections {
        match &self.store {
            Store::Pg(pool) => pool.connections(),
            Store::Sqlite(store) => Connections { idle: store.readers.resting(), used: 0, most: None },
        }
    }

    /// Begins a transaction that may write the tenant's rows.
    #[expect(clippy::unused_async, reason = "an engine may have to wait here")]
    pub async fn begin(&self, tenant: TenantId) -> Result<Tx<Tenant>> {
        let inner = self.writing(&tenant.to_string(), Place::Here);
        Ok(Tx::new(inner, Tenant(tenant), self.memory.clone()))
    }

    /// Begins reading the tenant's rows. Each statement, or batch of statements, sees one consistent state.
    #[expect(clippy::unused_async, reason = "an engine may have to wait here")]
    pub async fn read(&self, tenant: TenantId) -> Result<Tx<Tenant>> {
        Ok(Tx::new(self.reading(&tenant.to_string(), Place::Here), Tenant(tenant), None))
    }

    /// Begins a transaction across tenants; for workers, operators and start-up only.
    #[expect(clippy::unused_async, reason = "an engine may have to wait here")]
    pub async fn begin_system(&self) -> Result<Tx<System>> {
        Ok(Tx::new(self.writing("*", Place::Apart), System(()), self.memory.clone()))
    }

    /// Begins reading across tenants; for workers, operators and start-up only.
    #[expect(clippy::unused_async, reason = "an engine may have to wait here")]
    pub async fn read_system(&self) -> Result<Tx<System>> {
        Ok(Tx::new(self.reading("*", Place::Apart), System(()), None))
    }

    /// Begins reading across tenants in one snapshot: all statements see the same state, whatever is committed meanwhile. For exports
    /// of operators, which take many statements.
    #[expect(clippy::unused_async, reason = "an engine may have to wait here")]
    pub async fn snapshot_system(&self) -> Result<Tx<System>> {
        let inner = match &self.store {
            Store::Pg(pool) => Inner::Pg(pg::Transaction::snapshot(pool.clone(), "*")),
            Store::Sqlite(store) => Inner::SqliteSnapshot(store.readers.snapshot()),
        };
        Ok(Tx::new(inner, System(()), None))
    }

    fn writing(&self, scope: &str, place: Place) -> Inner {
        match &self.store {
            Store::Pg(pool) => Inner::Pg(pg::Transaction::new(pool.clone(), scope)),
            Store::Sqlite(store) => Inner::Sqlite(store.writer.transaction(place)),
        }
    }

    fn reading(&self, scope: &str, place: Place) -> Inner {
        match &self.store {
            Store::Pg(pool) => Inner::PgRead(pg::Reader::new(pool.clone(), scope)),
            Store::Sqlite(store) => Inner::SqliteRead(store.readers.clone(), place),
        }
    }

    /// Whether the database answers, and takes writes again if the last one failed on the disk.
    pub async fn ping(&self) -> Result<()> {
        match &self.store {
            Store::Pg(pool) => pool.ping().await,
            Store::Sqlite(store) => store.ping().await,
        }
    }

    /// Copies a live SQLite database into a new file; PostgreSQL has its own tools for that.
    pub async fn backup(&self, file: &Path) -> Result<()> {
        match &self.store {
            Store::Pg(_) => Err(Error::bad_request("use pg_dump or a base backup on PostgreSQL")),
            Store::Sqlite(store) => store.backup(file).await,
        }
    }

    /// Updates the statistics of SQLite's query planner (`ANALYZE`) in a file of at least `worth_counting` pages, and gives up to `most`
    /// unused pages back to the file system; returns how many. PostgreSQL does both by itself.
    pub async fn optimize(&self, worth_counting: u32, most: u32) -> Result<u64> {
        match &self.store {
            Store::Pg(_) => Ok(0),
            Store::Sqlite(store) => store.optimize(worth_counting, most).await,
        }
    }

    /// Closes every connection, letting running statements end.
    pub async fn close(&self) {
        match &self.store {
            Store::Pg(pool) => pool.close(),
            Store::Sqlite(store) => store.close().await,
        }
    }
}

/// The engine that a URL asks for.
fn engine_of(url: &str) -> Result<Engine> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("postgres" | "postgresql") => Ok(Engine::Postgres),
        Some("sqlite") => Ok(Engine::Sqlite),
        _ => Err(Error::bad_request("a database URL starts with postgres:// or sqlite:")),
    }
}
