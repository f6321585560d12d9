//! What tests ask of an engine beside the port: schemas of their own, statements prepared but not run.

use sqlx::{AssertSqlSafe, Executor as _, Row as _, SqlStr};
use svc_core::{Error, Result, TenantId};

use crate::engine::{Db, Pools};
use crate::error::translate;

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
