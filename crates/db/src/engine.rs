//! Opening an engine: pools with their settings, and how a transaction begins on each.

use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgSslMode};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, SqlSafeStr as _};
use svc_core::{Error, Result, TenantId};

use crate::error::translate;
use crate::tx::{Inner, System, Tenant, Tx};

/// An open database.
#[derive(Clone)]
pub struct Db {
    pub(crate) pools: Pools,
}

#[derive(Clone)]
pub(crate) enum Pools {
    Pg(PgPool),
    /// SQLite has one writer; queueing for it in the pool is fair and needs no busy loop.
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
    },
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
            schema: None,
        }
    }
}

impl Db {
    /// Opens `url` (`postgres://…` or `sqlite:…`). No connection is made before the first use, so that a database that is
    /// down at start is an outage, not a crash.
    pub fn open(url: &str, settings: &PoolSettings) -> Result<Self> {
        match engine_of(url)? {
            Engine::Postgres => open_pg(url, settings),
            Engine::Sqlite => open_sqlite(url, settings),
        }
    }

    /// Which engine this is.
    pub fn engine(&self) -> Engine {
        match &self.pools {
            Pools::Pg(_) => Engine::Postgres,
            Pools::Sqlite { .. } => Engine::Sqlite,
        }
    }

    /// Begins a transaction that may write the tenant's rows.
    pub async fn begin(&self, tenant: TenantId) -> Result<Tx<Tenant>> {
        let inner = match &self.pools {
            Pools::Pg(pool) => begin_pg(pool, "BEGIN", &tenant.to_string()).await?,
            Pools::Sqlite { writer, .. } => begin_sqlite(writer).await?,
        };
        Ok(Tx::new(inner, Tenant(tenant)))
    }

    /// Begins reading the tenant's rows.
    pub async fn read(&self, tenant: TenantId) -> Result<Tx<Tenant>> {
        let inner = match &self.pools {
            Pools::Pg(pool) => begin_pg(pool, "BEGIN READ ONLY", &tenant.to_string()).await?,
            Pools::Sqlite { readers, .. } => Inner::SqliteRead(readers.acquire().await.map_err(translate)?),
        };
        Ok(Tx::new(inner, Tenant(tenant)))
    }

    /// Begins a transaction across tenants; for workers, operators and start-up only.
    pub async fn begin_system(&self) -> Result<Tx<System>> {
        let inner = match &self.pools {
            Pools::Pg(pool) => begin_pg(pool, "BEGIN", "*").await?,
            Pools::Sqlite { writer, .. } => begin_sqlite(writer).await?,
        };
        Ok(Tx::new(inner, System(())))
    }

    /// Begins reading across tenants; for workers, operators and start-up only.
    pub async fn read_system(&self) -> Result<Tx<System>> {
        let inner = match &self.pools {
            Pools::Pg(pool) => begin_pg(pool, "BEGIN READ ONLY", "*").await?,
            Pools::Sqlite { readers, .. } => Inner::SqliteRead(readers.acquire().await.map_err(translate)?),
        };
        Ok(Tx::new(inner, System(())))
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        let answer = match &self.pools {
            Pools::Pg(pool) => pool.execute("SELECT 1").await.map(|_| ()),
            Pools::Sqlite { readers, .. } => readers.execute("SELECT 1").await.map(|_| ()),
        };
        answer.map_err(translate)
    }

    /// Whether the engine understands a statement with the present schema; runs nothing. For tests that hold every text
    /// of the workspace against both engines.
    pub async fn prepare_check(&self, text: &str) -> Result<()> {
        let text = AssertSqlSafe(text.to_owned()).into_sql_str();
        let prepared = match &self.pools {
            Pools::Pg(pool) => pool.prepare(text).await.map(|_| ()),
            Pools::Sqlite { readers, .. } => readers.prepare(text).await.map(|_| ()),
        };
        prepared.map_err(translate)
    }

    /// Copies a live SQLite database into a new file; PostgreSQL has its own tools for that.
    pub async fn backup(&self, file: &Path) -> Result<()> {
        let Pools::Sqlite { readers, .. } = &self.pools else {
            return Err(Error::bad_request("use pg_dump or a base backup on PostgreSQL"));
        };
        let copy = sqlx::query("VACUUM INTO $1").bind(file.to_string_lossy().into_owned());
        readers.execute(copy).await.map(|_| ()).map_err(translate)
    }

    /// Closes every connection, letting running statements end.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Pg(pool) => pool.close().await,
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
        }
    }
}

/// The engine that a URL asks for.
pub(crate) fn engine_of(url: &str) -> Result<Engine> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("postgres" | "postgresql") => Ok(Engine::Postgres),
        Some("sqlite") => Ok(Engine::Sqlite),
        _ => Err(Error::bad_request("a database URL starts with postgres:// or sqlite:")),
    }
}

async fn begin_pg(pool: &PgPool, begin: &str, scope: &str) -> Result<Inner> {
    // One message begins the transaction and tells row-level security whose rows it may see. The scope is an id of
    // ours or an asterisk, so it cannot carry SQL.
    let statement = AssertSqlSafe(format!("{begin}; SET LOCAL svc.tenant_id = '{scope}'"));
    pool.begin_with(statement).await.map(Inner::Pg).map_err(translate)
}

async fn begin_sqlite(writer: &SqlitePool) -> Result<Inner> {
    // A deferred transaction that reads and then writes can fail at once, and no busy timeout helps it.
    writer.begin_with("BEGIN IMMEDIATE").await.map(Inner::Sqlite).map_err(translate)
}

fn open_pg(url: &str, settings: &PoolSettings) -> Result<Db> {
    let timeout = |span: Duration| format!("{}ms", span.as_millis());
    let mut options = PgConnectOptions::from_str(url)
        .map_err(|error| Error::bad_request("the PostgreSQL URL is malformed").caused_by(error))?
        .application_name("svc")
        .statement_cache_capacity(settings.statement_cache_capacity)
        .options([
            ("statement_timeout", timeout(settings.statement_timeout)),
            ("idle_in_transaction_session_timeout", timeout(settings.idle_in_transaction_timeout)),
        ])
        .log_slow_statements(slow_level(), Duration::from_secs(1));
    if settings.require_ssl && !url.contains("sslmode=") {
        options = options.ssl_mode(PgSslMode::Require);
    }
    if let Some(schema) = &settings.schema {
        options = options.options([("search_path", schema)]);
    }
    let pool = PgPoolOptions::new()
        .max_connections(settings.max_connections)
        .min_connections(settings.min_connections)
        .acquire_timeout(settings.connect_timeout)
        .idle_timeout(unless_zero(settings.idle_timeout))
        .max_lifetime(unless_zero(settings.max_lifetime))
        .test_before_acquire(settings.test_before_acquire)
        .connect_lazy_with(options);
    Ok(Db { pools: Pools::Pg(pool) })
}

fn open_sqlite(url: &str, settings: &PoolSettings) -> Result<Db> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(|error| Error::bad_request("the SQLite URL is malformed").caused_by(error))?
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        // NORMAL would lose acknowledged single use on power loss.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(settings.connect_timeout)
        .statement_cache_capacity(settings.statement_cache_capacity)
        .log_slow_statements(slow_level(), Duration::from_secs(1));
    let pool = |connections: u32| {
        SqlitePoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(settings.connect_timeout)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_lazy_with(options.clone())
    };
    Ok(Db { pools: Pools::Sqlite { writer: pool(1), readers: pool(settings.max_connections.clamp(1, 4)) } })
}

fn slow_level() -> log::LevelFilter {
    log::LevelFilter::Warn
}

fn unless_zero(span: Duration) -> Option<Duration> {
    (!span.is_zero()).then_some(span)
}
