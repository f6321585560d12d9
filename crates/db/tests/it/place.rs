//! A database of one test with one table in it.

use svc_core::{Origin, TenantId};
use svc_db::{Db, Engine, Migration, PoolSettings, args, quiet_sql, system_sql};
use tempfile::TempDir;

pub const TABLE: Migration = Migration {
    version: 1,
    name: "things",
    sql: "CREATE TABLE things (tenant_id TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant_id, id))",
    pg: "ALTER TABLE things ENABLE ROW LEVEL SECURITY; ALTER TABLE things FORCE ROW LEVEL SECURITY; \
         CREATE POLICY tenant ON things USING \
         (current_setting('svc.tenant_id') = '*' OR tenant_id = current_setting('svc.tenant_id'))",
    sqlite: "",
};

pub struct Place {
    pub db: Db,
    pub folder: TempDir,
}

impl Place {
    pub async fn new(settings: PoolSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = match std::env::var("SVC_TEST_DATABASE_URL") {
            Ok(url) => {
                let name = folder.path().file_name().unwrap().to_str().unwrap();
                let schema = format!("db_{}", name.replace('.', "_").to_lowercase());
                Db::open(&url, &settings).unwrap().create_schema(&schema).await.unwrap();
                Db::open(&url, &PoolSettings { schema: Some(schema), ..settings }).unwrap()
            }
            Err(_) => Self::sqlite(&folder, &settings),
        };
        db.migrate(&[TABLE]).await.unwrap();
        Self { db, folder }
    }

    pub async fn on_sqlite(settings: PoolSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Self::sqlite(&folder, &settings);
        db.migrate(&[TABLE]).await.unwrap();
        Self { db, folder }
    }

    fn sqlite(folder: &TempDir, settings: &PoolSettings) -> Db {
        Db::open(&format!("sqlite:{}", folder.path().join("svc.db").display()), settings).unwrap()
    }

    /// The same file opened once more, as another process would.
    pub fn another(&self) -> Db {
        Self::sqlite(&self.folder, &PoolSettings::default())
    }

    pub fn is_sqlite(&self) -> bool {
        self.db.engine() == Engine::Sqlite
    }

    /// Adds a thing in a transaction of its own.
    pub async fn add(&self, id: &str) -> svc_core::Result<()> {
        let mut tx = self.db.begin(tenant()).await?;
        tx.execute(quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)"), args![id])
            .await?;
        tx.commit().await
    }

    /// The ids of all things, in order.
    pub async fn ids(&self) -> Vec<String> {
        let mut tx = self.db.read_system().await.unwrap();
        let rows = tx.all(system_sql!("SELECT id FROM things ORDER BY id"), args![]).await.unwrap();
        rows.iter().map(|row| row.text("id").unwrap()).collect()
    }
}

/// The tenant whose things they are.
pub fn tenant() -> TenantId {
    numbered(1)
}

pub fn numbered(number: u32) -> TenantId {
    let named = format!("tnt_01jd3x000000000000000000{number:02}");
    #[expect(clippy::disallowed_methods, reason = "a test says whose rows these are")]
    TenantId::proven(named.parse().unwrap(), Origin::Operator)
}
