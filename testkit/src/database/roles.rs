//! The roles of `svc-runtime db roles` on a test's own schema of PostgreSQL.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_db::{Db, SystemSql};
use svc_domain::access::{self, Names, Role};
use tokio::sync::OnceCell;

use super::template::{self, Maker};
use super::{Database, Kept, ONE, settings};

/// What the roles of tests are called; the cluster shares them, each schema gives its own rights.
const PREFIX: &str = "svc_test";
const PASSWORD: &str = "svc";
/// What there is in a copy of the template.
const NAMES: Names<'static> = Names { schema: template::SCHEMA, prefix: PREFIX };

impl Database {
    /// Makes the roles and gives them their rights on this database; the role of the tests needs `CREATEROLE`.
    pub async fn make_roles(&self) {
        let (shared, place, names) = self.place();
        make(shared, &place, names).await;
    }

    /// The address as one of the roles.
    pub fn url_as(&self, role: Role) -> String {
        let (_, _, names) = self.place();
        let place = self.url.split_once("://").unwrap().1;
        let place = place.split_once('@').map_or(place, |(_, place)| place);
        format!("postgres://{}:{PASSWORD}@{place}", role.named(names))
    }

    /// The database as one of the roles.
    pub fn open_as(&self, role: Role) -> Db {
        Db::open(&self.url_as(role), &settings(ONE, None)).unwrap()
    }

    /// The database that all tests share, the one with this test's tables, and what is theirs there.
    fn place(&self) -> (&str, String, Names<'_>) {
        match &self.kept {
            Kept::Copy { url, name } => (url, template::beside(url, name), NAMES),
            Kept::Schema { url, name } => (url, url.clone(), Names { schema: name, prefix: PREFIX }),
            Kept::Folder(_) => panic!("SQLite has no roles"),
            Kept::Cluster => panic!("roles are made where tests share a server"),
        }
    }
}

/// The migrated template with the roles and their rights, which take longer to give than a copy takes.
pub(super) async fn granted(url: &str) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    NAME.get_or_init(|| Box::pin(make_template(url))).await
}

async fn make_template(url: &str) -> String {
    let source = template::migrated(url).await;
    let mut hasher = DefaultHasher::new();
    (access::creation(NAMES), access::grants(NAMES)).hash(&mut hasher);
    let name = format!("{source}_{:016x}", hasher.finish());
    let maker = Maker::alone(url).await;
    if maker.lacks(&name).await {
        let place = maker.begin(url, &name, source).await;
        make(url, &place, NAMES).await;
        maker.end(&name).await;
    }
    maker.leave().await;
    name
}

/// Makes the roles, and gives them their rights at a place.
async fn make(shared: &str, place: &str, names: Names<'_>) {
    let known = Role::ALL.into_iter().flat_map(|role| {
        let role = role.named(names);
        // The role that drops the schema ends their sessions.
        [format!("ALTER ROLE {role} PASSWORD '{PASSWORD}'"), format!("GRANT {role} TO CURRENT_USER")]
    });
    // Roles belong to the cluster, and tests that run at once change the same ones.
    let mut statements = vec!["SELECT pg_advisory_xact_lock(5)::text".to_owned()];
    statements.extend(access::creation(names));
    statements.extend(known);
    run(Db::open(shared, &settings(ONE, None)).unwrap(), statements).await;
    // In one statement, because each test waits for it.
    let grants = format!("DO $$ BEGIN {}; END $$", access::grants(names).join("; "));
    run(Db::open(place, &settings(ONE, None)).unwrap(), vec![grants]).await;
}

async fn run(db: Db, statements: Vec<String>) {
    let mut tx = db.begin_system().await.unwrap();
    for statement in statements {
        tx.execute(SystemSql::new(Box::leak(statement.into_boxed_str())), &[]).await.unwrap();
    }
    tx.commit().await.unwrap();
    db.close().await;
}
