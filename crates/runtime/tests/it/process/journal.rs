//! What a killed process loses of the counts of client-credentials tokens: the last second at most (ADR 3).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use svc_db::{SystemSql, args};
use tokio::task::JoinSet;

use super::person::form;
use super::{Place, TICK, eventually, request};

const APPS: usize = 400;
const CLIENTS: usize = 8;

/// Where its metrics tell how often counts were written.
const RUNS: &str = "job_runs_total{job=\"journal\",outcome=\"success\"} ";

/// What is seen of a process until it is gone.
#[derive(Default)]
struct Seen {
    /// The applications whose tokens were answered, and when.
    answered: Vec<(String, Instant)>,
    /// How often counts were written, and when that was asked.
    looks: Vec<(Instant, u64)>,
}

impl Seen {
    /// Whether a token that was answered then has to be written down: of the runs that end afterwards the first may have begun before,
    /// and the second has not. They begin five times a second; how long they take is the machine's, which other tests use too.
    fn is_owed(&self, at: Instant) -> bool {
        let next = self.looks.iter().find(|(asked, _)| *asked >= at);
        next.zip(self.looks.last()).is_some_and(|((_, then), (_, last))| *last >= then + 2)
    }
}

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

/// Asks for tokens of one application after the other until the process is gone.
async fn ask(address: SocketAddr, apps: Arc<[String]>, next: Arc<AtomicUsize>, seen: Arc<Mutex<Seen>>) {
    loop {
        let app = &apps[next.fetch_add(1, Ordering::Relaxed) % APPS];
        let fields = [
            ("grant_type", "client_credentials"),
            ("client_id", app.as_str()),
            ("client_secret", "a-secret-of-machines"),
        ];
        let Some(answer) = form(address, "/oauth/token", &[], &fields).await else { return };
        assert_eq!(answer.status, 200, "{answer:?}");
        seen.lock().unwrap().answered.push((app.clone(), Instant::now()));
    }
}

/// Looks how often counts were written, again and again until the process is gone.
async fn look(address: SocketAddr, seen: Arc<Mutex<Seen>>) {
    loop {
        let (asked, header) = (Instant::now(), [("Authorization", "Bearer for-the-scraper")]);
        let Some(answer) = request(address, "GET /metrics", &header, "").await else { return };
        let told = answer.expect(200).body;
        let runs = told.lines().find_map(|line| line.strip_prefix(RUNS));
        let runs = runs.map_or(0, |number| number.parse().unwrap());
        seen.lock().unwrap().looks.push((asked, runs));
        tokio::time::sleep(TICK).await;
    }
}

#[tokio::test]
async fn a_killed_process_loses_a_second_of_counts_at_most() {
    let mut place = Place::migrated().await;
    place.set("SVC_SERVER__METRICS_BEARER_TOKEN", "for-the-scraper");
    place.write("seed.toml", &seed());
    let applied = place.run(&["apply", "seed.toml"]).await;
    assert!(applied.is_success, "{applied:?}");
    let mut tx = place.database.db.read_system().await.unwrap();
    let rows =
        tx.all(SystemSql::new("SELECT id FROM apps WHERE handle LIKE 'machine-%'"), &[]).await.unwrap();
    let apps: Arc<[String]> = rows.iter().map(|row| row.text("id").unwrap()).collect();
    assert_eq!(apps.len(), APPS);
    let mut service = place.serve().await;

    let (seen, next) = (Arc::<Mutex<Seen>>::default(), Arc::new(AtomicUsize::new(0)));
    let mut at_work = JoinSet::new();
    for _ in 0..CLIENTS {
        at_work.spawn(ask(service.address, Arc::clone(&apps), Arc::clone(&next), Arc::clone(&seen)));
    }
    at_work.spawn(look(service.address, Arc::clone(&seen)));
    let is_enough = || {
        let seen = seen.lock().unwrap();
        std::future::ready(seen.answered.get(APPS).is_some_and(|(_, at)| seen.is_owed(*at)))
    };
    eventually("tokens for longer than it takes to write them down", is_enough).await;
    service.kill().await;
    at_work.join_all().await;

    let (mut owed, mut most) = (HashMap::new(), HashMap::new());
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    for (app, at) in &seen.answered {
        *most.entry(app.clone()).or_insert(0) += 1;
        *owed.entry(app.clone()).or_insert(0) += i64::from(seen.is_owed(*at));
    }
    let total: i64 = owed.values().sum();
    assert!(total > i64::try_from(APPS).unwrap(), "{total} tokens are owed");
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
