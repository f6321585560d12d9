//! The migration runner: numbered, forward only, checksummed, one runner at a time.

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _};
use svc_core::{Error, Result};

use crate::engine::{Db, Pools};
use crate::error::translate;

/// One step of the schema. `sql` runs on both engines, `pg` after it on PostgreSQL only.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Position in the order; never reused.
    pub version: i64,
    /// What it is about.
    pub name: &'static str,
    /// Statements for both engines.
    pub sql: &'static str,
    /// Statements for PostgreSQL alone (row-level security).
    pub pg: &'static str,
}

/// How the database's schema relates to this binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// Every migration is applied, and no other.
    Current,
    /// Migrations are missing: run `svc-runtime --migrate-only`.
    Behind {
        /// How many are to be applied.
        missing: usize,
    },
    /// A newer binary has migrated; this one may keep serving (expand, then contract) but must not migrate.
    Ahead {
        /// The newest version in the database.
        version: i64,
    },
    /// An applied migration differs from this binary's text.
    Altered {
        /// The first that differs.
        version: i64,
    },
}

struct Applied {
    version: i64,
    checksum: String,
}

/// Any constant will do as long as every version of the service uses the same.
const ADVISORY_LOCK: i64 = 0x5356_434D;

const CREATE_LEDGER: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, \
     checksum TEXT NOT NULL)";
/// Which deployment the database is: made once, compared where several addresses must lead to one database.
const CREATE_DEPLOYMENT: &str = "CREATE TABLE IF NOT EXISTS deployment (id TEXT PRIMARY KEY)";
const READ_DEPLOYMENT: &str = "SELECT id FROM deployment";
const PG_NAME: &str = "INSERT INTO deployment (id) SELECT CAST(gen_random_uuid() AS TEXT) \
     WHERE NOT EXISTS (SELECT 1 FROM deployment)";
const SQLITE_NAME: &str = "INSERT INTO deployment (id) SELECT lower(hex(randomblob(16))) \
     WHERE NOT EXISTS (SELECT 1 FROM deployment)";
const READ_LEDGER: &str = "SELECT version, checksum FROM schema_migrations ORDER BY version";
const WRITE_LEDGER: &str = "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)";

impl Db {
    /// Applies what is missing; returns how many migrations ran. Concurrent runners wait for each other.
    pub async fn migrate(&self, migrations: &[Migration]) -> Result<usize> {
        match &self.pools {
            Pools::Pg(pool) => {
                let mut conn = pool.acquire().await.map_err(translate)?.detach();
                let ran = migrate_pg(&mut conn, migrations).await;
                // Closing the connection also frees the advisory lock after a failure.
                conn.close().await.map_err(translate)?;
                ran
            }
            Pools::Sqlite { writer, .. } => {
                let mut tx = writer.begin_with("BEGIN EXCLUSIVE").await.map_err(translate)?;
                let ran = migrate_sqlite(&mut tx, migrations).await?;
                tx.commit().await.map_err(translate)?;
                Ok(ran)
            }
        }
    }

    /// The id that the first migration gave the database; nothing where none has run.
    pub async fn deployment_id(&self) -> Result<Option<String>> {
        let row = match &self.pools {
            Pools::Pg(pool) => {
                let known = pool.fetch_one("SELECT to_regclass('deployment') IS NOT NULL AS known").await;
                if !known.and_then(|row| row.try_get::<bool, _>("known")).map_err(translate)? {
                    return Ok(None);
                }
                let row = pool.fetch_optional(READ_DEPLOYMENT).await.map_err(translate)?;
                row.map(|row| row.try_get("id"))
            }
            Pools::Sqlite { readers, .. } => {
                let known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'deployment'";
                if readers.fetch_optional(known).await.map_err(translate)?.is_none() {
                    return Ok(None);
                }
                let row = readers.fetch_optional(READ_DEPLOYMENT).await.map_err(translate)?;
                row.map(|row| row.try_get("id"))
            }
        };
        row.transpose().map_err(translate)
    }

    /// Compares the database with this binary's migrations, changing nothing.
    pub async fn schema_state(&self, migrations: &[Migration]) -> Result<SchemaState> {
        let applied = match &self.pools {
            Pools::Pg(pool) => match pool
                .fetch_optional("SELECT to_regclass('schema_migrations')::text AS ledger")
                .await
            {
                Ok(Some(row)) if row.try_get::<Option<String>, _>("ledger").map_err(translate)?.is_some() => {
                    let rows = pool.fetch_all(READ_LEDGER).await.map_err(translate)?;
                    rows.iter().map(applied).collect::<Result<Vec<_>>>()?
                }
                Ok(_) => Vec::new(),
                Err(error) => return Err(translate(error)),
            },
            Pools::Sqlite { readers, .. } => {
                let ledger =
                    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'";
                if readers.fetch_optional(ledger).await.map_err(translate)?.is_none() {
                    Vec::new()
                } else {
                    let rows = readers.fetch_all(READ_LEDGER).await.map_err(translate)?;
                    rows.iter().map(applied).collect::<Result<Vec<_>>>()?
                }
            }
        };
        Ok(compare(&applied, migrations))
    }
}

async fn migrate_pg(conn: &mut sqlx::PgConnection, migrations: &[Migration]) -> Result<usize> {
    conn.execute("SET statement_timeout = 0").await.map_err(translate)?;
    conn.execute(sqlx::query("SELECT pg_advisory_lock($1)").bind(ADVISORY_LOCK)).await.map_err(translate)?;
    for statement in [CREATE_LEDGER, CREATE_DEPLOYMENT, PG_NAME] {
        conn.execute(statement).await.map_err(translate)?;
    }
    let rows = conn.fetch_all(READ_LEDGER).await.map_err(translate)?;
    let applied = rows.iter().map(applied).collect::<Result<Vec<_>>>()?;
    let missing = missing(&applied, migrations)?;
    for migration in &missing {
        let mut tx = conn.begin().await.map_err(translate)?;
        // Row-level security also binds the owner, and a migration may have to move every tenant's rows.
        tx.execute("SET LOCAL svc.tenant_id = '*'").await.map_err(translate)?;
        for text in [migration.sql, migration.pg] {
            tx.execute(sqlx::raw_sql(AssertSqlSafe(text))).await.map_err(translate)?;
        }
        let entry =
            sqlx::query(WRITE_LEDGER).bind(migration.version).bind(migration.name).bind(checksum(migration));
        tx.execute(entry).await.map_err(translate)?;
        tx.commit().await.map_err(translate)?;
        note(migration);
    }
    Ok(missing.len())
}

async fn migrate_sqlite(conn: &mut sqlx::SqliteConnection, migrations: &[Migration]) -> Result<usize> {
    for statement in [CREATE_LEDGER, CREATE_DEPLOYMENT, SQLITE_NAME] {
        conn.execute(statement).await.map_err(translate)?;
    }
    let rows = conn.fetch_all(READ_LEDGER).await.map_err(translate)?;
    let applied = rows.iter().map(applied).collect::<Result<Vec<_>>>()?;
    let missing = missing(&applied, migrations)?;
    for migration in &missing {
        conn.execute(sqlx::raw_sql(AssertSqlSafe(migration.sql))).await.map_err(translate)?;
        let entry =
            sqlx::query(WRITE_LEDGER).bind(migration.version).bind(migration.name).bind(checksum(migration));
        conn.execute(entry).await.map_err(translate)?;
        note(migration);
    }
    Ok(missing.len())
}

/// Tells whoever waits for a long migration how far it is.
fn note(migration: &Migration) {
    log::debug!("migrated {} {}", migration.version, migration.name);
}

fn applied<R: sqlx::Row>(row: &R) -> Result<Applied>
where
    i64: for<'r> sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
    String: for<'r> sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
    for<'c> &'c str: sqlx::ColumnIndex<R>,
{
    let version = row.try_get("version").map_err(translate)?;
    Ok(Applied { version, checksum: row.try_get("checksum").map_err(translate)? })
}

fn missing(applied: &[Applied], migrations: &[Migration]) -> Result<Vec<Migration>> {
    match compare(applied, migrations) {
        SchemaState::Current => Ok(Vec::new()),
        SchemaState::Behind { .. } => Ok(migrations.iter().skip(applied.len()).copied().collect()),
        SchemaState::Ahead { version } => Err(Error::conflict(format!(
            "the database is at migration {version}, newer than this binary; run the newer svc-runtime"
        ))),
        SchemaState::Altered { version } => Err(Error::conflict(format!(
            "migration {version} in the database differs from this binary's; restore the released binary or database"
        ))),
    }
}

fn compare(applied: &[Applied], migrations: &[Migration]) -> SchemaState {
    let differs = |(have, want): &(&Applied, &Migration)| {
        have.version != want.version || have.checksum != checksum(want)
    };
    if let Some((have, _)) = applied.iter().zip(migrations).find(differs) {
        return SchemaState::Altered { version: have.version };
    }
    match applied.get(migrations.len()..).and_then(<[Applied]>::last) {
        Some(newest) => SchemaState::Ahead { version: newest.version },
        None if applied.len() == migrations.len() => SchemaState::Current,
        None => SchemaState::Behind { missing: migrations.len() - applied.len() },
    }
}

/// FNV-1a over both texts: it detects edits by mistake, which is all it is for.
fn checksum(migration: &Migration) -> String {
    let bytes = migration.sql.bytes().chain(migration.pg.bytes());
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Migration = Migration { version: 1, name: "one", sql: "CREATE TABLE a (id BIGINT)", pg: "" };
    const TWO: Migration = Migration { version: 2, name: "two", sql: "CREATE TABLE b (id BIGINT)", pg: "" };

    fn done(migration: &Migration) -> Applied {
        Applied { version: migration.version, checksum: checksum(migration) }
    }

    #[test]
    fn behind_ahead_altered_and_current_are_told_apart() {
        assert_eq!(compare(&[], &[ONE]), SchemaState::Behind { missing: 1 });
        assert_eq!(compare(&[done(&ONE)], &[ONE]), SchemaState::Current);
        assert_eq!(compare(&[done(&ONE), done(&TWO)], &[ONE]), SchemaState::Ahead { version: 2 });
        let edited = Migration { sql: "CREATE TABLE a (id TEXT)", ..ONE };
        assert_eq!(compare(&[done(&edited)], &[ONE]), SchemaState::Altered { version: 1 });
    }
}
