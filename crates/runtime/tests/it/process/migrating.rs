//! The schema is changed by its own command alone, once, and a server that does not fit it does not serve it.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use svc_db::{Migration, SystemSql};
use svc_domain::MIGRATIONS;

use super::faults::ledger::Ledger;
use super::{Place, eventually, get};

impl Place {
    /// Runs a statement next to the binary.
    pub async fn sql(&self, text: &'static str) {
        let mut tx = self.database.db.begin_system().await.unwrap();
        tx.execute(SystemSql::new(text), &[]).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// How many migrations the database has; none where there is no ledger.
    async fn migrations(&self) -> i64 {
        let Ok(mut tx) = self.database.db.read_system().await else { return 0 };
        let count = SystemSql::new("SELECT count(*) AS n FROM schema_migrations");
        tx.one(count, &[]).await.map_or(0, |row| row.int("n").unwrap())
    }

    /// Whether no migration has run.
    pub async fn is_untouched(&self) -> bool {
        self.migrations().await == 0
    }
}

fn all() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap()
}

#[tokio::test]
async fn serving_never_migrates() {
    let place = Place::empty().await;
    place.refuses(&[], "svc-runtime --migrate-only").await;
    assert!(place.is_untouched().await);
}

#[tokio::test]
async fn every_command_says_what_makes_the_tables_that_it_misses() {
    let place = Place::empty().await;
    place.write("people.jsonl", "");
    place.write("main.toml", "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n");
    for command in [
        &["keys", "list"][..],
        &["audit", "verify"],
        &["admin", "list-operators"],
        &["apply", "main.toml"],
        &["export", "main"],
        &["export", "main", "--people", "out.jsonl"],
        &["import", "users", "people.jsonl", "--from", "jsonl", "--tenant", "main"],
        &["tenant", "export", "--tenant", "main", "--out", "main.archive", "--without-secrets"],
    ] {
        place.refuses(command, "run `svc-runtime --migrate-only` first").await;
    }
    assert!(place.is_untouched().await);
}

#[tokio::test]
async fn migrating_is_done_once_and_opens_no_port() {
    let place = Place::empty().await;
    let first = place.run(&["--migrate-only"]).await;
    assert!(
        first.is_success && first.stdout.contains(&format!("Applied {} migrations.", all())),
        "{first:?}"
    );
    let second = place.run(&["--migrate-only"]).await;
    assert!(second.is_success && second.stdout.contains("up to date"), "{second:?}");
    assert_eq!(place.migrations().await, all());
    let service = place.serve().await;
    let ready = get(service.address, "/health/ready").await.unwrap();
    assert_eq!(ready.status, 200, "{}", service.log());
}

#[tokio::test]
async fn several_at_once_migrate_once() {
    let place = Place::empty().await;
    let running: Vec<_> =
        (0..4).map(|number| place.start(&["--migrate-only"], &format!("m{number}"))).collect();
    let mut applied = 0;
    for (number, process) in running.into_iter().enumerate() {
        let ended = place.finish(process, &format!("m{number}")).await;
        assert!(ended.is_success, "{ended:?}");
        applied += usize::from(ended.stdout.contains("Applied"));
    }
    assert_eq!((applied, place.migrations().await), (1, all()));
    place.serve().await;
}

#[tokio::test]
async fn a_migration_that_was_killed_is_completed_by_the_next() {
    let mut place = Place::empty().await;
    place.set("RUST_LOG", "svc_db=debug");
    let mut ledger = Ledger::of("A migration is killed, and completed by the next");
    for steps in 0..6 {
        let mut command = place.command(&["--migrate-only"]);
        let mut migrator = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(migrator.stderr.take().unwrap()).lines().map_while(Result::ok);
        lines.filter(|line| line.contains("migrated")).take(steps).for_each(drop);
        migrator.kill().unwrap();
        migrator.wait().unwrap();
        ledger.add("times", 1);
    }
    place.set("RUST_LOG", "");
    // On PostgreSQL the server may take a moment to notice that the lock's owner is gone.
    let ended = place.run(&["--migrate-only"]).await;
    assert!(ended.is_success, "{ended:?}");
    assert_eq!(place.migrations().await, all());
    place.serve().await;
}

#[tokio::test]
async fn a_schema_that_is_behind_or_altered_is_refused() {
    let place = Place::migrated().await;
    place
        .sql("DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)")
        .await;
    place.refuses(&[], "database.url: the database lacks 1 migration").await;
    let place = Place::migrated().await;
    place.sql("UPDATE schema_migrations SET checksum = 'other' WHERE version = 1").await;
    place.refuses(&[], "migration 1 in the database differs").await;
    place.refuses(&["--migrate-only"], "1").await;
}

#[tokio::test]
async fn an_old_binary_on_a_newer_schema_serves_but_asks_for_no_traffic() {
    let place = Place::migrated().await;
    place.sql("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'later', 'x')").await;
    let service = place.serve().await;
    let ready = get(service.address, "/health/ready").await.unwrap();
    assert_eq!((ready.status, ready.body.as_str()), (503, "{\"status\":\"unavailable\"}"));
    eventually("the log says why", || async { service.log().contains("9999") }).await;
}

#[tokio::test]
async fn a_database_with_tables_of_another_program_is_refused_before_the_first_migration() {
    let place = Place::empty().await;
    let sql = "CREATE TABLE audit_log (id BIGINT)";
    let theirs = Migration { version: 1, name: "theirs", sql, pg: "", sqlite: "" };
    place.database.db.migrate(&[theirs]).await.unwrap();
    place.sql("DELETE FROM schema_migrations").await;
    let what = "the database has tables of another program, which stay as they are; name an empty database";
    place.refuses(&["--migrate-only"], what).await;
    assert!(place.is_untouched().await);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named_where_it_cannot_be_migrated() {
    let mut place = Place::empty().await;
    place.write("broken.db", &"no database ".repeat(1_000));
    place.set("DATABASE_URL", "sqlite:broken.db");
    place
        .refuses(&["--migrate-only"], "migration: database.url: sqlite:broken.db: file is not a database")
        .await;
}

#[tokio::test]
async fn a_migration_that_waits_for_another_says_so() {
    let place = Place::empty().await;
    if !place.database.url.starts_with("postgres") {
        return;
    }
    let lock = SystemSql::new("SELECT pg_advisory_xact_lock(1398162253)::text AS held");
    let mut other = place.database.db.begin_system().await.unwrap();
    let _ = other.one(lock, &[]).await.unwrap();
    let waiting = place.start(&["--migrate-only"], "waiting");
    let log = place.folder.path().join("waiting.err");
    let says = || std::fs::read_to_string(&log).unwrap().contains("another migration is running");
    eventually("it says that it waits", || async { says() }).await;
    assert!(place.is_untouched().await);
    other.commit().await.unwrap();
    let ended = place.finish(waiting, "waiting").await;
    assert!(ended.is_success, "{ended:?}");
    assert_eq!(place.migrations().await, all());
}
