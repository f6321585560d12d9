//! A deployment of three planes: processes of their own, each with the address and the role of its plane, on one logical
//! database.

use svc_db::{Db, PoolSettings, SystemSql};
use svc_domain::access::Role;

use super::{Place, Service, eventually, get, request, unused_port};
use crate::harness::database::postgres_url;

/// What names the address of each role.
const ADDRESSES: [(&str, &str, Role); 5] = [
    ("DATABASE_IDENTITY_URL", "database.identity_url", Role::Identity),
    ("DATABASE_AUTH_URL", "database.auth_url", Role::Auth),
    ("DATABASE_CONTROL_URL", "database.control_url", Role::Control),
    ("DATABASE_ASYNC_URL", "database.async_url", Role::Async),
    ("MAINTENANCE_DATABASE_URL", "database.maintenance_url", Role::Maintenance),
];

impl Place {
    /// Divides the place among the planes: no address but those of the roles is left. Nothing on SQLite, which has no roles.
    async fn split(mut self) -> Option<Self> {
        if !self.database.url.starts_with("postgres") {
            return None;
        }
        self.database.make_roles().await;
        self.set("DATABASE_URL", "");
        self.set("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane");
        self.set("SVC_SERVER__METRICS_BEARER_TOKEN", "for-the-scraper");
        for (variable, _, role) in ADDRESSES {
            self.set(variable, &self.database.url_as(role));
        }
        Some(self)
    }

    async fn serve_plane(&mut self, plane: &str, port: u16) -> Service {
        self.set("SVC_RUNTIME_PLANE", plane);
        self.serve_at(port, &[], plane).await
    }
}

/// Waits until a process has run a job, and checks that none of its jobs fails.
async fn has_worked(service: &Service, job: &str) {
    let done = format!("job_runs_total{{job=\"{job}\",outcome=\"success\"}}");
    eventually(job, || async {
        let header = [("Authorization", "Bearer for-the-scraper")];
        let metrics = request(service.address, "GET /metrics", &header, "").await.unwrap().expect(200).body;
        assert!(!metrics.contains("outcome=\"failure\""), "{}", service.log());
        metrics.contains(&done)
    })
    .await;
}

#[tokio::test]
async fn each_plane_runs_by_itself_with_the_role_of_its_plane() {
    let Some(mut place) = Place::populated().await.split().await else { return };
    let auth = place.serve_plane("auth", place.port).await;
    let control = place.serve_plane("control", unused_port()).await;
    let jobs = place.serve_plane("async", unused_port()).await;
    let mut ada = place.ada(auth.address).await;
    let token = ada.refresh_token().await;
    let _ = ada.refresh(&token).await.unwrap().expect(200);
    for (service, statuses) in [(&auth, [400, 404]), (&control, [404, 401]), (&jobs, [404, 404])] {
        for (path, status) in ["/oauth/authorize", "/api/v1/audit"].into_iter().zip(statuses) {
            assert_eq!(get(service.address, path).await.unwrap().status, status, "{path}: {}", service.log());
        }
        has_worked(service, "coordination").await;
        has_worked(service, "report").await;
        let _ = get(service.address, "/health/ready").await.unwrap().expect(200);
    }
    has_worked(&jobs, "sweep").await;
    for service in [&auth, &control, &jobs] {
        let log = service.log();
        assert!(!log.contains("ERROR") && !log.contains("row-level security is off"), "{log}");
    }
}

#[tokio::test]
async fn commands_work_with_the_role_of_identities() {
    let Some(place) = Place::migrated().await.split().await else { return };
    place.write("seed.toml", "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n");
    let (applied, suspended) =
        (place.run(&["apply", "seed.toml"]).await, place.run(&["admin", "suspend-tenant", "main"]).await);
    assert!(applied.is_success && suspended.is_success, "{applied:?} {suspended:?}");
}

/// What tests call their roles.
const GRANT: [&str; 4] = ["db", "grant", "--prefix", "svc_test"];

impl Place {
    async fn may(&self, text: &'static str) -> bool {
        let mut tx = self.database.db.read_system().await.unwrap();
        tx.one(SystemSql::new(text), &[]).await.unwrap().flag("may").unwrap()
    }
}

#[tokio::test]
async fn the_owner_of_the_tables_gives_each_role_what_this_version_declares_and_takes_the_rest_away() {
    let mut place = Place::migrated().await;
    if !place.database.url.starts_with("postgres") {
        place.refuses(&GRANT, "only PostgreSQL has roles").await;
        return;
    }
    place.database.make_roles().await;
    let is_declared = "SELECT has_table_privilege('svc_test_auth', 'tenants', 'SELECT') \
         AND NOT has_table_privilege('svc_test_auth', 'tenants', 'DELETE') AS may";
    place.sql("REVOKE SELECT ON tenants FROM svc_test_auth").await;
    place.sql("GRANT DELETE ON tenants TO svc_test_auth").await;
    assert!(!place.may(is_declared).await);
    let ended = place.run(&GRANT).await;
    let said = "Gave their rights to svc_test_async, svc_test_auth, svc_test_control, svc_test_identity, \
         svc_test_maintenance.\n";
    assert!(ended.is_success && ended.stdout == said, "{ended:?}");
    assert!(place.may(is_declared).await);
    let ended = place.run(&["db", "grant", "--prefix", "of_no_role"]).await;
    assert!(ended.is_success && ended.stdout.ends_with("; nothing was changed.\n"), "{ended:?}");
    place.set("MIGRATION_DATABASE_URL", &place.database.url_as(Role::Identity));
    place.refuses(&GRANT, "does not own the tables").await;
}

#[tokio::test]
async fn rights_are_given_for_the_schema_of_this_version_alone() {
    let place = Place::empty().await;
    if !place.database.url.starts_with("postgres") {
        return; // It has no roles.
    }
    place.refuses(&GRANT, "run `svc-runtime --migrate-only` first").await;
    let place = Place::migrated().await;
    place.sql("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'later', 'x')").await;
    place.refuses(&GRANT, "newer than this binary").await;
}

#[tokio::test]
async fn rights_that_a_role_lacks_are_shown_at_the_start_and_by_the_doctor_until_they_are_given() {
    let Some(mut place) = Place::populated().await.split().await else { return };
    place.sql("REVOKE INSERT ON login_history FROM svc_test_auth").await;
    let auth = place.serve_plane("auth", place.port).await;
    let log = auth.log();
    assert!(log.contains("lacks rights of this version") && log.contains("INSERT on login_history"), "{log}");
    let found = place.run(&["doctor"]).await;
    assert!(found.stdout.contains("the role lacks INSERT on login_history: "), "{found:?}");
    let owner = place.database.url.clone();
    place.set("MIGRATION_DATABASE_URL", &owner);
    assert!(place.run(&GRANT).await.is_success);
    place.set("MIGRATION_DATABASE_URL", "");
    let found = place.run(&["doctor"]).await;
    assert!(!found.stdout.contains("lacks"), "{found:?}");
}

#[tokio::test]
async fn the_doctor_looks_at_the_address_of_every_plane_and_says_what_is_wrong_with_each() {
    let Some(mut place) = Place::populated().await.split().await else { return };
    let well = place.run(&["doctor"]).await;
    assert!(!well.stdout.contains("cannot be used") && !well.stdout.contains("BYPASSRLS"), "{well:?}");
    place.set("DATABASE_CONTROL_URL", "postgres://svc:canary@127.0.0.1:1/svc");
    // The server of the tests trusts its superuser without a password.
    let superuser = place.database.url.replacen("svc:svc@", "postgres@", 1);
    place.set("DATABASE_ASYNC_URL", &superuser);
    let found = place.run(&["doctor"]).await;
    let silent = "database.control_url: the database postgres://…@127.0.0.1:1/svc cannot be used: ";
    assert!(found.stdout.contains(silent) && found.stdout.contains("role and password"), "{found:?}");
    assert!(!found.stdout.contains("canary") && !found.stdout.contains("lead to one database"), "{found:?}");
    let unbound = "the role of database.async_url is a superuser or has BYPASSRLS: ";
    assert_eq!(found.stdout.contains(unbound), superuser != place.database.url, "{found:?}");
}

/// A second database of the cluster, which goes away with the test.
struct Other {
    name: String,
    url: String,
}

impl Other {
    fn cluster() -> Db {
        Db::open(&postgres_url().unwrap(), &PoolSettings::default()).unwrap()
    }

    async fn create() -> Self {
        let name = format!("svc_other_{}", std::process::id());
        Self::cluster().create_database(&name).await.unwrap();
        let url = postgres_url().unwrap();
        let (server, _) = url.rsplit_once('/').unwrap();
        Self { url: format!("{server}/{name}"), name }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let name = self.name.clone();
        let dropping = std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move { Self::cluster().drop_database(&name).await.unwrap() });
        });
        assert!(dropping.join().is_ok() || std::thread::panicking(), "{} stays behind", self.name);
    }
}

#[tokio::test]
async fn an_address_of_another_database_keeps_every_plane_from_starting() {
    let Some(mut place) = Place::migrated().await.split().await else { return };
    let other = Other::create().await;
    place.set("SVC_RUNTIME_PLANE", "auth");
    let shown = format!("postgres://…@{}", other.url.split_once('@').unwrap().1);
    for migrated in [false, true] {
        if migrated {
            place.set("MIGRATION_DATABASE_URL", &other.url);
            let ended = place.run(&["--migrate-only"]).await;
            assert!(ended.is_success, "{ended:?}");
            place.set("MIGRATION_DATABASE_URL", "");
        }
        for (variable, key, role) in ADDRESSES.into_iter().filter(|(_, _, role)| *role != Role::Auth) {
            place.set(variable, &other.url);
            let ended = if migrated {
                place.refuses(&[], &format!("{key}: {shown} is the database of another deployment (")).await
            } else {
                let says = "this database has no deployment id; run `svc-runtime --migrate-only` on it";
                place.refuses(&[], &format!("{key}: {says}")).await
            };
            assert!(
                !migrated
                    || ended
                        .stderr
                        .contains("every plane works on one logical database, through addresses that"),
                "{ended:?}"
            );
            place.set(variable, &place.database.url_as(role));
        }
    }
}
