//! A fresh database for one test: a copy of a migrated one, or an empty one; it is dropped at the end.

mod roles;
mod shared;
mod template;

use std::sync::atomic::{AtomicU64, Ordering};

use svc_db::{Db, PoolSettings};
use svc_domain::MIGRATIONS;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::cluster::Cluster;

/// An open database that goes away with its test.
pub struct Database {
    /// The database, its schema current.
    pub db: Db,
    /// Its address, for another process.
    pub url: String,
    kept: Kept,
}

/// What is given back at the end.
enum Kept {
    Folder(#[expect(dead_code, reason = "removes the folder when dropped")] TempDir),
    /// A database of PostgreSQL; `url` leads to the one that all tests share.
    Copy {
        url: String,
        name: String,
    },
    Schema {
        url: String,
        name: String,
    },
    /// Goes away with a server of the test's own.
    Cluster,
}

/// Where tests run on PostgreSQL, its address.
pub fn postgres_url() -> Option<String> {
    std::env::var("SVC_TEST_DATABASE_URL").ok().filter(|url| !url.is_empty())
}

impl Database {
    /// A database of the engine that this run tests, its schema current.
    ///
    /// It has one connection: code that waits for a second one while it holds the first fails here instead of under load.
    pub async fn fresh() -> Self {
        Self::migrated(ONE).await
    }

    /// The same with as many connections as a process has.
    pub async fn pooled() -> Self {
        Self::migrated(PoolSettings::default().max_connections).await
    }

    /// What [`Self::fresh`] gives on PostgreSQL, with the roles of `svc-runtime db roles` and their rights.
    pub async fn with_roles() -> Self {
        let url = postgres_url().unwrap();
        let template = roles::granted(&url).await;
        Self::copy(url, template, ONE).await
    }

    async fn migrated(connections: u32) -> Self {
        static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
        match postgres_url() {
            Some(url) => {
                let template = template::migrated(&url).await;
                Self::copy(url, template, connections).await
            }
            None => Self::file(Some(TEMPLATE.get_or_init(migrated_file).await), connections),
        }
    }

    /// The same before the first migration.
    pub async fn empty() -> Self {
        match postgres_url() {
            Some(url) => Self::schema(url, ONE).await,
            None => Self::file(None, ONE),
        }
    }

    /// The same database on a copy of its server.
    #[must_use]
    pub fn copied_to(&self, cluster: &Cluster) -> Self {
        let url = cluster.instead_of(&self.url);
        let db = Db::open(&url, &settings(ONE, Some(template::SCHEMA.to_owned()))).unwrap();
        Self { db, url, kept: Kept::Cluster }
    }

    fn file(content: Option<&Vec<u8>>, connections: u32) -> Self {
        let folder = folder();
        let path = folder.path().join("svc.db");
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        let url = format!("sqlite:{}", path.display());
        let db = Db::open(&url, &settings(connections, None)).unwrap();
        Self { db, url, kept: Kept::Folder(folder) }
    }

    async fn copy(url: String, template: &str, connections: u32) -> Self {
        let name = fresh_name();
        template::copy(&url, template, &name).await;
        let place = template::beside(&url, &name);
        let db = Db::open(&place, &settings(connections, Some(template::SCHEMA.to_owned()))).unwrap();
        let own = with_search_path(&place, template::SCHEMA);
        Self { db, url: own, kept: Kept::Copy { url, name } }
    }

    async fn schema(url: String, connections: u32) -> Self {
        let name = fresh_name();
        shared::run(&url, vec![format!("CREATE SCHEMA {name}")]).await;
        let db = Db::open(&url, &settings(connections, Some(name.clone()))).unwrap();
        Self { db, url: with_search_path(&url, &name), kept: Kept::Schema { url, name } }
    }
}

/// The seed repeats within a test and from run to run; an aborted run may have left its databases behind.
fn fresh_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("t_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn with_search_path(url: &str, schema: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-csearch_path%3D{schema}")
}

impl Drop for Kept {
    fn drop(&mut self) {
        // A transaction that was dropped is rolled back by the test's runtime, which cannot be waited for from within: the
        // sessions that hold it are ended. Not by `FORCE`, which only a superuser may use while autovacuum is at work there.
        let (url, commands) = match self {
            Self::Folder(_) | Self::Cluster => return,
            // A process that the test has started would come back at once.
            Self::Copy { url, name } => {
                let closed = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false");
                (url, vec![closed, end_sessions(name), format!("DROP DATABASE {name}")])
            }
            Self::Schema { url, name } => {
                (url, vec![end_holders(name), format!("DROP SCHEMA {name} CASCADE")])
            }
        };
        let dropped = shared::run_at_end(url, commands);
        assert!(
            dropped.is_ok() || std::thread::panicking(),
            "a database of the test stays behind: {dropped:?}"
        );
    }
}

fn end_sessions(database: &str) -> String {
    let there = format!("pg_stat_activity WHERE datname = '{database}' AND backend_type = 'client backend'");
    // Dropping waits for one that has not ended yet, but in steps of a tenth of a second.
    format!(
        "DO $$ BEGIN PERFORM pg_terminate_backend(pid) FROM {there}; \
         FOR attempt IN 1..1000 LOOP PERFORM pg_stat_clear_snapshot(); EXIT WHEN NOT EXISTS (SELECT FROM {there}); \
         PERFORM pg_sleep(0.002); END LOOP; END $$"
    )
}

fn end_holders(schema: &str) -> String {
    format!(
        "SELECT pg_terminate_backend(held.pid) FROM pg_locks held JOIN pg_class class ON class.oid = held.relation \
         WHERE class.relnamespace = '{schema}'::regnamespace AND held.pid <> pg_backend_pid()"
    )
}

/// For files of SQLite, below the folder that a run names: in memory no commit waits for a disk.
fn folder() -> TempDir {
    let named = std::env::var_os("SVC_TEST_FOLDER").filter(|folder| !folder.is_empty());
    named.map_or_else(tempfile::tempdir, tempfile::tempdir_in).unwrap()
}

async fn migrated_file() -> Vec<u8> {
    let folder = folder();
    let path = folder.path().join("template.db");
    let db = Db::open(&format!("sqlite:{}", path.display()), &settings(ONE, None)).unwrap();
    db.migrate(MIGRATIONS).await.unwrap();
    let copy = folder.path().join("whole.db");
    db.backup(&copy).await.unwrap();
    db.close().await;
    std::fs::read(copy).unwrap()
}

const ONE: u32 = 1;

fn settings(max_connections: u32, schema: Option<String>) -> PoolSettings {
    PoolSettings { max_connections, schema, ..PoolSettings::default() }
}
