//! The migration runner: numbered, forward only, checksummed, one runner at a time.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{OptionalExtension as _, TransactionBehavior};
use svc_core::{Error, Result};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::engine::{Db, Store};
use crate::error::{OrPg as _, OrSqlite as _};
use crate::sqlite::{Access, apart};

/// One step of the schema. `sql` runs on both engines; `pg` and `sqlite` after it, each on its own engine alone.
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
    /// Statements for SQLite alone.
    pub sqlite: &'static str,
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
pub(crate) const ADVISORY_LOCK: i64 = 0x5356_434D;

/// How long a migration waits for a table. Requests that need the table wait behind it, even if they only read.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '2s'";
/// The pause before the next attempt, in which those requests are served.
const PAUSE: Duration = Duration::from_secs(1);

const CREATE_LEDGER: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, \
     checksum TEXT NOT NULL)";
/// The id of the deployment, made once. It is compared where several database addresses must lead to the same database.
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
        match &self.store {
            Store::Pg(pool) => migrate_pg(&mut pool.apart().await?, migrations).await,
            Store::Sqlite(store) => {
                let migrations = migrations.to_vec();
                store.writer.alone(move |connection| migrate_sqlite(connection, &migrations)).await
            }
        }
    }

    /// The id that the first migration gave the database; nothing where none has run.
    pub async fn deployment_id(&self) -> Result<Option<String>> {
        match &self.store {
            Store::Pg(pool) => {
                let client = pool.apart().await?;
                let known = client.query_one("SELECT to_regclass('deployment') IS NOT NULL", &[]).await;
                if !known.and_then(|row| row.try_get(0)).or_pg()? {
                    return Ok(None);
                }
                let row = client.query_opt(READ_DEPLOYMENT, &[]).await.or_pg()?;
                row.map(|row| row.try_get(0)).transpose().or_pg()
            }
            Store::Sqlite(store) if !store.file.exists() => Ok(None),
            Store::Sqlite(store) => {
                let file = Arc::clone(&store.file);
                apart(move || deployment_sqlite(&file.open(Access::Read)?).or_sqlite()).await
            }
        }
    }

    /// Compares the database with this binary's migrations, changing nothing.
    pub async fn schema_state(&self, migrations: &[Migration]) -> Result<SchemaState> {
        let applied = match &self.store {
            Store::Pg(pool) => {
                let client = pool.apart().await?;
                ledger_pg(&client).await?
            }
            Store::Sqlite(store) if !store.file.exists() => Vec::new(),
            Store::Sqlite(store) => {
                let file = Arc::clone(&store.file);
                apart(move || applied_sqlite(&file.open(Access::Read)?)).await?
            }
        };
        Ok(compare(&applied, migrations))
    }
}

async fn migrate_pg(client: &mut Client, migrations: &[Migration]) -> Result<usize> {
    client.batch_execute("SET statement_timeout = 0").await.or_pg()?;
    lock_pg(client).await?;
    let ran = migrate_locked_pg(client, migrations).await;
    // At once, and not with the end of the connection, which a pooler may put off; where this fails, that end frees it.
    let _ = client.execute("SELECT pg_advisory_unlock($1)", &[&ADVISORY_LOCK]).await;
    ran
}

/// Waits until no other runner is at work.
async fn lock_pg(client: &Client) -> Result<()> {
    let tried = client.query_one("SELECT pg_try_advisory_lock($1)", &[&ADVISORY_LOCK]).await;
    let is_ours: bool = tried.and_then(|row| row.try_get(0)).or_pg()?;
    if !is_ours {
        log::warn!(
            "another migration is running, or a pooler in transaction mode keeps the lock of an earlier one; this one waits"
        );
        client.execute("SELECT pg_advisory_lock($1)", &[&ADVISORY_LOCK]).await.or_pg()?;
    }
    Ok(())
}

async fn migrate_locked_pg(client: &mut Client, migrations: &[Migration]) -> Result<usize> {
    for statement in [CREATE_LEDGER, CREATE_DEPLOYMENT, PG_NAME] {
        client.batch_execute(statement).await.or_pg()?;
    }
    let missing = missing(&applied_pg(client).await?, migrations)?;
    for migration in &missing {
        wait_and_apply_pg(client, migration).await?;
        note(migration);
    }
    Ok(missing.len())
}

/// Applies a migration once its tables are free: a backup may hold them for hours, and no request is to wait that long.
async fn wait_and_apply_pg(client: &mut Client, migration: &Migration) -> Result<()> {
    let mut is_told = false;
    loop {
        match apply_pg(client, migration).await {
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                if !is_told {
                    log::warn!(
                        "migration {} {} waits for a table that a backup or a long statement holds",
                        migration.version,
                        migration.name
                    );
                }
                is_told = true;
                tokio::time::sleep(PAUSE).await;
            }
            outcome => return outcome.or_pg(),
        }
    }
}

async fn apply_pg(client: &mut Client, migration: &Migration) -> Result<(), tokio_postgres::Error> {
    let tx = client.transaction().await?;
    // Row-level security also binds the owner, and a migration may have to move every tenant's rows.
    for text in [LOCK_TIMEOUT, "SET LOCAL svc.tenant_id = '*'", migration.sql, migration.pg] {
        tx.batch_execute(text).await?;
    }
    tx.execute(WRITE_LEDGER, &[&migration.version, &migration.name, &checksum(migration)]).await?;
    tx.commit().await
}

/// Refuses a schema that is not that of these migrations.
pub(crate) async fn admit_pg(client: &Client, migrations: &[Migration]) -> Result<()> {
    if missing(&ledger_pg(client).await?, migrations)?.is_empty() {
        return Ok(());
    }
    Err(Error::conflict(
        "the database lacks migrations of this version; run `svc-runtime --migrate-only` first",
    ))
}

/// What is applied, also where nothing has made the ledger yet.
async fn ledger_pg(client: &Client) -> Result<Vec<Applied>> {
    let ledger = client.query_one("SELECT to_regclass('schema_migrations') IS NULL", &[]).await;
    if ledger.and_then(|row| row.try_get(0)).or_pg()? { Ok(Vec::new()) } else { applied_pg(client).await }
}

async fn applied_pg(client: &Client) -> Result<Vec<Applied>> {
    let rows = client.query(READ_LEDGER, &[]).await.or_pg()?;
    let applied = rows
        .iter()
        .map(|row| Ok(Applied { version: row.try_get("version")?, checksum: row.try_get("checksum")? }));
    applied.collect::<Result<_, _>>().or_pg()
}

fn migrate_sqlite(connection: &mut rusqlite::Connection, migrations: &[Migration]) -> Result<usize> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Exclusive).or_sqlite()?;
    for statement in [CREATE_LEDGER, CREATE_DEPLOYMENT, SQLITE_NAME] {
        tx.execute_batch(statement).or_sqlite()?;
    }
    let missing = missing(&applied_sqlite(&tx)?, migrations)?;
    for migration in &missing {
        for text in [migration.sql, migration.sqlite] {
            tx.execute_batch(text).or_sqlite()?;
        }
        let entry = (migration.version, migration.name, checksum(migration));
        tx.execute(WRITE_LEDGER, entry).or_sqlite()?;
        note(migration);
    }
    tx.commit().or_sqlite()?;
    Ok(missing.len())
}

fn deployment_sqlite(connection: &rusqlite::Connection) -> rusqlite::Result<Option<String>> {
    let table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'deployment'";
    match connection.query_row(table, (), |_| Ok(())).optional()? {
        None => Ok(None),
        Some(()) => connection.query_row(READ_DEPLOYMENT, (), |row| row.get(0)).optional(),
    }
}

fn applied_sqlite(connection: &rusqlite::Connection) -> Result<Vec<Applied>> {
    let ledger = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'";
    let exists = connection.query_row(ledger, (), |_| Ok(())).optional().or_sqlite()?;
    if exists.is_none() {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(READ_LEDGER).or_sqlite()?;
    let rows = statement
        .query_map((), |row| Ok(Applied { version: row.get("version")?, checksum: row.get("checksum")? }));
    rows.and_then(Iterator::collect).or_sqlite()
}

/// Reports the progress of a long migration.
fn note(migration: &Migration) {
    log::debug!("migrated {} {}", migration.version, migration.name);
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

/// FNV-1a over all texts: it detects edits by mistake, which is all it is for.
fn checksum(migration: &Migration) -> String {
    let bytes = [migration.sql, migration.pg, migration.sqlite].into_iter().flat_map(str::bytes);
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Migration =
        Migration { version: 1, name: "one", sql: "CREATE TABLE a (id BIGINT)", pg: "", sqlite: "" };
    const TWO: Migration = Migration { version: 2, name: "two", sql: "CREATE TABLE b (id BIGINT)", ..ONE };

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
