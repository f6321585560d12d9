//! Backup and restore by the commands, on either engine, with `svc-kms`: people and records come back, and nothing that was handed
//! out before does.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use svc_db::{Db, PoolSettings, SchemaState, SystemSql};
use svc_domain::MIGRATIONS;
use svc_domain::access::Role;
use svc_testkit::cluster::Cluster;
use tokio::net::TcpListener;

use super::kms::Kms;
use super::person::{form, refresh_token_of};
use super::stopping::running;
use super::{Place, eventually, request, unused_port};

impl Place {
    /// Copies need a role that row-level security does not bind; the server of the tests trusts its superuser.
    fn with_maintenance(&mut self) {
        let superuser = self.database.url.replacen("svc:svc@", "postgres@", 1);
        if superuser != self.database.url {
            self.set("MAINTENANCE_DATABASE_URL", &superuser);
        }
    }

    /// The disaster: the database is gone.
    async fn lose_database(&self) {
        if let Some(file) = self.database.url.strip_prefix("sqlite:") {
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{file}{suffix}"));
            }
            return;
        }
        let schema = self.database.url.rsplit("%3D").next().unwrap();
        let drop: &'static str = format!("DROP SCHEMA {schema} CASCADE").leak();
        let mut tx = self.database.db.begin_system().await.unwrap();
        tx.execute(SystemSql::new(drop), &[]).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// What the restored audit log has.
    async fn actions(&self) -> Vec<String> {
        actions(&self.database.url).await
    }
}

async fn actions(url: &str) -> Vec<String> {
    let db = Db::open(url, &PoolSettings::default()).unwrap();
    let mut tx = db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT action FROM audit_log ORDER BY id");
    let rows = tx.all(select, &[]).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
    rows.iter().map(|row| row.text("action").unwrap()).collect()
}

/// Every file and folder in a folder, and the folder itself.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let within = |path: PathBuf| if path.is_dir() { all_in(&path) } else { vec![path] };
    entries.flat_map(within).chain([folder.to_owned()]).collect()
}

fn mode(file: &Path) -> u32 {
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn a_copy_of_a_live_deployment_brings_people_back_and_nothing_that_was_handed_out() {
    let (mut place, kms) = Place::with_kms().await;
    place.with_maintenance();
    let sidecar = kms.serve().await;
    let mut service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let code = ada.code().await;
    let tokens = ada.exchange(&code).await.unwrap().expect(200).json();
    let copies = place.folder.path().join("copies");
    std::fs::create_dir(&copies).unwrap();
    let (copy, keys) = (copies.join("database"), copies.join("keys.sealed"));
    let copied = place.run(&["backup", copy.to_str().unwrap()]).await;
    assert!(
        copied.is_success && copied.stdout.contains("The file of svc-kms belongs to this backup"),
        "{copied:?}"
    );
    assert_eq!(mode(&copy), 0o600);
    kms.does(&format!("backup {}", keys.display()));
    let again = place.run(&["backup", copy.to_str().unwrap()]).await;
    assert!(!again.is_success && again.stderr.contains("exists already"), "{again:?}");
    let refused = place.run(&["restore", copy.to_str().unwrap()]).await;
    assert!(
        !refused.is_success && refused.stderr.contains("restore: ") && refused.stderr.contains(" already"),
        "over a living database: {refused:?}"
    );

    service.kill().await;
    drop(sidecar);
    place.lose_database().await;
    let other = Kms::of(&place.folder.path().join("elsewhere"));
    std::fs::copy(kms.passphrase(), other.passphrase()).unwrap();
    std::fs::remove_dir_all(&kms.folder).unwrap();
    other.does(&format!("restore {}", keys.display()));
    let _sidecar = other.serve().await;
    place.use_kms(&other);
    let file = place.database.url.strip_prefix("sqlite:").map(PathBuf::from);
    if let Some(folder) = file.as_deref().and_then(Path::parent) {
        // Where root restores, the service is another user.
        let _ = chown(folder, Some(65_534), Some(65_534));
    }
    let restored = place.run(&["restore", copy.to_str().unwrap()]).await;
    assert!(restored.is_success && restored.stdout.contains("of its 1 account(s)"), "{restored:?}");
    if let Some(file) = file {
        assert_eq!(mode(&file), 0o600);
        let owner = |path: &Path| path.metadata().unwrap().uid();
        assert_eq!(owner(&file), owner(file.parent().unwrap()));
    }

    let service = place.serve().await;
    ada.address = service.address;
    let spent = ada.refresh(tokens["refresh_token"].as_str().unwrap()).await.unwrap();
    let _ = spent.expect_problem(400, "invalid_grant");
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    let _ = request(service.address, "GET /userinfo", &[("Authorization", &bearer)], "")
        .await
        .unwrap()
        .expect(401);
    ada.cookies.clear();
    let page = ada.sign_in_page().await;
    ada.sign_in(&page).await;
    let token = refresh_token_of(&ada.exchange(&ada.clone().code().await).await.unwrap().expect(200));
    let fields = [("token", token.as_str()), ("client_id", ada.client_id.as_str())];
    let _ = form(service.address, "/oauth/revoke", &[], &fields).await.unwrap().expect(200);
    let actions = place.actions().await;
    assert!(actions.iter().any(|action| action == "application.created"), "{actions:?}");
    assert!(actions.iter().any(|action| action == "backup.restored"), "{actions:?}");
}

#[tokio::test]
async fn a_database_that_a_process_serves_is_restored_only_where_a_flag_says_so() {
    let mut place = Place::migrated().await;
    place.with_maintenance();
    let copied = place.run(&["backup", "copy"]).await;
    assert!(copied.is_success, "{copied:?}");
    let here = format!("a process listens on 127.0.0.1:{}", place.port);
    let mut service = place.serve().await;
    eventually("it reports itself", async || running(&place).await.len() == 1).await;
    let refused = place.run(&["restore", "--in-place"]).await;
    assert!(!refused.is_success && refused.stderr.contains(&here), "{refused:?}");
    // As on another machine.
    place.set("SVC_SERVER__PORT", &unused_port().to_string());
    let refused = place.run(&["restore", "--in-place"]).await;
    assert!(!refused.is_success && refused.stderr.contains("a process of the plane all"), "{refused:?}");
    let forced = place.run(&["restore", "--in-place", "--force"]).await;
    assert!(forced.is_success, "{forced:?}");
    service.kill().await;

    let port = place.port.to_string();
    place.set("SVC_SERVER__PORT", &port);
    place.lose_database().await;
    let another = TcpListener::bind(("127.0.0.1", place.port)).await.unwrap();
    let refused = place.run(&["restore", "copy"]).await;
    assert!(!refused.is_success && refused.stderr.contains(&format!("restore: {here}")), "{refused:?}");
    let forced = place.run(&["restore", "copy", "--force"]).await;
    assert!(forced.is_success, "{forced:?}");
    drop(another);
}

#[tokio::test]
async fn a_copy_that_cannot_be_made_leaves_no_file() {
    let mut place = Place::migrated().await;
    let copy = place.folder.path().join("copy");
    if place.database.url.starts_with("sqlite:") {
        let nowhere = place.folder.path().join("none/copy");
        let failed = place.run(&["backup", nowhere.to_str().unwrap()]).await;
        assert!(!failed.is_success && failed.stderr.contains("backup: "), "{failed:?}");
        return;
    }
    // The role of the service sees the rows of one tenant at a time.
    let failed = place.run(&["backup", copy.to_str().unwrap()]).await;
    assert!(!failed.is_success && failed.stderr.contains("name one with BYPASSRLS in"), "{failed:?}");
    assert!(!copy.exists());
    // That of the sweeps has no right to most tables.
    place.database.make_roles().await;
    let sweeping = place.database.url_as(Role::Maintenance);
    place.set("MAINTENANCE_DATABASE_URL", &sweeping);
    let failed = place.run(&["backup", copy.to_str().unwrap()]).await;
    assert!(!failed.is_success && failed.stderr.contains("the rights of pg_read_all_data"), "{failed:?}");
    assert!(!copy.exists());
}

#[tokio::test]
async fn a_restore_takes_nothing_of_the_database_before_and_leaves_nothing_where_it_fails() {
    let place = Place::migrated().await;
    let Some(file) = place.database.url.strip_prefix("sqlite:").map(ToOwned::to_owned) else { return };
    let copy = place.folder.path().join("copy");
    let copied = place.run(&["backup", copy.to_str().unwrap()]).await;
    assert!(copied.is_success, "{copied:?}");
    place.sql("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'later', 'x')").await;
    let copied = place.run(&["backup", "newer"]).await;
    assert!(copied.is_success, "{copied:?}");
    place.lose_database().await;
    // As it is where the process was killed, and the database alone was moved away.
    let log = format!("{file}-wal");
    std::fs::write(&log, "pages of the former database").unwrap();
    let refused = place.run(&["restore", copy.to_str().unwrap()]).await;
    let expected = format!("restore: {log} is of the database before");
    assert!(!refused.is_success && refused.stderr.contains(&expected), "{refused:?}");
    std::fs::remove_file(&log).unwrap();
    place.write("other", "no database");
    let refused = place.run(&["restore", "other"]).await;
    assert!(!refused.is_success && refused.stderr.contains("other is no SQLite database"), "{refused:?}");
    // What this one would revive is not ended by a version that does not know it.
    let refused = place.run(&["restore", "newer"]).await;
    assert!(!refused.is_success && refused.stderr.contains("of a newer version"), "{refused:?}");
    assert!(!Path::new(&file).exists());
    let restored = place.run(&["restore", copy.to_str().unwrap()]).await;
    assert!(restored.is_success, "{restored:?}");
}

#[tokio::test]
async fn a_restore_into_postgresql_that_fails_half_way_says_how_it_is_completed() {
    let mut place = Place::migrated().await;
    if place.database.url.starts_with("sqlite:") {
        return;
    }
    place.with_maintenance();
    place.sql("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'later', 'x')").await;
    let copied = place.run(&["backup", "newer"]).await;
    assert!(copied.is_success, "{copied:?}");
    place.lose_database().await;
    let failed = place.run(&["restore", "newer"]).await;
    assert!(!failed.is_success && failed.stderr.contains("of a newer version"), "{failed:?}");
    assert!(failed.stderr.contains("before `svc-runtime restore --in-place` has succeeded"), "{failed:?}");
    // As the newer version would do it.
    place.sql("DELETE FROM schema_migrations WHERE version = 9999").await;
    let completed = place.run(&["restore", "--in-place"]).await;
    assert!(completed.is_success && completed.stdout.contains("of its 0 account(s)"), "{completed:?}");
}

#[tokio::test]
async fn a_copy_of_an_earlier_version_is_migrated_before_what_it_would_revive_ends() {
    let place = Place::empty().await;
    let refused = place.run(&["restore", "--in-place"]).await;
    assert!(!refused.is_success && refused.stderr.contains("the database has no deployment"), "{refused:?}");
    // Of a version whose signing keys belonged to no tenant.
    let before = MIGRATIONS.iter().position(|migration| migration.name == "keys of tenants").unwrap();
    place.database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let restored = place.run(&["restore", "--in-place"]).await;
    assert!(restored.is_success && restored.stdout.contains("of its 0 account(s)"), "{restored:?}");
    assert_eq!(place.database.db.schema_state(MIGRATIONS).await.unwrap(), SchemaState::Current);
}

#[tokio::test]
async fn a_server_starts_from_a_base_backup_and_nothing_that_was_handed_out_works_there() {
    let mut place = Place::populated().await;
    place.with_maintenance();
    let original = place.database.url.clone();
    let base = place.folder.path().join("base");
    let base_name = base.to_str().unwrap().to_owned();
    if original.starts_with("sqlite:") {
        let refused = place.run(&["backup", "--base", &base_name]).await;
        assert!(!refused.is_success && refused.stderr.contains("--base: SQLite is one file"), "{refused:?}");
        return;
    }
    let service = place.serve().await;
    let mut ada = place.ada(service.address).await;
    let code = ada.code().await;
    let token = refresh_token_of(&ada.exchange(&code).await.unwrap().expect(200));
    let taken = place.run(&["backup", "--base", &base_name]).await;
    assert!(
        taken.is_success && taken.stdout.contains("The PostgreSQL cluster with the database"),
        "{taken:?}"
    );
    for path in all_in(&base) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), expected, "{}", path.display());
    }
    let again = place.run(&["backup", "--base", &base_name]).await;
    assert!(!again.is_success && again.stderr.contains("exists already"), "{again:?}");
    drop(service);

    let cluster = Cluster::of(&base, &original).await;
    let restored = cluster.instead_of(&original);
    place.set("DATABASE_URL", &restored);
    place.set("MAINTENANCE_DATABASE_URL", "");
    let ended = place.run(&["restore", "--in-place"]).await;
    assert!(ended.is_success && ended.stdout.contains("of its 1 account(s)"), "{ended:?}");
    let actions = actions(&restored).await;
    for action in ["application.created", "backup.restored"] {
        assert!(actions.iter().any(|known| known == action), "{action}: {actions:?}");
    }
    let service = place.serve().await;
    ada.address = service.address;
    let _ = ada.refresh(&token).await.unwrap().expect_problem(400, "invalid_grant");
    ada.cookies.clear();
    let page = ada.sign_in_page().await;
    ada.sign_in(&page).await;
}

#[tokio::test]
async fn a_base_backup_that_cannot_be_taken_says_what_is_missing_and_leaves_no_folder() {
    let mut place = Place::migrated().await;
    if place.database.url.starts_with("sqlite:") {
        return;
    }
    let base = place.folder.path().join("base");
    let arguments = ["backup", "--base", base.to_str().unwrap()];
    let failed = place.run(&arguments).await;
    assert!(!failed.is_success && failed.stderr.contains("name one with REPLICATION"), "{failed:?}");
    assert!(!base.exists());
    place.with_maintenance();
    // A machine that has what starts the command, and no PostgreSQL.
    let programs = place.folder.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink("/usr/bin/setpriv", programs.join("setpriv")).unwrap();
    place.set("PATH", programs.to_str().unwrap());
    let failed = place.run(&arguments).await;
    let expected = "pg_basebackup is not installed; install PostgreSQL's client programs";
    assert!(!failed.is_success && failed.stderr.contains(expected), "{failed:?}");
    assert!(!base.exists());
}
