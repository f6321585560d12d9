//! What operators and tests ask of an engine besides statements: whether it answers, whose role this is, schemas of their own,
//! plans.

use std::sync::Arc;
use std::time::Duration;

use svc_core::{Error, Result, TenantId, Timestamp};

use crate::engine::{Db, Store};
use crate::error::{OrPg as _, OrSqlite as _};
use crate::sqlite::{Access, apart};

const ATTEMPT: Duration = Duration::from_secs(3);

impl Db {
    /// Creates a PostgreSQL schema; SQLite has files instead.
    pub async fn create_schema(&self, name: &str) -> Result<()> {
        self.statement_about("CREATE SCHEMA", name, "").await
    }

    /// Creates a further PostgreSQL database in the same cluster.
    pub async fn create_database(&self, name: &str) -> Result<()> {
        self.statement_about("CREATE DATABASE", name, "").await
    }

    /// Drops such a database, ending its sessions.
    pub async fn drop_database(&self, name: &str) -> Result<()> {
        self.statement_about("DROP DATABASE", name, " WITH (FORCE)").await
    }

    /// Whether the engine understands a statement with the present schema; it is prepared, never run.
    pub async fn prepare_check(&self, text: &str) -> Result<()> {
        match &self.store {
            Store::Pg(pool) => pool.apart().await?.prepare(text).await.map(drop).or_pg(),
            Store::Sqlite(store) => {
                let (file, text) = (Arc::clone(&store.file), text.to_owned());
                apart(move || file.open(Access::Read)?.prepare(&text).map(drop).or_sqlite()).await
            }
        }
    }

    /// How the engine would run a statement of any arguments, one step a line. PostgreSQL sorts only where no index serves,
    /// however small the tables are, and shows every part of a table, though arguments rule some out.
    pub async fn explain(&self, text: &str) -> Result<String> {
        match &self.store {
            Store::Pg(pool) => {
                let client = pool.apart().await?;
                let generic = "SET plan_cache_mode = force_generic_plan; SET enable_sort = off; \
                     SET enable_bitmapscan = off; SET enable_partition_pruning = off; SET svc.tenant_id = '*'";
                client.batch_execute(generic).await.or_pg()?;
                let parameters = client.prepare(text).await.or_pg()?.params().len();
                client.batch_execute(&format!("PREPARE explained AS {text}")).await.or_pg()?;
                let nulls = vec!["NULL"; parameters].join(", ");
                let explain = match parameters {
                    0 => "EXPLAIN EXECUTE explained".to_owned(),
                    _ => format!("EXPLAIN EXECUTE explained({nulls})"),
                };
                let rows = client.query(&explain, &[]).await.or_pg()?;
                let lines: Result<Vec<String>, _> = rows.iter().map(|row| row.try_get(0)).collect();
                Ok(lines.or_pg()?.join("\n"))
            }
            Store::Sqlite(store) => {
                let (file, text) = (Arc::clone(&store.file), format!("EXPLAIN QUERY PLAN {text}"));
                apart(move || {
                    let connection = file.open(Access::Read)?;
                    let mut statement = connection.prepare(&text).or_sqlite()?;
                    let mut rows = statement.raw_query();
                    let mut lines: Vec<String> = Vec::new();
                    while let Some(row) = rows.next().or_sqlite()? {
                        lines.push(row.get("detail").or_sqlite()?);
                    }
                    Ok(lines.join("\n"))
                })
                .await
            }
        }
    }

    /// The number that a counting statement yields when run as `tenant`, whatever rows it names.
    pub async fn count_as(&self, tenant: TenantId, text: &'static str) -> Result<i64> {
        let Store::Pg(pool) = &self.store else {
            return Err(Error::bad_request("only PostgreSQL has row-level security"));
        };
        let client = pool.apart().await?;
        client.batch_execute(&format!("SET svc.tenant_id = '{tenant}'")).await.or_pg()?;
        client.query_one(text, &[]).await.and_then(|row| row.try_get(0)).or_pg()
    }

    /// Lets SQLite's present writing connection use so many pages at most: a disk that is full.
    pub async fn limit_pages(&self, most: u32) -> Result<()> {
        let Store::Sqlite(store) = &self.store else { return Ok(()) };
        store
            .writer
            .alone(move |connection| {
                let limit = connection.pragma_update_and_check(None, "max_page_count", most, |_| Ok(()));
                limit.or_sqlite()
            })
            .await
    }

    /// Whether row-level security does not hold for this role: a superuser's and one with `BYPASSRLS`. SQLite has none.
    pub async fn bypasses_row_security(&self) -> Result<bool> {
        let Store::Pg(pool) = &self.store else { return Ok(false) };
        let role = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";
        pool.apart().await?.query_one(role, &[]).await.and_then(|row| row.try_get(0)).or_pg()
    }

    /// Whether there are tables, those apart that a migration begins with; in PostgreSQL, in the schema that the address chooses,
    /// and without those of extensions.
    pub async fn has_tables(&self) -> Result<bool> {
        match &self.store {
            Store::Pg(pool) => {
                let any = "SELECT EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
                     WHERE nspname = current_schema() AND relkind IN ('r', 'p') \
                     AND relname NOT IN ('schema_migrations', 'deployment') \
                     AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass \
                     AND objid = pg_class.oid AND deptype = 'e'))";
                pool.apart().await?.query_one(any, &[]).await.and_then(|row| row.try_get(0)).or_pg()
            }
            Store::Sqlite(store) if !store.file.exists() => Ok(false),
            Store::Sqlite(store) => {
                let any = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' \
                     AND name NOT IN ('schema_migrations', 'deployment'))";
                let file = Arc::clone(&store.file);
                apart(move || file.open(Access::Read)?.query_row(any, (), |row| row.get(0)).or_sqlite()).await
            }
        }
    }

    /// The time at the server; `SQLite` has no clock of its own.
    pub async fn server_time(&self) -> Result<Option<Timestamp>> {
        let Store::Pg(pool) = &self.store else { return Ok(None) };
        let time = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
        let row = pool.apart().await?.query_one(time, &[]).await;
        row.and_then(|row| row.try_get(0)).map(Timestamp::from_micros).map(Some).or_pg()
    }

    /// Why no connection can be made, where the pool would only say that the server is out of reach.
    pub async fn why_unreachable(&self) -> Option<Error> {
        let Store::Pg(pool) = &self.store else { return None };
        match tokio::time::timeout(ATTEMPT, pool.apart()).await {
            Ok(attempt) => attempt.err(),
            Err(_) => Some(Error::unavailable("no answer within 3 seconds")),
        }
    }

    async fn statement_about(&self, verb: &str, name: &str, tail: &str) -> Result<()> {
        let Store::Pg(pool) = &self.store else { return Ok(()) };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(Error::bad_request("a name has letters, digits and underscores"));
        }
        let text = format!("{verb} {name}{tail}");
        pool.apart().await?.batch_execute(&text).await.or_pg()
    }
}
