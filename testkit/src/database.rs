//! A fresh database for one test: a copy of a migrated SQLite file, or a schema of PostgreSQL that is dropped at the end.

mod roles;

use std::sync::atomic::{AtomicU64, Ordering};

use svc_db::{Db, PoolSettings, SystemSql};
use svc_domain::MIGRATIONS;
use tempfile::TempDir;
use tokio::sync::OnceCell;

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
    Schema { url: String, name: String },
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

    async fn migrated(connections: u32) -> Self {
        static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
        match postgres_url() {
            Some(url) => {
                let database = Self::schema(url, connections).await;
                database.db.migrate(MIGRATIONS).await.unwrap();
                database
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

    fn file(content: Option<&Vec<u8>>, connections: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.db");
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        let url = format!("sqlite:{}", path.display());
        let db = Db::open(&url, &settings(connections, None)).unwrap();
        Self { db, url, kept: Kept::Folder(folder) }
    }

    async fn schema(url: String, connections: u32) -> Self {
        // The seed repeats within a test and from run to run; an aborted run may have left its schema behind.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("t_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        command(&url, format!("CREATE SCHEMA {name}")).await;
        let db = Db::open(&url, &settings(connections, Some(name.clone()))).unwrap();
        let separator = if url.contains('?') { '&' } else { '?' };
        let own = format!("{url}{separator}options=-csearch_path%3D{name}");
        Self { db, url: own, kept: Kept::Schema { url, name } }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let Self::Schema { url, name } = self else { return };
        // A transaction that was dropped is rolled back by the test's runtime, which cannot be waited for from within.
        let holders = format!(
            "SELECT pg_terminate_backend(held.pid) FROM pg_locks held JOIN pg_class class ON class.oid = held.relation \
             WHERE class.relnamespace = '{name}'::regnamespace AND held.pid <> pg_backend_pid()"
        );
        let (url, drop) = (url.clone(), format!("DROP SCHEMA {name} CASCADE"));
        let dropping = std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                command(&url, holders).await;
                command(&url, drop).await;
            });
        });
        assert!(dropping.join().is_ok() || std::thread::panicking(), "the schema {name} stays behind");
    }
}

async fn migrated_file() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("template.db");
    let db = Db::open(&format!("sqlite:{}", path.display()), &settings(ONE, None)).unwrap();
    db.migrate(MIGRATIONS).await.unwrap();
    let copy = folder.path().join("whole.db");
    db.backup(&copy).await.unwrap();
    db.close().await;
    std::fs::read(copy).unwrap()
}

async fn command(url: &str, text: String) {
    let db = Db::open(url, &settings(ONE, None)).unwrap();
    let mut tx = db.begin_system().await.unwrap();
    // Names of schemas cannot be bound; the text lives as long as the test run, which is short.
    let statement = SystemSql::new(Box::leak(text.into_boxed_str()));
    tx.execute(statement, &[]).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
}

const ONE: u32 = 1;

fn settings(max_connections: u32, schema: Option<String>) -> PoolSettings {
    PoolSettings { max_connections, schema, ..PoolSettings::default() }
}
