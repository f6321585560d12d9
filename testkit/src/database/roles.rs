//! The roles of `svc-runtime db roles` on a test's own schema of PostgreSQL.

use svc_db::{Db, SystemSql};
use svc_domain::access::{self, Names, Role};

use super::{Database, Kept, ONE, settings};

/// What the roles of tests are called; the cluster shares them, each schema gives its own rights.
const PREFIX: &str = "svc_test";
const PASSWORD: &str = "svc";

impl Database {
    /// Makes the roles and gives them their rights on this database; the role of the tests needs `CREATEROLE`.
    pub async fn make_roles(&self) {
        let (url, names) = self.schema_and_names();
        let known = Role::ALL.into_iter().flat_map(|role| {
            let role = role.named(names);
            // The role that drops the schema ends their sessions.
            [format!("ALTER ROLE {role} PASSWORD '{PASSWORD}'"), format!("GRANT {role} TO CURRENT_USER")]
        });
        // Tests that run at once change the same roles.
        let mut statements = vec!["SELECT pg_advisory_xact_lock(5)::text".to_owned()];
        statements.extend(access::creation(names));
        statements.extend(known);
        // In one statement, because each test waits for it.
        statements.push(format!("DO $$ BEGIN {}; END $$", access::grants(names).join("; ")));
        let db = Db::open(url, &settings(ONE, None)).unwrap();
        let mut tx = db.begin_system().await.unwrap();
        for statement in statements {
            tx.execute(SystemSql::new(Box::leak(statement.into_boxed_str())), &[]).await.unwrap();
        }
        tx.commit().await.unwrap();
        db.close().await;
    }

    /// The address as one of the roles.
    pub fn url_as(&self, role: Role) -> String {
        let (_, names) = self.schema_and_names();
        let place = self.url.split_once("://").unwrap().1;
        let place = place.split_once('@').map_or(place, |(_, place)| place);
        format!("postgres://{}:{PASSWORD}@{place}", role.named(names))
    }

    /// The database as one of the roles.
    pub fn open_as(&self, role: Role) -> Db {
        Db::open(&self.url_as(role), &settings(ONE, None)).unwrap()
    }

    fn schema_and_names(&self) -> (&str, Names<'_>) {
        match &self.kept {
            Kept::Schema { url, name } => (url, Names { schema: name, prefix: PREFIX }),
            Kept::Folder(_) => panic!("SQLite has no roles"),
        }
    }
}
