//! `svc-runtime audit verify` over a deployment that has run: what it proves, and what it finds.

use serde_json::Value;
use svc_db::{Engine, SystemSql};

use super::{Place, eventually};

const WAITING: &str = "SELECT COUNT(*) AS number FROM audit_log WHERE position IS NULL";
const UNSIGNED: &str = "SELECT COUNT(*) AS number FROM audit_chains WHERE signed = 0";

impl Place {
    async fn tamper(&self, statements: &[&'static str]) {
        let without: &[&'static str] = match self.database.db.engine() {
            Engine::Postgres => &["ALTER TABLE audit_log DISABLE TRIGGER USER"],
            Engine::Sqlite => {
                &["DROP TRIGGER audit_log_is_not_changed", "DROP TRIGGER audit_log_is_not_deleted"]
            }
        };
        let mut tx = self.database.db.begin_system().await.unwrap();
        for text in without.iter().chain(statements) {
            tx.execute(SystemSql::new(text), &[]).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn number(&self, text: &'static str) -> i64 {
        let mut tx = self.database.db.read_system().await.unwrap();
        tx.one(SystemSql::new(text), &[]).await.unwrap().int("number").unwrap()
    }
}

#[tokio::test]
async fn the_command_verifies_a_log_until_it_is_changed() {
    let place = Place::populated().await;
    // What is committed while no worker lives, or as one dies, waits for the next one.
    for name in ["first", "second"] {
        place.populate(&format!("[[tenant]]\nslug = \"{name}\"\nname = \"{name}\"\n")).await;
        assert!(place.number(WAITING).await > 0);
        let mut service = place.serve().await;
        eventually("all entries have their place", || async { place.number(WAITING).await == 0 }).await;
        service.kill().await;
    }
    let mut service = place.serve().await;
    eventually("every chain has a checkpoint", || async { place.number(UNSIGNED).await == 0 }).await;
    service.kill().await;
    let ended = place.run(&["audit", "verify"]).await;
    assert!(ended.is_success && ended.stdout.contains("are as they were written"), "{ended:?}");
    let ended = place.run(&["audit", "verify", "--json"]).await;
    let told: Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&told["ok"], &told["fault"]), (&Value::Bool(true), &Value::Null), "{ended:?}");

    let ended = place.run(&["audit", "verify", "--tenant", "nobody"]).await;
    assert!(!ended.is_success && ended.stderr.contains("--tenant: there is no tenant"), "{ended:?}");
    let ended = place.run(&["audit", "verify", "--checkpoint", "x.y"]).await;
    assert!(!ended.is_success && ended.stderr.contains("--checkpoint: "), "{ended:?}");

    place.tamper(&["UPDATE audit_log SET target = 'another' WHERE position = 2"]).await;
    let ended = place.run(&["audit", "verify"]).await;
    assert!(!ended.is_success && ended.stdout.contains("WRONG at position 2"), "{ended:?}");
    let ended = place.run(&["audit", "verify", "--json"]).await;
    let told: Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((ended.is_success, &told["fault"]["position"]), (false, &Value::from(2)), "{ended:?}");
}
