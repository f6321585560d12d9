//! What a killed process loses of the counts of client-credentials tokens: the last second at most (ADR 3).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use svc_db::{SystemSql, args};
use tokio::task::JoinSet;

use super::person::form;
use super::{Place, eventually};

const APPS: usize = 400;
const CLIENTS: usize = 8;
/// What a crash may lose.
const BOUND: Duration = Duration::from_secs(1);

fn seed() -> String {
    let mut seed = "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n".to_owned();
    for number in 0..APPS {
        write!(
            seed,
            "\n[[tenant.application]]\nhandle = \"machine-{number}\"\nname = \"Machine {number}\"\ntype = \"machine\"\n\
             token_endpoint_auth_method = \"client_secret_post\"\ngrant_types = [\"client_credentials\"]\nsecret = \"a-secret-of-machines\"\n"
        )
        .unwrap();
    }
    seed
}

/// Asks for tokens of one application after the other until the process is gone; returns when each was answered.
async fn ask(address: SocketAddr, apps: Arc<[String]>, next: Arc<AtomicUsize>) -> Vec<(String, Instant)> {
    let mut answered = Vec::new();
    loop {
        let app = &apps[next.fetch_add(1, Ordering::Relaxed) % APPS];
        let fields = [
            ("grant_type", "client_credentials"),
            ("client_id", app.as_str()),
            ("client_secret", "a-secret-of-machines"),
        ];
        let Some(answer) = form(address, "/oauth/token", &[], &fields).await else { return answered };
        assert_eq!(answer.status, 200, "{answer:?}");
        answered.push((app.clone(), Instant::now()));
    }
}

#[tokio::test]
async fn a_killed_process_loses_a_second_of_counts_at_most() {
    let place = Place::migrated().await;
    place.write("seed.toml", &seed());
    let applied = place.run(&["apply", "seed.toml"]).await;
    assert!(applied.is_success, "{applied:?}");
    let mut tx = place.database.db.read_system().await.unwrap();
    let rows =
        tx.all(SystemSql::new("SELECT id FROM apps WHERE handle LIKE 'machine-%'"), &[]).await.unwrap();
    let apps: Arc<[String]> = rows.iter().map(|row| row.text("id").unwrap()).collect();
    assert_eq!(apps.len(), APPS);
    let mut service = place.serve().await;

    let (began, next) = (Instant::now(), Arc::new(AtomicUsize::new(0)));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(ask(service.address, Arc::clone(&apps), Arc::clone(&next)));
    }
    let is_enough = || std::future::ready(began.elapsed() > BOUND * 5 / 2);
    eventually("tokens for longer than twice the bound", is_enough).await;
    let killed = Instant::now();
    service.kill().await;

    let (mut owed, mut most) = (HashMap::new(), HashMap::new());
    for (app, at) in clients.join_all().await.into_iter().flatten() {
        *most.entry(app.clone()).or_insert(0) += 1;
        *owed.entry(app).or_insert(0) += i64::from(killed - at > BOUND);
    }
    let total: i64 = owed.values().sum();
    assert!(total > 0, "tokens were issued for longer than the bound");
    let recorded = recorded(&place).await;
    for (app, owed) in owed {
        let recorded = recorded.get(&app).copied().unwrap_or_default();
        assert!(recorded >= owed, "{app}: {recorded} of {owed} tokens are recorded");
        // An answer that was lost on the way may have been counted.
        assert!(
            recorded <= most[&app] + i64::try_from(CLIENTS).unwrap(),
            "{app}: {recorded} of {}",
            most[&app]
        );
    }
}

/// How many tokens the audit log tells of, by application.
async fn recorded(place: &Place) -> HashMap<String, i64> {
    let select = SystemSql::new("SELECT target, detail FROM audit_log WHERE action = 'token.issued'");
    let rows = place.database.db.read_system().await.unwrap().all(select, args![]).await.unwrap();
    let mut recorded = HashMap::new();
    for row in rows {
        let detail: serde_json::Value = serde_json::from_str(&row.text("detail").unwrap()).unwrap();
        *recorded.entry(row.text("target").unwrap()).or_insert(0) += detail["count"].as_i64().unwrap();
    }
    recorded
}
