//! What operators and tests ask of an engine besides statements: whether it answers, whose role this is, schemas of their own.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, SqlStr};
use svc_core::{Error, Result, TenantId};

use crate::engine::{Db, Pools};
use crate::error::translate;

const ATTEMPT: Duration = Duration::from_secs(3);

impl Db {
    /// Creates a PostgreSQL schema; SQLite has files instead.
    pub async fn create_schema(&self, name: &str) -> Result<()> {
        self.schema_statement("CREATE", name, "").await
    }

    /// Drops a PostgreSQL schema with everything in it.
    pub async fn drop_schema(&self, name: &str) -> Result<()> {
        self.schema_statement("DROP", name, " CASCADE").await
    }

    /// Whether the engine accepts a statement against the present schema; it is prepared, never run.
    pub async fn prepare(&self, text: &str) -> Result<()> {
        let statement = sqlx::SqlSafeStr::into_sql_str(AssertSqlSafe(text.to_owned()));
        match &self.pools {
            Pools::Pg(pool) => pool.prepare(statement).await.map(|_| ()),
            Pools::Sqlite { readers, .. } => readers.prepare(statement).await.map(|_| ()),
        }
        .map_err(translate)
    }

    /// The number that a counting statement yields when run as `tenant`, whatever rows it names.
    pub async fn count_as(&self, tenant: TenantId, text: &'static str) -> Result<i64> {
        let Pools::Pg(pool) = &self.pools else {
            return Err(Error::bad_request("only PostgreSQL has row-level security"));
        };
        let begin: SqlStr = sqlx::SqlSafeStr::into_sql_str(AssertSqlSafe(format!(
            "BEGIN; SET LOCAL svc.tenant_id = '{tenant}'"
        )));
        let mut tx = pool.begin_with(begin).await.map_err(translate)?;
        tx.fetch_one(text).await.map_err(translate)?.try_get(0).map_err(translate)
    }

    /// Whether row-level security does not hold for this role: a superuser's and one with `BYPASSRLS`. SQLite has none.
    pub async fn bypasses_row_security(&self) -> Result<bool> {
        let Pools::Pg(pool) = &self.pools else { return Ok(false) };
        let role = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";
        pool.fetch_one(role).await.and_then(|row| row.try_get(0)).map_err(translate)
    }

    /// Why no connection can be made, where the pool would only say that time ran out.
    pub async fn why_unreachable(&self) -> Option<Error> {
        let Pools::Pg(pool) = &self.pools else { return None };
        let options = pool.connect_options();
        let attempt = tokio::time::timeout(ATTEMPT, sqlx::PgConnection::connect_with(&options));
        match attempt.await {
            Ok(Err(error)) => Some(translate(error)),
            Ok(Ok(_)) => None,
            Err(_) => Some(Error::unavailable("no answer within 3 seconds")),
        }
    }

    async fn schema_statement(&self, verb: &str, name: &str, tail: &str) -> Result<()> {
        let Pools::Pg(pool) = &self.pools else { return Ok(()) };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(Error::bad_request("a schema name has letters, digits and underscores"));
        }
        pool.execute(AssertSqlSafe(format!("{verb} SCHEMA {name}{tail}")))
            .await
            .map(|_| ())
            .map_err(translate)
    }
}
